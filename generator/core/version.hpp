#pragma once

namespace macrame {

/// Version of the generator: part of every emitted file header and of the manifest.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace macrame
