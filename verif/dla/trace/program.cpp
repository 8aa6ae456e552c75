#include "program.hpp"

#include "verif/dla/model/register_pages.hpp"

namespace macrame::dla::trace {

Trace in_map(Trace program, std::string_view from, std::string_view to) {
    if (from == to) return program;
    for (Command& command : program.commands) {
        const bool on_registers = command.op == Op::write || command.op == Op::read ||
                                  command.op == Op::read_check || command.op == Op::poll;
        if (on_registers) command.addr = model::register_address(command.addr, from, to);
    }
    program.glb_base = model::register_address(program.glb_base, from, to);
    program.flush_status = model::register_address(program.flush_status, from, to);
    return program;
}

}  // namespace macrame::dla::trace
