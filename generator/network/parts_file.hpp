#pragma once
/// NAME.parts.json: in which order programs and operators of the host make the outputs of a
/// network.

#include <cstddef>
#include <string>
#include <vector>

#include "families/target.hpp"
#include "network/network.hpp"

namespace macrame::network {

/// Name of the files of a program, by its number among them: that of the network, with a number
/// from 1 on where there are several.
std::string program_name(const Network& network, std::size_t program);

/// The file; `ending` of those that programs are in, or `shared`, the one that all are in. Empty:
/// the host does nothing.
std::string parts_text(const Network& network, const std::string& ending,
                       const std::string& shared = {});

/// Programs of all networks, by their names.
std::vector<SharedProgram> shared_programs(const std::vector<Network>& networks);

}  // namespace macrame::network
