/// Transposed convolutions. Each phase of the output - lines and columns with the same remainder of
/// the stride - is a convolution. Which method takes the fewest cycles is tried.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

class Transposed {
public:
    Transposed(Lowering& lowering, int index)
        : to_(lowering),
          index_(index),
          n_(lowering.node(index)),
          in_(repeated_input(lowering, index)),
          out_(shape_of(lowering.tensor(n_.outputs[0]))),
          conv_(lowering.context, index, in_.cube),
          w_(conv_.window()) {}

    std::vector<PhaseMethod> methods() const {
        if (!conv_.can_contract()) return {PhaseMethod::scattered};
        return {PhaseMethod::scattered, PhaseMethod::contracted, PhaseMethod::at_once};
    }

    void lower(PhaseMethod method) const {
        if (method == PhaseMethod::at_once) return at_once();
        std::optional<Cube> phases_cube;
        Axis rows, columns;
        if (method == PhaseMethod::contracted) {
            rows.count = div_up(out_.height, w_.stride_h);
            columns.count = div_up(out_.width, w_.stride_w);
            phases_cube = new_phases(rows.count, columns.count);
            add_output(rows, columns);
        } else {
            to_.add_output(index_, out_.width, out_.height, out_.channels);
        }
        std::vector<int> writers;
        for (const Part& part : conv_.phases()) {
            const Axis &y = part.rows, &x = part.columns;
            if (phases_cube) {
                const int number = y.first * w_.stride_w + x.first;
                const Cube phase = to_.block(*phases_cube, number * conv_.atoms(), out_.channels);
                gather(writers, add(part, to_.part_of(phase, 0, 0, y.count, x.count)));
            } else {
                gather(writers, scatter(part));
            }
        }
        if (phases_cube) writers = contract(*phases_cube, rows, columns, writers);
        location().writers = std::move(writers);
    }

private:
    using Axis = TransposedConv::Axis;
    using Part = TransposedConv::Part;

    static Location repeated_input(Lowering& lowering, int index) {
        Location in = lowering.location_of(lowering.node(index).inputs[0]);
        in.cube = add_repeated(lowering, index, in.cube,
                               TransposedConv::terms(lowering.context, index), in.writers);
        return in;
    }

    const std::string& name() const { return to_.tensor(n_.outputs[0]).name; }
    Location& location() const { return to_.output_of(to_.result_of(index_)); }

    std::vector<int> add(const Part& part, const Cube& output) const {
        return add_requantised_conv(to_, index_,
                                    {part.layer, in_.cube, part.weights, in_.writers, part.macs},
                                    part.target, output);
    }

    std::vector<int> scatter(const Part& part) const {
        const Cube whole = location().cube;
        if (conv_.count() == 1) return add(part, whole);
        const Cube output = to_.build.new_cube(name() + " phase", part.columns.count,
                                               part.rows.count, out_.channels);
        return to_.build.add_scatter(output, whole, part.rows.first, part.columns.first,
                                     w_.stride_h, w_.stride_w, add(part, output));
    }

    Cube new_phases(int height, int width) const {
        return to_.build.new_rubik_cube(name() + " phases", width, height,
                                        conv_.atoms() * conv_.count());
    }

    /// Size of what RUBIK writes.
    Cube contracted(const Axis& y, const Axis& x) const {
        Cube cube;
        cube.height = y.count * w_.stride_h;
        cube.width = x.count * w_.stride_w;
        cube.channels = out_.channels;
        return cube;
    }

    void add_output(const Axis& y, const Axis& x) const {
        const Cube all = contracted(y, x);
        add_contracted(to_, index_, all, -y.first, -x.first, out_.height, out_.width);
    }

    std::vector<int> contract(const Cube& phases, const Axis& y, const Axis& x,
                              const std::vector<int>& after) const {
        const Cube all = contracted(y, x);
        Cube output = location().cube;
        output.place.offset -=
            at(-y.first) * output.line_stride + at(-x.first) * at(to_.context.sizes.atom_bytes);
        output.height = all.height;
        output.width = all.width;
        return {to_.build.add_contract(phases, output, w_.stride_h, w_.stride_w, after)};
    }

    void at_once() const {
        const Part part = conv_.at_once();
        add_output(part.rows, part.columns);
        const Cube output = new_phases(part.rows.count, part.columns.count);
        const std::vector<int> writers = add(part, output);
        for (const int writer : writers)
            to_.build.layers[at(writer)].choice = fmt::format("{} phases at once", conv_.count());
        location().writers = contract(output, part.rows, part.columns, writers);
    }

    Lowering& to_;
    const int index_;
    const graph::Node& n_;
    const Location in_;
    const Shape out_;
    const TransposedConv conv_;
    const graph::Window& w_;
};

void lower_transpose_conv(Lowering& lowering, int index) {
    const Transposed transposed(lowering, index);
    choose_method(lowering, transposed.methods(),
                  [&](PhaseMethod method) { transposed.lower(method); });
}

}  // namespace macrame::dla::compiler
