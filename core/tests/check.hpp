// What the tests of the core share: a check that counts what fails, and how the program ends.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace flexframe::tests {

/// How many checks were made, and how many of them failed.
struct Count {
    int made = 0;
    int failed = 0;
};

inline Count& count() {
    static Count counted;
    return counted;
}

/// A statement that must hold; if not, it is printed and the program ends with 1.
inline void check(bool holds, const std::string& statement) {
    ++count().made;
    if (holds) return;
    ++count().failed;
    std::printf("failed: %s\n", statement.c_str());
}

/// |value − expected| ≤ tolerance; false with NaN.
inline void check_near(double value, double expected, double tolerance, const std::string& statement) {
    const bool holds = std::abs(value - expected) <= tolerance;
    char numbers[120];
    std::snprintf(numbers, sizeof numbers, ": %.17g instead of %.17g, tolerance %.3g", value, expected, tolerance);
    check(holds, statement + numbers);
}

template <class A, class B>
void check_equal(const A& value, const B& expected, const std::string& statement) {
    check(value == expected, statement);
}

/// What main returns: 0 if checks were made and none failed.
inline int finish() {
    std::printf("%d checks, %d failed\n", count().made, count().failed);
    return count().made > 0 && count().failed == 0 ? 0 : 1;
}

}  // namespace flexframe::tests
