#pragma once
/// Result files for other programs: CSV, JSON, JUnit XML. A row is in the file when its program has
/// ended, and the file is complete and readable after each row, so that a run that is ended from
/// outside leaves what it has done.

#include <string>
#include <vector>

#include "verif/common/run/options.hpp"
#include "verif/common/run/result.hpp"

namespace macrame::verif::run {

/// A kind of file: what stands before, for and behind the rows.
struct ReportFormat {
    /// Always of the same length, so that it can be replaced.
    std::string (*head)(const std::string& title, const Summary& sum);
    std::string (*row)(const std::string& title, const Row& row, bool first);
    std::string (*tail)(const Summary& sum);
};
extern const ReportFormat kCsv;
extern const ReportFormat kJson;
extern const ReportFormat kJunit;

class Report {
public:
    /// Creates the file, without rows. `title`: the configuration.
    Report(std::string path, const ReportFormat& format, std::string title);
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    void add(const Row& row);
    const std::string& path() const { return path_; }
    /// False from the first write that failed.
    bool good() const { return good_; }

private:
    void write(const std::string& text, std::size_t at);

    std::string path_;
    const ReportFormat& format_;
    std::string title_;
    Summary sum_;
    int file_ = -1;
    bool good_ = true;
    std::size_t end_of_rows_ = 0;
};

/// Everything that cannot be written of what the options name: "--csv = /x/y: want a file that can
/// be written". Creates nothing that stays.
std::vector<std::string> check_outputs(const OptionRows& rows);

}  // namespace macrame::verif::run
