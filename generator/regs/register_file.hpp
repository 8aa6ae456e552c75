#pragma once
/// What a register file is made of, and the parts of its text. `to_verilog` puts them together for
/// plain register files; a family with other needs (register groups) puts together its own.
///
/// A register file has flops for the fields with a port. All fields are in flops too if software
/// reads them from there (`in_flops`); otherwise it reads a copy in a RAM, see `copy_ram`.

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/unit.hpp"
#include "regs/register_map.hpp"
#include "regs/verilog_text.hpp"

namespace macrame::regs {

/// One register as the register file sees it.
struct Row {
    const Register* reg;
    std::string name;                   ///< d_bank
    std::vector<const Field*> flops;    ///< fields kept in flops, low bits first
    std::vector<const Field*> outputs;  ///< those of them that are ports
    std::vector<const Field*> inputs;   ///< ports that hardware drives
    bool strobe = false;                ///< port _wr

    bool grouped() const { return reg->kind == Kind::pingpong; }
    int flop_bits() const;
    /// Place of a field among the flops.
    std::string slice_of(std::string_view flops_name, const Field& field) const;
    /// Value of the field's port, all of its bits, from that of its flops.
    static std::string port_value(const Field& field, std::string_view flops_value);
    bool has_ports() const { return strobe || !outputs.empty() || !inputs.empty(); }
    std::string port(const Field& field) const;
    std::string input_port(const Field& field) const;
};

using Rows = std::vector<const Row*>;

class RegisterFile {
public:
    /// `own` are the registers that the caller writes itself. Throws std::invalid_argument if `use`
    /// names something that does not exist.
    RegisterFile(const RegisterMap& map, const RegUse& use, bool in_flops,
                 const std::vector<std::string_view>& own = {});

    const RegisterMap& map() const { return map_; }
    const std::vector<Row>& rows() const { return rows_; }
    /// Rows with flops, of the registers that exist once or once per group.
    Rows stored(bool grouped) const;
    /// Words from offset 0 to the last register, and bits of a word offset.
    int words() const { return map_.registers.back().word() + 1; }
    int word_w() const { return word_w_; }

    /// Name of a register's word offset; `address_names` declares those that were asked for.
    std::string word(const Register& reg);
    std::string word(std::string_view name) { return word(*map_.find(name)); }
    void address_names(std::string& out) const;

private:
    [[noreturn]] void fail(std::string_view name, std::string_view why) const;
    Row& row_of(std::string_view name);
    const Field& field_of(const Row& row, std::string_view name) const;
    void read_use(const RegUse& use);

    const RegisterMap& map_;
    std::string unit_;
    std::vector<Row> rows_;
    std::set<const Register*> named_;
    int word_w_ = 0;
};

// -------------------------------------------------------------------------------------- ports

/// Ports of the fields and strobes.
void add_field_ports(Ports& ports, const RegisterFile& file);

// ------------------------------------------------------------------------------ field storage

/// What flops are written from: a condition, a word offset and 32 bits.
struct WritePort {
    std::string_view enable, word, data;
};

/// Flops of rows; `suffix` makes their names: d_bank<suffix>_q.
void field_flops(std::string& out, RegisterFile& file, const Rows& rows, std::string_view suffix,
                 const WritePort& from);

/// Output ports of a row from a vector of its flops.
void field_outputs(std::string& out, const Row& row, std::string_view flops_name);

/// Pulses that tell of new values.
void strobes(std::string& out, RegisterFile& file, const WritePort& from);

// ---------------------------------------------------------------------------------- read back

/// Bits that are read back as written.
std::uint32_t kept_mask(const Register& reg);

/// A 32-bit word made of some fields, most significant first.
std::vector<std::string> pieces_of(const std::vector<const Field*>& fields,
                                   const std::function<std::string(const Field&)>& text_of);

/// What a row reads as: its inputs, and its flops if they have a name.
std::vector<std::string> read_pieces(const Row& row, std::string_view flops_name = "");

/// The RAM in which software reads what it wrote.
struct CopyRam {
    int depth = 0;               ///< words
    std::string write;           ///< software writes `wdata` to `slot`
    std::string word;            ///< its word offset
    std::string slot;            ///< word and, with groups, the group
    std::string read_slot;       ///< what is read in this cycle
    std::string wdata;           ///< 32 bits
    bool declare_output = true;  ///< of `copy`, its output
};

/// After reset a sweep of `depth` cycles writes the reset values.
void copy_ram(std::string& out, RegisterFile& file, const CopyRam& ram);

}  // namespace macrame::regs
