#pragma once
/// Tables of C that tell runtime/systolic/ where what lies in images of memory.

#include <string>
#include <vector>

#include "compiler/compiled.hpp"

namespace macrame::compiler::host_c {

/// NAME_programs, and what it names. `upper`: the name in macros.
std::string image_tables(const std::vector<ImageProgram>& images, const std::string& name,
                         const std::string& upper);

}  // namespace macrame::compiler::host_c
