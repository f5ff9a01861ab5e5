// Extrapolation: polynomials up to the highest order are met, jumps are not amplified, and memory is complete.
#include <cmath>

#include "check.hpp"
#include "flexframe/extrapolation.hpp"

using flexframe::Extrapolation;
using flexframe::Index;
using flexframe::Vector;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

Vector predicted(const Extrapolation& history) {
    Vector out(2);
    history.predict(out);
    return out;
}

/// A cubic in the first entry, which decides about the order, and a parabola in the second.
Vector smooth(double t) {
    Vector out(2);
    out << 1.0 + t * (2.0 + t * (-0.5 + 0.25 * t)), 3.0 - t * t;
    return out;
}

void test_polynomials() {
    Extrapolation history(2, Vector::Ones(1));
    history.start(smooth(0.0));
    for (Index k = 1; k <= 5; ++k) history.add(smooth(static_cast<double>(k)));
    const Vector next = predicted(history), exact = smooth(6.0);
    // whole numbers over 4: differences are exact
    check_near(next[0], exact[0], 0.0, "a cubic is extrapolated exactly");
    check_near(next[1], exact[1], 0.0, "and a parabola with it");
}

void test_jump() {
    Extrapolation history(2, Vector::Ones(1));
    history.start(Vector::Zero(2));
    for (Index k = 0; k < 5; ++k) history.add(Vector::Zero(2));
    for (Index k = 0; k < 2; ++k) {
        history.add(Vector::Ones(2));
        const double next = predicted(history)[0];
        check(next >= 1.0 && next <= 2.0, "after a jump nothing is extrapolated further than the jump itself");
    }
    check_near(predicted(history)[0], 1.0, 0.0, "after two equal values the next is the same");
}

void test_memory() {
    Extrapolation history(2, Vector::Ones(1)), other(2, Vector::Ones(1)), smaller(1, Vector::Ones(1));
    history.start(smooth(0.0));
    for (Index k = 1; k <= 3; ++k) history.add(smooth(std::sqrt(static_cast<double>(k))));
    check(other.restore(history.memory()), "memory is taken");
    check(!smaller.restore(history.memory()), "not that of other vectors");
    history.add(smooth(2.0));
    other.add(smooth(2.0));
    check(predicted(history) == predicted(other), "and the motion goes on bit by bit");
}

}  // namespace

int main() {
    test_polynomials();
    test_jump();
    test_memory();
    return finish();
}
