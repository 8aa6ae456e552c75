#pragma once
/// Parts of the module.

#include <vector>

#include "stable.hpp"

std::vector<PyMethodDef> device_methods();
