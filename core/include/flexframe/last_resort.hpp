// The end of a process that does not hear a signal, since it is inside one long call of a library.
#pragma once

#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace flexframe {

/// A file that is removed when a `LastResort` ends the process, such as a lock.
void remove_at_last(const std::string& path);

/// No longer one of these files.
void leave_at_last(const std::string& path);

/// A thread that reads the numbers of signals as they come. Where nobody says in time that a signal was heard, it
/// says the last words for it and ends the process. It needs nothing that the main thread may hold.
class LastResort {
public:
    /// `pipe` is a file that gives one byte for each signal, and ends when its writer is closed.
    explicit LastResort(const std::string& pipe);
    ~LastResort();
    LastResort(const LastResort&) = delete;
    LastResort& operator=(const LastResort&) = delete;

    /// What is said after this signal and how the process ends, if it is not heard within seconds of patience.
    void answer(int signal, const std::string& words, int exit_code, double patience);

    /// Whether the main thread knows of the last signal.
    void set_heard(bool heard);

    /// Wait until the writer of the pipe is closed.
    void join();

private:
    struct Answer {
        std::string words;
        int exit_code = 1;
        double patience = 0;
    };

    void watch();

    // No stream of C: a library that flushes all of those would wait for one that is being read.
    std::filebuf pipe_;
    std::map<int, Answer> answers_;
    bool heard_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
};

}  // namespace flexframe
