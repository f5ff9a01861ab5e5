#include "flexframe/contact.hpp"

#include <algorithm>
#include <cmath>

#include "contact_laws/laws.hpp"
#include "contact_pairs/pairs.hpp"

namespace flexframe {

const std::vector<ContactPair>& contact_pairs() {
    static const std::vector<ContactPair> pairs{sphere_plane,    sphere_sphere,  sphere_in_sphere, cylinder_plane,
                                                sphere_polyline, sphere_profile, journal_bearing,  angle_stop};
    return pairs;
}

const std::vector<ContactLaw>& contact_laws() {
    static const std::vector<ContactLaw> laws{kelvin_voigt, hunt_crossley, lankarani_nikravesh, flores,
                                              restitution,  impulsive};
    return laws;
}

ConstraintRow ContactElement::between() const {
    ConstraintRow row;
    row.first = row.carrier = first.frame;
    row.second = second.frame;
    row.first_place = first.place;
    row.second_place = second.place;
    row.x = row.y = row.z = Vector3::Zero();
    return row;
}

FrictionRatio friction_ratio(const ContactParameters& parameters, double slip) {
    // μ = (μ_d + (μ_s − μ_d) exp(−(v/v_s)²)) tanh(v/v_r), dμ/dv along the slip and μ/v across it
    const double part = slip / parameters.stribeck;
    const double excess = parameters.static_friction - parameters.dynamic_friction;
    const double more = excess == 0.0 ? 0.0 : excess * std::exp(-part * part);
    const double limit = parameters.dynamic_friction + more;
    const double ramp = std::tanh(slip / parameters.regularisation);
    const double slope = (1.0 - ramp * ramp) / parameters.regularisation;
    FrictionRatio out;
    out.size = limit * ramp;
    out.along = limit * slope - 2.0 * more * part / parameters.stribeck * ramp;
    out.across = slip > 1e-9 * parameters.regularisation ? out.size / slip : limit / parameters.regularisation;
    return out;
}

namespace {

/// Rows of the directions and the forces of one place, where the shapes touch.
void act(const ContactElement& contact, const FrameInSpace& a, const FrameInSpace& b, const Vector3& velocity,
         double impact, Touch& touch) {
    const Vector3 &n = touch.where.normal, &c = touch.where.point;
    const bool turning = contact_pairs()[contact.pair].turning;
    touch.along_normal = touch.along_slip = touch.across_slip = RowValue();
    add_contact_direction(a, b, n, c, turning, touch.along_normal);
    touch.normal = contact_laws()[contact.law].at(contact.parameters, touch.depth(), -touch.rate, impact);
    touch.force = touch.normal.force * n;
    touch.friction = FrictionRatio();
    const ContactParameters& p = contact.parameters;
    if (p.static_friction == 0.0 && p.dynamic_friction == 0.0) return;
    const Vector3 slip = velocity - touch.rate * n;
    const double speed = slip.norm();
    touch.friction = friction_ratio(p, speed);
    touch.slip = speed > 0.0 ? Vector3(slip / speed) : Vector3(n.unitOrthogonal());
    add_contact_direction(a, b, touch.slip, c, turning, touch.along_slip);
    add_contact_direction(a, b, n.cross(touch.slip), c, turning, touch.across_slip);
    if (speed > 0.0) touch.force -= touch.normal.force * touch.friction.size * touch.slip;
}

}  // namespace

void find_touches(const ContactElement& contact, const FrameInSpace& a, const FrameInSpace& b,
                  const double* impacts, Touch* out) {
    constexpr Index most = 8;
    const ContactPair& pair = contact_pairs()[contact.pair];
    ContactPoint points[most];
    pair.at(PlacedShape(contact.first, a), PlacedShape(contact.second, b), contact.curve, points);
    for (Index k = 0; k < pair.points; ++k) {
        Touch& touch = out[k];
        touch.where = points[k];
        const Vector3 velocity = contact_velocity(a, b, touch.where.point, pair.turning);
        touch.rate = touch.where.gap < no_gap ? touch.where.normal.dot(velocity) : 0.0;
        touch.normal = NormalForce();
        touch.force.setZero();
        if (touch.where.gap < 0.0) act(contact, a, b, velocity, impacts[k], touch);
    }
}

double impact_duration_factor(double exponent) {
    // 2 ∫₀¹ dx/√(1 − x^m) = 2 √π Γ(1 + 1/m)/Γ(½ + 1/m)
    const double part = 1.0 / (exponent + 1.0);
    return 2.0 * 1.7724538509055160 * std::tgamma(1.0 + part) / std::tgamma(0.5 + part);
}

}  // namespace flexframe
