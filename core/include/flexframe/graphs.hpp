// Parts of a graph that hang together.
#pragma once

#include "flexframe/views.hpp"

namespace flexframe {

/// The part of each node where links join nodes first(k) and second(k); parts are numbered by their first nodes.
void connected_parts(View<const Index, 1> first, View<const Index, 1> second, View<Index, 1> parts);

}  // namespace flexframe
