// A file of named arrays, the same on every machine.
//
// All numbers take eight bytes, little-endian, so that every array begins at a multiple of eight:
//
//     "flexframe model\n"                       16 bytes
//     format, number of arrays, checksum        of all bytes that follow (FNV-1a, 64 bits)
//     length of the name, the name              filled up with zeros to a multiple of eight
//     type (0 real, 1 integer), axes, shape
//     entries, row by row
//     … the last four lines for each array
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

/// What is wrong with a file, in words for its reader.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An array of real numbers or of integers.
struct NamedArray {
    bool integral = false;
    std::vector<Index> shape;
    std::vector<double> reals;
    std::vector<Index> integers;
};

using NamedArrays = std::map<std::string, NamedArray>;

constexpr Index array_file_format = 4;

void write_arrays(const std::string& path, const NamedArrays& arrays);

/// All arrays of a file; a FileError where it is of another kind or format, truncated or damaged.
NamedArrays read_arrays(const std::string& path);

}  // namespace flexframe
