// Views address memory as numpy does: row by row, the last index running fastest.
#include <array>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "flexframe/views.hpp"

using flexframe::Index;
using flexframe::View;
using flexframe::tests::check;
using flexframe::tests::check_equal;
using flexframe::tests::finish;

namespace {

// a[i, j, k] stands at (i n₁ + j) n₂ + k; the array holds these places, 0, 1, 2 …
void entries_stand_row_by_row() {
    const std::array<Index, 3> shape{2, 3, 4};
    std::vector<double> memory(2 * 3 * 4);
    std::iota(memory.begin(), memory.end(), 0.0);
    const View<const double, 3> array{memory.data(), shape};
    bool all = true;
    double expected = 0.0;
    for (Index i = 0; i < shape[0]; ++i)
        for (Index j = 0; j < shape[1]; ++j)
            for (Index k = 0; k < shape[2]; ++k) all = all && array(i, j, k) == expected++;
    check(all, "entries are found in the order of memory");
    check_equal(array.count(), 2, "the length of the first axis");
    check_equal(array.size(), 24, "the number of entries");
}

void fewer_indices_give_a_part() {
    std::vector<double> memory(2 * 3 * 4);
    std::iota(memory.begin(), memory.end(), 0.0);
    const View<double, 3> array{memory.data(), {2, 3, 4}};
    const View<double, 2> matrix = array(1);
    const View<double, 1> row = array(1, 2);
    check(matrix.shape == std::array<Index, 2>{3, 4}, "one index of three leaves two axes");
    check(row.shape == std::array<Index, 1>{4}, "two indices of three leave one axis");
    check_equal(matrix(2, 3), 23.0, "the last entry of the last matrix");
    check_equal(row(3), 23.0, "the last entry of the last row");
    check_equal(matrix(0, 0), 12.0, "the first entry of the second matrix");
}

void writing_through_a_part_reaches_the_array() {
    std::vector<double> memory(6, 0.0);
    const View<double, 2> array{memory.data(), {2, 3}};
    array(1)(2) = 7.0;
    array(0, 1) = 5.0;
    check(memory == std::vector<double>{0.0, 5.0, 0.0, 0.0, 0.0, 7.0}, "written entries stand in memory");
}

void an_empty_axis_leaves_no_entries() {
    const View<double, 2> array{nullptr, {0, 3}};
    check_equal(array.count(), 0, "no rows");
    check_equal(array.size(), 0, "no entries");
}

}  // namespace

int main() {
    entries_stand_row_by_row();
    fewer_indices_give_a_part();
    writing_through_a_part_reaches_the_array();
    an_empty_axis_leaves_no_entries();
    return finish();
}
