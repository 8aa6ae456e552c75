#pragma once
/// Configurations for programs: what the command line does with its options, without printing.

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/design.hpp"

namespace macrame::api {

/// Bad input: the messages of the program, a line each.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where the values of a configuration come from, as options of the command line.
struct Choice {
    std::string family, preset;                               ///< empty: the program's
    std::string file;                                         ///< TOML or JSON; empty: none
    std::vector<std::pair<std::string, std::string>> values;  ///< parameter, text
};

/// Names of the families, the first is that of the default.
std::vector<std::string> families();
/// Names of the presets of a family, sorted; an Error if there is no such family.
std::vector<std::string> presets(const std::string& family);

/// A configuration that has passed all checks.
class Configuration {
public:
    /// An Error names every value that is wrong.
    explicit Configuration(const Choice& choice);

    const Design& design() const { return design_; }
    /// All parameters as texts, in the order of the documents.
    std::vector<std::pair<std::string, std::string>> values() const;
    /// What `macrame generate` writes, by path.
    std::map<std::string, std::string> files() const;
    /// Brings a folder to that state.
    void generate(const std::string& folder) const;

private:
    Design design_;
};

}  // namespace macrame::api
