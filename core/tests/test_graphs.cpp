// Parts of small graphs that can be seen by eye, and of a long chain whose links come in any order.
#include "flexframe/graphs.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"

using namespace flexframe;
using namespace flexframe::tests;

namespace {

using Numbers = std::vector<Index>;

Numbers parts_of(Index count, const Numbers& first, const Numbers& second) {
    Numbers parts(count, -7);
    const Index links = static_cast<Index>(first.size());
    connected_parts({first.data(), {links}}, {second.data(), {links}}, {parts.data(), {count}});
    return parts;
}

}  // namespace

int main() {
    check_equal(parts_of(4, {}, {}), Numbers({0, 1, 2, 3}), "without links every node is a part");
    check_equal(parts_of(6, {5, 3, 4}, {1, 4, 3}), Numbers({0, 1, 2, 3, 3, 1}), "numbered by their first nodes");
    check_equal(parts_of(5, {4, 3, 2, 1}, {3, 2, 1, 0}), Numbers({0, 0, 0, 0, 0}), "a chain from its end");
    check_equal(parts_of(3, {2, 2}, {2, 0}), Numbers({0, 1, 0}), "a link of a node with itself changes nothing");

    // two chains, of the even and of the odd numbers
    const Index count = 20'000;
    Numbers first(count - 2);
    for (Index node = 0; node < count - 2; ++node) first[node] = node;
    std::shuffle(first.begin(), first.end(), std::mt19937(1));
    Numbers second = first;
    for (Index& node : second) node += 2;
    Numbers expected(count);
    for (Index node = 0; node < count; ++node) expected[node] = node % 2;
    check_equal(parts_of(count, first, second), expected, "two long chains");
    return finish();
}
