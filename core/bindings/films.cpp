// Films of journal bearings.
#include "bindings.hpp"
#include "flexframe/pad_film.hpp"

namespace flexframe::bindings {

void bind_films(nb::module_& module) {
    nb::enum_<Cavitation>(module, "Cavitation")
        .value("none", Cavitation::none)
        .value("guembel", Cavitation::guembel)
        .value("reynolds", Cavitation::reynolds);
    define(module, "solve_pads",
           +[](Given<const double, 2> arcs, Given<const double, 2> edges, Given<const double, 2> positions,
               bool closed, Given<const double, 2> axial_stiffness, Given<const double, 1> axial_weights,
               double end_weight, Cavitation cavitation, Given<double, 3> pressures, Given<double, 2> forces,
               Given<double, 3> stiffness, Given<double, 3> damping, Given<double, 2> flows,
               Given<double, 1> drags, Given<Index, 2> counts) {
               solve_pads(
                   {view(arcs), view(edges), view(positions), closed},
                   {view(axial_stiffness), view(axial_weights), end_weight}, cavitation,
                   {view(pressures), view(forces), view(stiffness), view(damping), view(flows), view(drags),
                    view(counts)});
           });
}

}  // namespace flexframe::bindings
