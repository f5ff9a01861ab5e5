#include "flexframe/forces.hpp"

#include "force_laws/laws.hpp"

namespace flexframe {

const std::vector<ForceLaw>& force_laws() {
    static const std::vector<ForceLaw> laws{spring,   torsion_spring, friction, motor,
                                            actuator, gear_mesh,      belt,     cable};
    return laws;
}

}  // namespace flexframe
