#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.hpp"
#include "families/family.hpp"

namespace macrame::emit {

/// Files that all families share: library cells, testbench, tables of its options.
const AssetList& shared_assets();

/// The source files of the program and its families, or - templates only - of a folder given by
/// the user.
class Assets {
public:
    /// `templates_folder` replaces templates/; empty: everything comes from the program.
    explicit Assets(std::string templates_folder = "", const Families& families = all_families());

    /// Contents, empty if there is no such file.
    std::optional<std::string> read(std::string_view path) const;
    /// Paths that start with `prefix`, sorted.
    std::vector<std::string> list(std::string_view prefix) const;
    /// How messages call the file: with the folder of the user, if it comes from there.
    std::string display_name(std::string_view path) const;
    /// What the folder of the user lacks to be one of templates; empty if it is one or there is
    /// none.
    std::string problem() const;

    const Families& families() const { return families_; }

private:
    bool from_folder(std::string_view path) const;

    std::string templates_folder_;
    const Families& families_;
    std::vector<const Asset*> files_;  ///< sorted by path
};

}  // namespace macrame::emit
