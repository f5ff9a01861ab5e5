#include "flexframe/last_resort.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>

namespace flexframe {

namespace {

struct Files {
    std::mutex mutex;
    std::set<std::string> paths;
};

Files& files() {
    static Files all;
    return all;
}

/// Remove the files, say the words, and end without anything that could wait for another thread.
[[noreturn]] void leave(const std::string& words, int exit_code) {
    {
        const std::lock_guard<std::mutex> held(files().mutex);
        for (const std::string& path : files().paths) std::remove(path.c_str());
    }
    std::fprintf(stderr, "%s\n", words.c_str());
    std::fflush(stderr);
    std::_Exit(exit_code);
}

}  // namespace

void remove_at_last(const std::string& path) {
    const std::lock_guard<std::mutex> held(files().mutex);
    files().paths.insert(path);
}

void leave_at_last(const std::string& path) {
    const std::lock_guard<std::mutex> held(files().mutex);
    files().paths.erase(path);
}

LastResort::LastResort(const std::string& pipe) {
    if (!pipe_.open(pipe, std::ios::in | std::ios::binary)) {
        throw std::runtime_error("the pipe of signals cannot be opened");
    }
    thread_ = std::thread(&LastResort::watch, this);
}

LastResort::~LastResort() {
    join();
}

void LastResort::answer(int signal, const std::string& words, int exit_code, double patience) {
    const std::lock_guard<std::mutex> held(mutex_);
    answers_[signal] = Answer{words, exit_code, patience};
}

void LastResort::set_heard(bool heard) {
    {
        const std::lock_guard<std::mutex> held(mutex_);
        heard_ = heard;
    }
    changed_.notify_all();
}

void LastResort::join() {
    if (thread_.joinable()) thread_.join();
}

void LastResort::watch() {
    constexpr int end = std::filebuf::traits_type::eof();
    for (int signal = pipe_.sbumpc(); signal != end; signal = pipe_.sbumpc()) {
        std::unique_lock<std::mutex> held(mutex_);
        const auto known = answers_.find(signal);
        if (known == answers_.end()) continue;
        const Answer answer = known->second;
        const std::chrono::duration<double> patience(answer.patience);
        if (!changed_.wait_for(held, patience, [this] { return heard_; })) leave(answer.words, answer.exit_code);
    }
}

}  // namespace flexframe
