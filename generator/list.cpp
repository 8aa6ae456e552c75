#include "list.hpp"

#include <fmt/format.h>

#include "cli.hpp"
#include "compiler/front/front.hpp"
#include "fpga/board.hpp"
#include "resolve.hpp"

namespace macrame {

namespace {

constexpr int kListColumns = 32;

void list_row(std::string_view name, std::string_view text) {
    fmt::print("{:<{}}  {}\n", name, kListColumns, text);
}

void list_presets(const Family& family, const emit::Assets& assets) {
    for (const std::string& name : preset_names(family, assets)) {
        Request request;
        request.family = std::string(family.name);
        request.preset = name;
        Diags diags;
        const Settings settings = resolve(request, assets, diags);
        list_row(name, check(settings).empty() ? family.size_text(settings.config()) : "refused");
    }
    for (const PlannedPreset& preset : family.planned)
        list_row(preset.name, fmt::format("not built yet: {}", preset.lacks));
}

void list_subject(const std::string& subject, const Family& family, const emit::Assets& assets) {
    if (subject == "families") {
        list_row(family.name, family.doc);
    } else if (subject == "presets") {
        list_presets(family, assets);
    } else if (subject == "params") {
        for (const Param& param : family.params)
            list_row(flag_name(param.key), allowed_text(param));
    } else {
        for (const Unit* unit : family.units)
            list_row(unit->name, unit->doc);
    }
}

}  // namespace

int run_list(const Request& request, const emit::Assets& assets) {
    Diags diags;
    const Family& chosen = choose_family(request, assets, diags);
    if (report(diags)) return kUserError;
    const bool boards = request.subject == "boards";
    if (!request.board_folder.empty() && !boards)
        diags.push_back({"--board-dir: want it of the boards"});
    if (request.family && (boards || request.subject == "operators"))
        diags.push_back({fmt::format("--family: the {} are those of all families: want it left out",
                                     request.subject)});
    if (report(diags)) return kUserError;
    if (request.subject == "operators") {
        for (const front::KnownOperator& known : front::known_operators())
            list_row(known.name, known.format);
        return kPassed;
    }
    if (boards) {
        for (const fpga::Board& board : fpga::boards(assets, diags, request.board_folder))
            list_row(board.name, board.doc);
        return report(diags) ? kUserError : kPassed;
    }
    for (const Family* family : assets.families()) {
        if (request.family && family != &chosen) continue;
        const bool heading = assets.families().size() > 1 && request.subject != "families";
        if (heading) fmt::print("{}: {}\n", family->name, family->doc);
        list_subject(request.subject, *family, assets);
    }
    return kPassed;
}

}  // namespace macrame
