#pragma once
/// toml++ without its assertions: version 3.3 breaks some of them on malformed files (`[|a]`), where
/// it goes on to report the mistake. Debug builds would abort, release builds assume them to hold.

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
