// Every pair of shapes, each defined in the file of its name. A point is a sphere of radius zero; in the plane a
// sphere is a circle.
#pragma once

#include "flexframe/contact.hpp"

namespace flexframe {

extern const ContactPair sphere_plane;
extern const ContactPair sphere_sphere;
extern const ContactPair sphere_in_sphere;
extern const ContactPair cylinder_plane;
extern const ContactPair sphere_polyline;
extern const ContactPair sphere_profile;
extern const ContactPair journal_bearing;
extern const ContactPair angle_stop;
extern const ContactPair bend_stop;

}  // namespace flexframe
