// What is kept of a place of contact from step to step: shapes that are apart do not act, shapes at rest have a
// support, whose force is the slope of the energy that it stores.
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/contact.hpp"

using flexframe::ContactElement;
using flexframe::FrameInSpace;
using flexframe::Index;
using flexframe::Touch;
using flexframe::TouchMemory;
using flexframe::Vector3;
using flexframe::tests::check;
using flexframe::tests::check_equal;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

constexpr double radius = 0.1;

template <class Registry>
Index number_of(const Registry& registry, const std::string& name) {
    for (std::size_t k = 0; k < registry.size(); ++k) {
        if (registry[k].name == name) return static_cast<Index>(k);
    }
    return -1;
}

/// A sphere on the plane x = 0, whose lowest point is at a height and moves along x with a speed.
Touch touch_at(double height, double speed, const std::string& law, const TouchMemory& memory) {
    ContactElement contact;
    contact.pair = number_of(flexframe::contact_pairs(), "sphere_plane");
    contact.law = number_of(flexframe::contact_laws(), law);
    contact.second.radius = radius;
    contact.parameters.stiffness = 1e6;
    FrameInSpace ground, ball;
    ball.position = Vector3(height + radius, 0.0, 0.0);
    ball.velocity = Vector3(speed, 0.0, 0.0);
    const flexframe::BristleStep straight;
    Touch out;
    flexframe::find_touches(contact, ground, ball, &memory, &straight, &out);
    return out;
}

void shapes_apart_do_not_act() {
    TouchMemory memory;
    check(touch_at(-1e-3, 0.0, "kelvin_voigt", memory).acts, "shapes that overlap act");
    check_near(touch_at(-1e-3, 0.0, "kelvin_voigt", memory).normal.force, 1e3, 1e-9, "force of a spring");
    memory.apart = 1.0;
    check(!touch_at(-1e-3, 0.0, "kelvin_voigt", memory).acts, "shapes that are apart in a step do not act in it");
    check(!touch_at(1e-3, 0.0, "kelvin_voigt", TouchMemory()).acts, "nor do shapes with a gap");
}

void support_holds() {
    TouchMemory memory;
    check_equal(touch_at(-1e-3, -1.0, "impulsive", memory).force.norm(), 0.0, "an impulsive law has no force");
    memory.preload = 5.0;
    memory.stiffness = 2e4;
    memory.damping = 30.0;
    check(memory.rests(), "a support makes shapes rest");
    for (const double depth : {-1e-4, 0.0, 2e-4}) {
        const Touch touch = touch_at(-depth, 0.01, "impulsive", memory);
        check_near(touch.normal.force, 5.0 + 2e4 * depth - 30.0 * 0.01, 1e-10, "P + K δ + d δ̇");
        // the slope of a quadratic is that of its central difference, up to rounding of the depth
        const double small = 1e-5;
        const double above = touch_at(-depth - small, 0.0, "impulsive", memory).normal.energy;
        const double below = touch_at(-depth + small, 0.0, "impulsive", memory).normal.energy;
        check_near((above - below) / (2.0 * small), touch.normal.elastic, 1e-7, "dE/dδ is the elastic force");
    }
}

void memory_as_numbers() {
    std::vector<TouchMemory> memory(2), back(2), other(3);
    memory[1] = {0.5, 1.0, 2.0, 3.0, 4.0, 1.0};
    const std::vector<double> numbers = flexframe::numbers_of(memory);
    check_equal(numbers.size(), std::size_t{12}, "six numbers of each place");
    check(flexframe::read_numbers(numbers, back), "they are read");
    check(back[1].impact == 0.5 && back[1].apart == 1.0 && back[1].preload == 2.0 && back[1].stiffness == 3.0 &&
              back[1].damping == 4.0 && back[1].is_held(),
          "as they were");
    check(!flexframe::read_numbers(numbers, other), "but not for another number of places");
}

}  // namespace

int main() {
    shapes_apart_do_not_act();
    support_holds();
    memory_as_numbers();
    return finish();
}
