#include "core/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace macrame {

namespace {

using emit::Descriptor;
using emit::error_text;

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int kPollsOfGrace = 20;  ///< for a child to end after SIGTERM, then it is killed
constexpr timespec kPoll = {0, 100'000'000};

/// Those that would end the program: a program started with nohup goes on after SIGHUP.
sigset_t deadly_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kInterrupts) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
            sigaddset(&set, signal);
        }
    }
    return set;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words)
        result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// Starts the program `path` as leader of a new process group, with no signal blocked. `log`: where
/// its output goes; null: as that of this program.
int start(const std::string& path, const std::vector<std::string>& command, const Descriptor* log,
          const Descriptor& inherited, pid_t& child) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (log != nullptr) {
        posix_spawn_file_actions_adddup2(&files, log->number(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, log->number(), STDERR_FILENO);
    }
    // A descriptor given to itself stays open in the program.
    posix_spawn_file_actions_adddup2(&files, inherited.number(), inherited.number());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    const int error = posix_spawnp(&child, path.c_str(), &files, &attributes,
                                   pointers(command).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/// Waits for the leader of a process group. An interrupt goes to the whole group.
int wait_for(pid_t child) {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    int polls = 0;
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended < 0) return 127;
        if (ended == 0 && waiting_interrupt() != 0) {
            if (polls == 0) kill(-child, SIGTERM);
            if (polls++ == kPollsOfGrace) kill(-child, SIGKILL);
        }
        if (ended == 0) sigtimedwait(&child_ended, nullptr, &kPoll);
    }
    if (waiting_interrupt() != 0) kill(-child, SIGKILL);  // those that outlived their leader
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Interrupts::Interrupts() : before_() {
    // The end of a child is waited for, too; as a signal it does nothing.
    sigset_t set = deadly_signals();
    sigaddset(&set, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &before_);
}

Interrupts::~Interrupts() {
    const int came = waiting_interrupt();
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    if (came != 0) std::_Exit(128 + came);  // the first process of a container gets no signals
}

int waiting_interrupt() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    for (const int signal : kInterrupts) {
        if (sigismember(&pending, signal) == 1) return signal;
    }
    return 0;
}

Ended run_logged(const std::vector<std::string>& command, const std::filesystem::path& log,
                 const Descriptor& inherited) {
    const Descriptor out(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!out.is_open()) return {127, error_text(errno)};
    pid_t child = 0;
    if (const int error = start(command[0], command, &out, inherited, child); error != 0) {
        return {127, error_text(error)};
    }
    return {wait_for(child), ""};
}

Ended run_open(const Descriptor& program, const std::vector<std::string>& command) {
    std::fflush(nullptr);
    const std::string path = "/proc/self/fd/" + std::to_string(program.number());
    pid_t child = 0;
    if (const int error = start(path, command, nullptr, program, child); error != 0)
        return {127, error_text(error)};
    return {wait_for(child), ""};
}

std::string become(const Descriptor& program, const std::vector<std::string>& command) {
    std::fflush(nullptr);
    fexecve(program.number(), pointers(command).data(), environ);
    return error_text(errno);
}

}  // namespace macrame
