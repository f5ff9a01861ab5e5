// The Python module: one file of bindings for each subject of the core.
#include "bindings.hpp"

NB_MODULE(CORE_LEVEL, module) {
    module.doc() = "Compiled loops of flexframe";
    nanobind::set_leak_warnings(false);  // what lives until a process is ended early is no concern of its user
    flexframe::bindings::bind_meshes(module);
    flexframe::bindings::bind_sparse(module);
    flexframe::bindings::bind_multibody(module);
    flexframe::bindings::bind_stepping(module);
    flexframe::bindings::bind_films(module);
    flexframe::bindings::bind_free_flight(module);
    flexframe::bindings::bind_last_resort(module);
}
