// What meshes ask for: parts that hang together, cells that lie in one another.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "flexframe/graphs.hpp"
#include "flexframe/overlaps.hpp"

namespace flexframe::bindings {

void bind_meshes(nb::module_& module) {
    define(module, "connected_parts", +[](Given<const Index, 1> first, Given<const Index, 1> second,
                                          Given<Index, 1> made) {
        connected_parts(view(first), view(second), view(made));
    });
    define(module, "overlapping_cells", +[](Given<const double, 3> corners, Given<const Index, 1> starts,
                                            double margin) {
        return overlapping_cells(view(corners), view(starts), margin);
    });
}

}  // namespace flexframe::bindings
