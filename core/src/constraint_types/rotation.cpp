// s = atan2(z · y, x · y): the angle by which the second frame is turned about an axis of the first.
#include <cmath>

#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    const double sine = row.z.dot(row.y), cosine = row.x.dot(row.y);
    const double size = sine * sine + cosine * cosine;
    out.value = std::atan2(sine, cosine);
    const Vector3 turning = cosine / size * row.z.cross(row.y) - sine / size * row.x.cross(row.y);
    out.first.tail<3>() += turning;
    out.second.tail<3>() -= turning;
}

void rate(const PlacedRow& row, RowRate& out) {
    const double sine = row.z.dot(row.y), cosine = row.x.dot(row.y);
    const double size = sine * sine + cosine * cosine;
    const RowRate s = rate_of_product(row.z, row.y, row.a.angular_velocity, row.b.angular_velocity);
    const RowRate c = rate_of_product(row.x, row.y, row.a.angular_velocity, row.b.angular_velocity);
    out.rate = (cosine * s.rate - sine * c.rate) / size;
    const double growth = 2.0 * (sine * s.rate + cosine * c.rate) * out.rate;
    out.bias = (cosine * s.bias - sine * c.bias - growth) / size;
}

// With sines S and cosines C of both ends the change is atan2(σ, κ), σ = S₁C₀ − C₁S₀ = C̄ (S₁ − S₀) − S̄ (C₁ − C₀)
// and κ = C₀C₁ + S₀S₁.
void slope(const PlacedStep& step, RowValue& out) {
    const auto sine = [](const PlacedRow& row) { return row.z.dot(row.y); };
    const auto cosine = [](const PlacedRow& row) { return row.x.dot(row.y); };
    const double S0 = sine(step.start), S1 = sine(step.end), C0 = cosine(step.start), C1 = cosine(step.end);
    const double across = S1 * C0 - C1 * S0, ahead = C0 * C1 + S0 * S1, ratio = across / ahead;
    const double factor = std::abs(ratio) < 1e-3
                              ? (1.0 - ratio * ratio * (1.0 / 3.0 - ratio * ratio / 5.0)) / ahead
                              : std::atan2(across, ahead) / across;
    const PlacedRow& row = step.mean;
    const Vector3 turning =
        (0.5 * factor) * ((C0 + C1) * row.z.cross(row.y) - (S0 + S1) * row.x.cross(row.y));
    out.first.tail<3>() += turning;
    out.second.tail<3>() -= turning;
}

}  // namespace

const ConstraintType rotation{"rotation", true, &value, &rate, &slope};

}  // namespace flexframe
