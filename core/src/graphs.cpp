#include "flexframe/graphs.hpp"

#include <numeric>
#include <utility>

namespace flexframe {

namespace {

/// The node that leads the part of a node; paths are halved, so that the next search is shorter.
Index leader(View<Index, 1> above, Index node) {
    while (above(node) != node) {
        above(node) = above(above(node));
        node = above(node);
    }
    return node;
}

}  // namespace

void connected_parts(View<const Index, 1> first, View<const Index, 1> second, View<Index, 1> parts) {
    // a tree for each part, each node with the number of one above it: the lowest leads, as lower ones stay above
    std::iota(parts.data, parts.data + parts.count(), Index{0});
    for (Index link = 0; link < first.count(); ++link) {
        Index low = leader(parts, first(link)), high = leader(parts, second(link));
        if (low > high) std::swap(low, high);
        parts(high) = low;
    }
    // nodes above have lower numbers: they hold the number of their part already
    Index count = 0;
    for (Index node = 0; node < parts.count(); ++node) {
        parts(node) = parts(node) == node ? count++ : parts(parts(node));
    }
}

}  // namespace flexframe
