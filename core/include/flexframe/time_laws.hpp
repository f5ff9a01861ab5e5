// Laws of time: numbers, formulas as postfix tapes, tables, and polynomial pieces; each gives a value and two
// derivatives. Laws of several inputs may also be tables of one input or two, laws of other laws (nested), and
// compiled functions; these last, which only forces follow, have one derivative.
#pragma once

#include <vector>

#include "flexframe/table_grid.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// Value, first and second derivative.
struct Jet {
    double value = 0.0, rate = 0.0, second = 0.0;
};

/// Codes of the operations on a tape, in the order of `maths.expression.Operation`.
enum class Operation : Index {
    number,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt,
    abs,
    sign,
    step,
    min,
    max,
    mod
};

/// A formula of several variables as a postfix tape.
struct Tape {
    std::vector<Index> opcodes;
    std::vector<double> operands;  // numbers, and indices of variables
    Index stack_size = 1;          // values alive at once

    bool empty() const { return opcodes.empty(); }

    /// f along a line of its variables, which are jets themselves; `stack` has room for `stack_size` jets.
    Jet at(const Jet* variables, std::vector<Jet>& stack) const;

    /// Whether it can be evaluated: known operations that leave one value and find what they take.
    bool is_complete(Index variables) const;
};

enum class LawKind : Index { number, tape, table, pieces, signal, grid, function, nested };

/// A function that someone else has compiled: value of its inputs, and their slopes where it has them.
struct CompiledFunction {
    double (*value)(const double* inputs, int count) = nullptr;
    void (*slopes)(const double* inputs, int count, double* out) = nullptr;  // or none: by differences
    Index inputs = 0;

    /// f with its derivative along a direction of the inputs.
    Jet along(const double* inputs_, const double* direction) const;
};

/// Inputs of a compiled function, at most.
constexpr Index most_inputs = 64;

/// Numbers in a row of polynomial pieces.
constexpr Index piece_width = 9;

/// All laws of a system, by their numbers.
struct TimeLaws {
    std::vector<Index> kinds;       // LawKind of each
    std::vector<Index> starts;      // first operation of the tape, first row of the table or of the pieces, …
    std::vector<Index> counts;      // operations or rows
    std::vector<double> values;     // of numbers
    std::vector<Index> opcodes;     // of all tapes
    std::vector<double> operands;   // of all tapes
    std::vector<double> origins;    // first time, and spacing of tables or period of pieces (0: none): (laws, 2)
    std::vector<double> table;      // value, first and second derivative: (points, 3)
    std::vector<double> pieces;     // beginning, and coefficients of the powers 0 … 7 of the time since: (rows, 9)
    std::vector<Index> columns;     // of grids: (laws,)
    std::vector<double> grids;      // numbers of all grids, from `starts` on
    std::vector<Index> nested;      // of each nested law, from `starts` on: a law, and the laws of its inputs
    std::vector<CompiledFunction> functions;
    Index stack_size = 1;           // values alive at once in the longest tape

    /// f, ḟ and f̈ of a law; `stack` has room for `stack_size` jets.
    Jet at(Index law, double time, std::vector<Jet>& stack) const {
        constexpr double forward = 1.0;
        return along(law, &time, &forward, stack);
    }

    /// A law of several variables with two derivatives along a direction of theirs.
    Jet along(Index law, const double* variables, const double* direction, std::vector<Jet>& stack) const;

    /// The same along a curve of the variables.
    Jet along(Index law, const Jet* variables, std::vector<Jet>& stack) const;

    /// How many variables a law has.
    Index variables(Index law) const;

    /// The signal that a law is, or −1.
    Index signal(Index law) const {
        return kinds[law] == static_cast<Index>(LawKind::signal) ? starts[law] : -1;
    }

    TableGrid grid(Index law) const { return {grids.data() + starts[law], counts[law], columns[law]}; }

    /// Whether the tape of a law can be evaluated: known operations that leave one value and find what they take.
    bool is_tape(Index law) const;

    /// Whether a nested law is made of others with these inputs, nested ones only from those after it.
    bool is_nested(Index law) const;

private:
    template <class Variable>
    Jet along_curve(Index law, const Variable& variable, std::vector<Jet>& stack) const;
};

}  // namespace flexframe
