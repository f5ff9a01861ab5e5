// A model written to a file and read again moves bit by bit as before; files of any other content are refused.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/generalised_alpha.hpp"
#include "flexframe/model_file.hpp"
#include "pendulums.hpp"

using flexframe::Equations;
using flexframe::FileError;
using flexframe::GeneralisedAlpha;
using flexframe::Index;
using flexframe::Intervals;
using flexframe::Kept;
using flexframe::Model;
using flexframe::NamedArray;
using flexframe::NamedArrays;
using flexframe::State;
using flexframe::System;
using flexframe::Vector;
using flexframe::tests::check;
using flexframe::tests::check_equal;
using flexframe::tests::double_pendulum;
using flexframe::tests::elastic_pendulum;
using flexframe::tests::finish;
using flexframe::tests::Record;
using flexframe::tests::start_of;

namespace {

using Handle = std::shared_ptr<const System>;

std::string place_of_file() {
    return (std::filesystem::temp_directory_path() / "flexframe_test_model_file.model").string();
}

std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << bytes;
}

/// What reading says; nothing where it succeeds.
std::string message_of(const std::string& path) {
    try {
        flexframe::read_model(path);
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

GeneralisedAlpha alpha(const Handle& system) {
    const double constants[4] = {1.0 / 3.0, 4.0 / 9.0, 0.30864197530864196, 0.6111111111111112};  // ρ = 0.8
    return GeneralisedAlpha(system, constants, 10.0);
}

/// Some steps of a method that is started, with a sample at their end.
std::vector<double> run(GeneralisedAlpha& method, const System& system, Index first, Index count) {
    const double start = 0.0, step = 1e-3, end = step * static_cast<double>(first + count);
    const Index kept = static_cast<Index>(Kept::sample);
    const Intervals plan{{&start, {1}}, {&step, {1}}, {&first, {1}}, {&count, {1}}, {&end, {1}}, {&kept, {1}}};
    const Record record(system, 1);
    method.run(plan, record.samples, 0, 1e3);
    return record.numbers(0);
}

void test_same_motion(const Handle& system, const std::string& name) {
    const std::string path = place_of_file();
    flexframe::write_model(path, {system, {}, 0.0, {}});
    const Model model = flexframe::read_model(path);
    check(!model.state, name + ": no state");
    GeneralisedAlpha one = alpha(system), other = alpha(model.system);
    check(one.start(start_of(*system), 0.0, 1e-3) && other.start(start_of(*model.system), 0.0, 1e-3), "starts");
    check(run(one, *system, 0, 30) == run(other, *model.system, 0, 30), name + ": the same bits");

    // a checkpoint: model, state and memory
    flexframe::write_model(path, {system, one.state(), 0.03, one.memory()});
    const Model left = flexframe::read_model(path);
    check(left.state.has_value() && left.time == 0.03, name + ": a state with its time");
    GeneralisedAlpha later = alpha(left.system);
    check(later.restore(*left.state, left.memory), name + ": restored");
    check(run(one, *system, 30, 30) == run(later, *left.system, 30, 30), name + ": goes on with the same bits");

    const std::string bytes = read_bytes(path);
    flexframe::write_model(path, left);
    check_equal(read_bytes(path), bytes, name + ": written again it is the same file");
}

void test_wrong_files() {
    const std::string path = place_of_file();
    check(contains(message_of(path + ".missing"), "cannot be opened"), "a missing file");
    flexframe::write_model(path, {elastic_pendulum(), {}, 0.0, {}});
    const std::string bytes = read_bytes(path);
    write_bytes(path, "*Node\n" + bytes);
    check(contains(message_of(path), "is no model of flexframe"), "another kind of file");
    std::string later = bytes;
    const int next = flexframe::array_file_format + 1;
    later[16] = static_cast<char>(next);
    write_bytes(path, later);
    check(contains(message_of(path), "has the format " + std::to_string(next)), "a later format");
    const std::size_t stride = bytes.size() / 60;  // beyond the header, which is tried closely
    for (std::size_t length = 0; length < bytes.size(); length += length < 100 ? 3 : stride) {
        write_bytes(path, bytes.substr(0, length));
        check(!message_of(path).empty(), "a file that ends after " + std::to_string(length) + " bytes");
    }
    write_bytes(path, bytes.substr(0, bytes.size() - 8));
    check(contains(message_of(path), "is truncated"), "a truncated file");
    for (std::size_t k = 0; k < bytes.size(); k += k < 100 ? 3 : stride) {
        std::string flipped = bytes;
        flipped[k] = static_cast<char>(flipped[k] ^ 0x10);
        write_bytes(path, flipped);
        check(!message_of(path).empty(), "a file with another byte " + std::to_string(k));
    }
    std::string other = bytes;
    other.back() = static_cast<char>(other.back() ^ 0x10);
    write_bytes(path, other);
    check(contains(message_of(path), "is damaged"), "a damaged file");
    write_bytes(path, bytes + "12345678");
    check(contains(message_of(path), "something follows"), "a file that goes on");
    try {
        flexframe::write_model(path + "/no/such/folder", {double_pendulum(), {}, 0.0, {}});
        check(false, "a file that cannot be written");
    } catch (const FileError& error) {
        check(contains(error.what(), "cannot be written"), "a file that cannot be written");
    }
}

/// Arrays of another content in a sound file: refused, or a system that can be evaluated.
void try_arrays(const NamedArrays& arrays, Index& refused) {
    const std::string path = place_of_file();
    flexframe::write_arrays(path, arrays);
    try {
        const Model model = flexframe::read_model(path);
        Equations equations(model.system);
        Vector x = Vector::Zero(model.system->size), multipliers = Vector::Zero(model.system->row_count());
        const State state = model.state ? *model.state : State(*model.system);
        equations.accelerations(state, 0.1, x.data(), multipliers.data());
    } catch (const FileError&) {
        ++refused;
    }
}

void test_hostile_arrays() {
    const std::string path = place_of_file();
    const Handle system = elastic_pendulum();
    flexframe::write_model(path, {system, start_of(*system), 0.0, {}});
    const NamedArrays sound = flexframe::read_arrays(path);
    const Index largest = std::numeric_limits<Index>::max();
    Index tried = 0, refused = 0, untouched = 0;
    try_arrays(sound, untouched);
    check_equal(untouched, 0, "the file as it was written is taken");
    for (const auto& [name, array] : sound) {
        NamedArrays without = sound;
        without.erase(name);
        try_arrays(without, refused);
        ++tried;
        NamedArrays shorter = sound;
        NamedArray& cut = shorter[name];
        if (cut.shape[0] > 0) {
            --cut.shape[0];
            (cut.integral ? cut.integers.pop_back() : cut.reals.pop_back());
            try_arrays(shorter, refused);
            ++tried;
        }
        for (std::size_t k = 0; k < array.integers.size(); k += 1 + array.integers.size() / 2) {
            for (Index value : {Index{-2}, Index{2}, Index{1000}, largest}) {
                NamedArrays other = sound;
                other[name].integers[k] = value;
                try_arrays(other, refused);
                ++tried;
            }
        }
    }
    check(refused > tried / 2, "most of them are refused");
    check(contains(message_of(path), "holds no model"), "in words");
}

}  // namespace

int main() {
    test_same_motion(double_pendulum(), "rigid");
    test_same_motion(elastic_pendulum(), "elastic");
    test_wrong_files();
    test_hostile_arrays();
    std::filesystem::remove(place_of_file());
    return finish();
}
