#pragma once
/// Configurations for programs: what the command line does with its options, without printing.

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What libmacrame gives to those that it is linked to; all else in it is hidden.
#define MACRAME_API __attribute__((visibility("default")))

namespace macrame {
struct Design;
}

namespace macrame::api {

/// Bad input: the messages of the program, a line each.
class MACRAME_API Error : public std::runtime_error {
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
MACRAME_API std::vector<std::string> families();
/// Names of the presets of a family, sorted; an Error if there is no such family.
MACRAME_API std::vector<std::string> presets(const std::string& family);

/// A configuration that has passed all checks.
class MACRAME_API Configuration {
public:
    /// An Error names every value that is wrong.
    explicit Configuration(const Choice& choice);

    /// Preset or file that the values started from.
    std::string name() const;
    std::string family() const;
    /// All parameters as texts, in the order of the documents.
    std::vector<std::pair<std::string, std::string>> values() const;
    /// What `macrame generate` writes, by path.
    std::map<std::string, std::string> files() const;
    /// Brings a folder to that state.
    void generate(const std::string& folder) const;

    /// For the program itself: other programs have no core/design.hpp.
    const Design& design() const { return *design_; }

private:
    std::shared_ptr<const Design> design_;
};

}  // namespace macrame::api
