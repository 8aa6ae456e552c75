#pragma once
/// Signals and child processes.

#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "emit/file_io.hpp"

namespace macrame {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT wait: what was begun is finished or undone,
/// and the locks are given back. At its end a signal that came does what it always does: the
/// program ends, and a shell sees the status 128 + signal.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

private:
    sigset_t before_;
};

/// The signal that waits for the end of an Interrupts; 0 if there is none.
int waiting_interrupt();

/// How a program ended.
struct Ended {
    int status = 0;     ///< exit status, or 128 + signal
    std::string error;  ///< why it could not be started; else empty
};

/// Runs a program and waits; its output goes to the file `log`. It and its children are a process
/// group: a waiting interrupt ends them all. `inherited`: a file they keep open.
Ended run_logged(const std::vector<std::string>& command, const std::filesystem::path& log,
                 const emit::Descriptor& inherited);

/// Runs the open program `program` and waits; it writes where this one does. It is a process group
/// as above.
Ended run_open(const emit::Descriptor& program, const std::vector<std::string>& command);

/// Goes on as the open program `program` in place of this one. Returns only if that fails: why.
std::string become(const emit::Descriptor& program, const std::vector<std::string>& command);

}  // namespace macrame
