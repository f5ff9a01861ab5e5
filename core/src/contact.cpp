#include "flexframe/contact.hpp"

#include <algorithm>
#include <cmath>

#include "contact_laws/laws.hpp"
#include "contact_pairs/pairs.hpp"

namespace flexframe {

const std::vector<ContactPair>& contact_pairs() {
    static const std::vector<ContactPair> pairs{sphere_plane,    sphere_sphere,   sphere_in_sphere,
                                                cylinder_plane,  sphere_polyline, sphere_profile,
                                                journal_bearing, angle_stop,      bend_stop};
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
    const BristleParameters& p = parameters.friction;
    const double part = slip / p.stribeck;
    const double excess = p.static_friction - p.dynamic_friction;
    const double more = excess == 0.0 ? 0.0 : excess * std::exp(-part * part);
    const double limit = p.dynamic_friction + more;
    const double ramp = std::tanh(slip / parameters.regularisation);
    const double slope = (1.0 - ramp * ramp) / parameters.regularisation;
    FrictionRatio out;
    const double size = limit * ramp;
    out.ratio[0] = -size;
    out.resistance(0, 0) = limit * slope - 2.0 * more * part / p.stribeck * ramp;
    const double smoothing = parameters.regularisation;
    out.resistance(1, 1) = slip > 1e-9 * smoothing ? size / slip : limit / smoothing;
    return out;
}

namespace {

/// The vector laid into the plane across a normal, its length kept: bristles turn with the faces they are on.
Vector3 lay(const Vector3& vector, const Vector3& normal) {
    const Vector3 flat = vector - normal.dot(vector) * normal;
    const double size = flat.norm();
    return size > 0.0 ? Vector3(flat * (vector.norm() / size)) : flat;
}

/// Friction of bristles along two tangents; their state in the axes of the first frame.
FrictionRatio brush(const ContactElement& contact, const FrameInSpace& a, const Vector3& slip,
                    const BristleStep& step, const Eigen::Matrix<double, 3, 2>& tangents, Touch& touch) {
    const Vector3 base = lay(a.rotation * step.base, touch.where.normal);
    const Bristles bent = bend(contact.parameters.friction, contact.model, slip, base, step.factor);
    touch.bristles.bending = a.rotation.transpose() * bent.bending;
    touch.bristles.rate = a.rotation.transpose() * bent.rate;
    touch.bristles.slip = a.rotation.transpose() * slip;
    FrictionRatio out;
    out.ratio = tangents.transpose() * bent.ratio;
    out.resistance = tangents.transpose() * bent.resistance * tangents;
    return out;
}

/// N = P + K δ + d δ̇ of shapes at rest; where it is negative the step ends before.
NormalForce support(const TouchMemory& memory, double depth, double rate) {
    NormalForce out;
    out.elastic = memory.preload + memory.stiffness * depth;
    out.energy = (memory.preload + 0.5 * memory.stiffness * depth) * depth;
    out.force = out.elastic + memory.damping * rate;
    out.stiffness = memory.stiffness;
    out.damping = memory.damping;
    return out;
}

/// N/K of shapes at rest, which part where it is zero. Those that nothing pressed from the beginning do so where
/// they are apart beyond the errors of the iteration.
double pressed(const TouchMemory& memory, const Touch& touch) {
    const double hidden = hidden_gap(touch), loaded = memory.preload / memory.stiffness;
    return touch.normal.force / memory.stiffness + (loaded > 10.0 * hidden ? 0.0 : hidden);
}

/// Rows of the directions and the forces of one place, where the shapes touch.
void act(const ContactElement& contact, const FrameInSpace& a, const FrameInSpace& b, const Vector3& velocity,
         const TouchMemory& memory, const BristleStep& step, Touch& touch) {
    const Vector3 &n = touch.where.normal, &c = touch.where.point;
    const bool turning = contact_pairs()[contact.pair].turning;
    touch.along_normal = touch.along_slip = touch.across_slip = RowValue();
    add_contact_direction(a, b, n, c, turning, touch.along_normal);
    if (memory.rests()) {
        touch.normal = support(memory, touch.depth(), -touch.rate);
        touch.pressed = memory.is_held() ? memory.preload : pressed(memory, touch);
    } else {
        const ContactLaw& law = contact_laws()[contact.law];
        touch.normal = law.at(contact.parameters, touch.depth(), -touch.rate, memory.impact);
    }
    touch.push = n;
    touch.force = touch.normal.force * n;
    touch.friction = FrictionRatio();
    if (!contact.rough()) return;
    const Vector3 slip = velocity - touch.rate * n;
    const double speed = slip.norm();
    Eigen::Matrix<double, 3, 2> tangents;
    tangents.col(0) = speed > 0.0 ? Vector3(slip / speed) : Vector3(n.unitOrthogonal());
    tangents.col(1) = n.cross(tangents.col(0));
    touch.friction = contact.has_bristles() ? brush(contact, a, slip, step, tangents, touch)
                                            : friction_ratio(contact.parameters, speed);
    touch.push += tangents * touch.friction.ratio;
    if (!(touch.normal.force > 0.0)) touch.friction = FrictionRatio();
    add_contact_direction(a, b, tangents.col(0), c, turning, touch.along_slip);
    add_contact_direction(a, b, tangents.col(1), c, turning, touch.across_slip);
    touch.force += touch.normal.force * (tangents * touch.friction.ratio);
}

}  // namespace

void find_touches(const ContactElement& contact, const FrameInSpace& a, const FrameInSpace& b,
                  const TouchMemory* memory, const BristleStep* bristles, Touch* out) {
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
        touch.friction = FrictionRatio();
        touch.bristles = {bristles[k].base, Vector3::Zero(), Vector3::Zero()};
        touch.force.setZero();
        touch.rests = memory[k].rests();
        touch.acts = touch.rests || (touch.where.gap < 0.0 && memory[k].apart == 0.0);
        if (touch.acts) act(contact, a, b, velocity, memory[k], bristles[k], touch);
    }
}

std::vector<double> numbers_of(const std::vector<TouchMemory>& memory) {
    std::vector<double> out;
    for (const TouchMemory& each : memory) {
        out.insert(out.end(),
                   {each.impact, each.apart, each.preload, each.stiffness, each.damping, each.held});
    }
    return out;
}

bool read_numbers(const std::vector<double>& numbers, std::vector<TouchMemory>& memory) {
    if (numbers.size() != TouchMemory::count * memory.size()) return false;
    const double* next = numbers.data();
    for (TouchMemory& each : memory) {
        each = {next[0], next[1], next[2], next[3], next[4], next[5]};
        next += TouchMemory::count;
    }
    return true;
}

double impact_duration_factor(double exponent) {
    // 2 ∫₀¹ dx/√(1 − x^m) = 2 √π Γ(1 + 1/m)/Γ(½ + 1/m)
    const double part = 1.0 / (exponent + 1.0);
    return 2.0 * 1.7724538509055160 * std::tgamma(1.0 + part) / std::tgamma(0.5 + part);
}

}  // namespace flexframe
