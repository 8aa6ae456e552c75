#pragma once
/// Random layers of PDP, alone and behind SDP.

#include <string>

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// One axis of the windows; the last one ends exactly at the padded edge.
struct PoolAxis {
    int kernel = 1, stride = 1, before = 0, after = 0, out = 1;
};

/// Windows over a cube, in strips or not.
struct Pooling {
    PoolAxis x, y;
    int strips = 1;
    int in[3] = {1, 1, 1}, out[3] = {1, 1, 1};  // columns of first, middle, last strip

    /// Results of a line that the line buffer can hold.
    int widest() const {
        const int rows = (y.kernel + y.stride - 1) / y.stride;
        return rows == 1 ? 128 : rows == 2 ? 64 : rows <= 4 ? 32 : 16;
    }
    /// Sizes and type of what becomes of a cube.
    Cube output(const Cube& from) const {
        Cube made{x.out, y.out, from.channels};
        made.type = from.type;
        return made;
    }
    std::string text() const {
        const auto axis = [](const PoolAxis& a) {
            return std::to_string(a.kernel) + "/" + std::to_string(a.stride) + " pad " +
                   std::to_string(a.before) + "," + std::to_string(a.after);
        };
        return " | PDP " + axis(x) + " by " + axis(y) +
               (strips > 1 ? " in " + std::to_string(strips) + " strips" : "");
    }
};

/// Chooses windows over a cube of this size; with `strips` its line may be cut. False if nothing
/// that the unit can do is found.
bool choose_pooling(ProgramBuilder& b, Pooling& p, int width, int height, bool strips);

/// Programs PDP for a cube, which comes from SDP if `flying`, and enables it.
void start_pooling(ProgramBuilder& b, const Pooling& p, const Cube& in, const Cube& out,
                   bool flying);

/// A layer with input from memory.
void make_pdp(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
