#include "flexframe/collocation.hpp"

#include <stdexcept>

#include "flexframe/shapes.hpp"

namespace flexframe {

void Collocation::require_shapes() const {
    if (stages < 1 || points < stages) {
        throw std::invalid_argument("a collocation has a stage or more, and at least as many points");
    }
    require_length(weights, stages, "weights");
    require_length(node_integrals, stages * stages, "node_integrals");
    require_length(point_integrals, points * stages, "point_integrals");
    require_length(means, stages * points, "means");
    require_length(ahead, stages * stages, "ahead");
}

}  // namespace flexframe
