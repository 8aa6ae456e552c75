#pragma once
/// What the Verilog of a module says about its ports and its instances. For the style of the
/// emitted files: ports in the head, one per line, groups under a comment line.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrame::emit {

struct Port {
    std::string name;
    bool is_output = false;
    int bits = 1;     ///< 0: not a number
    std::string msb;  ///< of "[msb:0]"; empty if there is no range
    std::string doc;  ///< comment behind the port
    /// Strings of the attributes X_INTERFACE_INFO and X_INTERFACE_PARAMETER before it; may be
    /// empty.
    std::string interface, interface_parameters;
};

/// Ports below a comment line of their own.
struct PortGroup {
    std::string title;  ///< the comment; may be empty
    std::vector<Port> ports;
};

std::vector<PortGroup> port_groups(std::string_view verilog);

struct Instance {
    std::string module;
    std::string name;
    std::vector<std::pair<std::string, std::string>> pins;  ///< port, expression
};

/// Instances in the order of the file: lines "    module u_name (" or "    module #(...) u_name (".
std::vector<Instance> instances(std::string_view verilog);

/// The identifier that an expression begins with: "a[3:0]" is a.
std::string base_name(std::string_view expression);

}  // namespace macrame::emit
