#pragma once
/// One line on a terminal that says how far a run is. Nothing of it where there is no terminal.

#include <chrono>
#include <cstdint>
#include <string>

#include "verif/common/run/result.hpp"

namespace macrame::verif::run {

/// What the line says.
struct ProgressState {
    std::string what = "programs";
    std::size_t programs = 0;  ///< of the whole run
    Summary done;
    std::uint64_t cycles = 0;  ///< of all programs so far, those that run now included
    double seconds = 0.0;      ///< since the start
};

/// "12 of 45 programs, 31 layers, 412 kcycles/s, 1:20 left"
std::string progress_text(const ProgressState& state);

/// Rewrites its line; not safe for several threads at once.
class Progress {
public:
    /// `on`: there is a terminal behind stderr.
    explicit Progress(bool on) : on_(on) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool on() const { return on_; }
    void show(const ProgressState& state);
    /// Before something else is printed.
    void clear();

private:
    bool on_;
    bool shown_ = false;
};

}  // namespace macrame::verif::run
