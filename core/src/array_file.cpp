#include "flexframe/array_file.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace flexframe {

namespace {

using Word = std::uint64_t;

const std::string magic = "flexframe model\n";
constexpr std::size_t word = 8, header = 3 * word;  // bytes; of format, number of arrays and checksum

// --- writing ----------------------------------------------------------------------------------------------------

void put(std::string& out, Word value) {
    for (std::size_t byte = 0; byte < word; ++byte) {
        out.push_back(static_cast<char>((value >> (8 * byte)) & 0xffU));
    }
}

void put(std::string& out, Index value) { put(out, static_cast<Word>(value)); }

void put(std::string& out, double value) {
    Word bits = 0;
    std::memcpy(&bits, &value, word);
    put(out, bits);
}

void put(std::string& out, const std::string& name, const NamedArray& array) {
    put(out, static_cast<Word>(name.size()));
    out += name;
    out.append((word - name.size() % word) % word, '\0');
    put(out, Word{array.integral ? 1U : 0U});
    put(out, static_cast<Word>(array.shape.size()));
    for (Index length : array.shape) put(out, length);
    for (double value : array.reals) put(out, value);
    for (Index value : array.integers) put(out, value);
}

/// FNV-1a of the bytes from a place on.
Word checksum(const std::string& bytes, std::size_t begin) {
    Word sum = 14695981039346656037ULL;
    for (std::size_t k = begin; k < bytes.size(); ++k) {
        sum = (sum ^ static_cast<unsigned char>(bytes[k])) * 1099511628211ULL;
    }
    return sum;
}

// --- reading ----------------------------------------------------------------------------------------------------

/// Takes words from the bytes of a file; nothing is taken beyond its end.
class Source {
public:
    Source(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

    std::size_t left() const { return bytes_.size() - at_; }
    void skip(std::size_t count) { at_ += count; }

    Word take() {
        need(1);
        Word value = 0;
        for (std::size_t byte = 0; byte < word; ++byte) {
            value |= static_cast<Word>(static_cast<unsigned char>(bytes_[at_ + byte])) << (8 * byte);
        }
        at_ += word;
        return value;
    }

    double take_real() {
        const Word bits = take();
        double value = 0.0;
        std::memcpy(&value, &bits, word);
        return value;
    }

    std::string take_name() {
        const Word length = take();
        if (length > left()) truncated();
        const std::string name = bytes_.substr(at_, length);
        at_ += length;
        const std::size_t filled = (word - length % word) % word;
        if (filled > left()) truncated();
        at_ += filled;
        return name;
    }

    /// A number of entries that the rest of the file has.
    void need(Word words) const {
        if (words > left() / word) truncated();
    }

    [[noreturn]] void damaged(const std::string& what) const { throw FileError(path_ + " is damaged: " + what); }

    [[noreturn]] void truncated() const {
        throw FileError(path_ + " is truncated: it ends after " + std::to_string(bytes_.size()) +
                        " bytes in the middle of an array; copy or write it again");
    }

private:
    const std::string& path_;
    const std::string& bytes_;
    std::size_t at_ = 0;
};

NamedArray take_array(Source& source, const std::string& name) {
    NamedArray out;
    const Word type = source.take(), axes = source.take();
    if (type > 1) source.damaged("the array " + name + " has an unknown type of numbers");
    out.integral = type == 1;
    source.need(axes);
    Word count = 1;
    for (Word axis = 0; axis < axes; ++axis) {
        const Word length = source.take();
        if (length > 0 && count > source.left() / word / length) source.truncated();
        count *= length;
        out.shape.push_back(static_cast<Index>(length));
    }
    source.need(count);
    for (Word k = 0; k < count; ++k) {
        if (out.integral) {
            out.integers.push_back(static_cast<Index>(source.take()));
        } else {
            out.reals.push_back(source.take_real());
        }
    }
    return out;
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(path + " cannot be opened");
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) throw FileError(path + " cannot be read to its end");
    return bytes;
}

}  // namespace

void write_arrays(const std::string& path, const NamedArrays& arrays) {
    std::string body;
    for (const auto& [name, array] : arrays) put(body, name, array);
    std::string head = magic;
    put(head, array_file_format);
    put(head, static_cast<Word>(arrays.size()));
    put(head, checksum(body, 0));
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << head << body;
    file.close();
    if (!file) throw FileError(path + " cannot be written: no such folder, no permission or no room");
}

NamedArrays read_arrays(const std::string& path) {
    const std::string bytes = bytes_of(path);
    if (bytes.compare(0, magic.size(), magic) != 0) {
        throw FileError(path + " is no model of flexframe: it does not begin with '" +
                        magic.substr(0, magic.size() - 1) + "'");
    }
    Source source(path, bytes);
    source.skip(magic.size());
    const Word format = source.take();
    if (format == 0 || format > static_cast<Word>(array_file_format)) {
        throw FileError(path + " has the format " + std::to_string(format) + ", but this version reads up to " +
                        std::to_string(array_file_format) + "; install a later flexframe");
    }
    const Word count = source.take(), sum = source.take();
    NamedArrays arrays;
    for (Word k = 0; k < count; ++k) {
        const std::string name = source.take_name();
        if (!arrays.emplace(name, take_array(source, name)).second) source.damaged("it has two arrays " + name);
    }
    if (source.left() > 0) source.damaged("something follows its last array");
    if (checksum(bytes, magic.size() + header) != sum) {
        source.damaged("its numbers are not those that were written (checksum); copy or write it again");
    }
    return arrays;
}

}  // namespace flexframe
