#include "flexframe/turns.hpp"

namespace flexframe {

void count_turns(const System& system, const State& before, const double* step, State& after) {
    const auto in_space = [&](Index frame, const Vector3& direction) -> Vector3 {
        const Index b = system.frames[frame].body;
        return b < 0 ? direction : rotate(before.quaternions.data() + 4 * b, direction);
    };
    const auto turn = [&](Index frame) -> Vector3 {
        const Index b = system.frames[frame].body;
        if (b < 0) return Vector3::Zero();
        Vector3 theta;
        for (int i = 0; i < 3; ++i) {
            const Index number = system.bodies[b].numbers[3 + i];
            theta[i] = number >= 0 ? step[number] : 0.0;
        }
        return rotate(before.quaternions.data() + 4 * b, theta);
    };
    Index next = 0;
    for (const std::vector<ConstraintRow>* rows : {&system.measured, &system.arguments}) {
        for (const ConstraintRow& row : *rows) {
            const Index k = next++;
            after.counted[k] = before.counted[k];
            if (!constraint_types()[row.type].periodic) continue;
            after.counted[k] += in_space(row.first, row.x.cross(row.z)).dot(turn(row.second) - turn(row.first));
        }
    }
}

}  // namespace flexframe
