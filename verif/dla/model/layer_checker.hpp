#pragma once
/// Layer checker: does the register state of a layer obey the programming rules of a configuration?
///
///     LayerFollower follower(sizes);
///     for (const auto& [address, value] : register_writes) print(follower.write(address, value));
///     print(follower.finish());  // units that were enabled and wait for others for ever
///     print(follower.read(address));  // only tells of the original hardware
///
/// `sizes` are the Architecture of the configuration; each Finding has a text(). check_layer() is
/// the pure form for one layer whose registers are at hand. The rules are the rows of
/// layer_rules(), each with the register to look at and the part of the NVDLA documents that it
/// comes from ("NVDLA memory formats").

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dla_regs.hpp"
#include "register_words.hpp"
#include "sizes.hpp"
#include "weight_book.hpp"

namespace macrame::dla::model {

enum class Level {
    error,    ///< hardware hangs, reads or writes wrong places, or computes something else
    warning,  ///< documented, but programs that work break it
    info      ///< legal, but the original hardware may fail it
};

/// The rule of registers with upper words of addresses.
inline constexpr const char* kAddressWidth = "address-width";

/// One broken rule.
struct Finding {
    Level level = Level::error;
    std::string rule;
    std::string unit, reg;
    std::uint32_t value = 0;  ///< found in the register
    std::string want;
    std::string source;  ///< document and section

    /// "rule: unit.register = value: want ...  (document section)"
    std::string text() const;
};

/// Kept in the convolution buffer by the convolution before.
struct KeptInBuffer {
    int data_banks = 0, weight_banks = 0;  ///< 0: no layer before
    int slices = 0;                        ///< not released, of all batches
    int entries_per_slice = 0;             ///< of those
    bool pixels = false;
    bool skip_data_release = false, skip_weight_release = false;
    std::uint32_t weight_bytes = 0;
    WeightBook weights{};  ///< of all layers before, as the original hardware counts
    bool winograd = false;
    std::uint32_t mask_bytes = 0;  ///< of compressed weights
};

/// Registers of the units that work on one layer, as at their D_OP_ENABLE.
class LayerRegisters : public RegisterWords {
public:
    /// Adds a unit ("CSC") with all its registers at their reset values.
    void add(std::string_view unit);
    /// Adds the units of others with their registers.
    void add(const LayerRegisters& other);
    bool has(std::string_view unit) const;
    /// `units`: bits by the number of the unit in the table of registers.
    bool has_any(std::uint32_t units) const { return (units_ & units) != 0; }

    KeptInBuffer before;  ///< for the rules of reuse
    Architecture sizes;   ///< of the configuration; fields of what it has not do not act

private:
    std::uint32_t units_ = 0;  ///< a bit for each, by its number in the table of registers
};

/// One rule: what the register must be, if it is not; nothing if it is.
struct LayerRule {
    std::string name;
    std::uint32_t address = 0;  ///< of the register, in bytes; for layers with its unit
    std::string source;
    std::function<std::optional<std::string>(const Architecture&, const LayerRegisters&)> broken;
    Level level = Level::error;
    bool stops = false;  ///< the golden model does not run what breaks it
};

/// All rules: no two have both name and register in common, and for each the tests have a layer
/// that breaks just it.
const std::vector<LayerRule>& layer_rules();

/// Every broken rule of a layer, in the order of layer_rules().
std::vector<Finding> check_layer(const Architecture& sizes, const LayerRegisters& layer);

/// What keeps the golden model from running a layer: the hardware does something else than it
/// computes. The rules do not look at the layer before.
std::vector<Finding> stops_model(const Architecture& sizes, const LayerRegisters& layer);

/// What a convolution leaves for the next one.
KeptInBuffer kept_after(const Architecture& sizes, const LayerRegisters& layer);

/// Follows a register program with its S_POINTER groups and checks each layer when the last of its
/// units is enabled: it begins then, whatever their order is. A unit takes its groups in turn, 0
/// first, as in the hardware; a layer ends when the program has waited for something.
class LayerFollower {
public:
    /// `tells_waits`: wait() is called; else each layer is done when the next write comes.
    explicit LayerFollower(const Architecture& sizes, bool tells_waits = false);
    /// `posted`: the program does not wait until the write is done.
    std::vector<Finding> write(std::uint32_t byte_addr, std::uint32_t value, bool posted = true);
    std::vector<Finding> read(std::uint32_t byte_addr);
    /// Units that were enabled and never got their partners.
    std::vector<Finding> finish() const;
    int layers() const { return layers_; }
    /// The group that a unit takes next.
    std::uint32_t next_group(std::string_view name) const { return unit(name).consumer; }

    // ---- waits (layer_waits.cpp)

    /// The program waits, or lets time pass: layers that have begun may be done behind it.
    void wait();
    /// It waits for the interrupt of this bit of S_INTR_STATUS to come once more than `before`
    /// times. What keeps it from coming, if nothing that the program has done makes it come.
    /// `pin`: the bit has to reach the pin, too.
    std::vector<Finding> wait_for(int bit, int before, bool pin) const;
    /// It waits for the pin, whatever raises it.
    std::vector<Finding> wait_for_pin() const;
    /// Why this bit does not come, "SDP waits: CDMA was never enabled"; empty if all is enabled
    /// that it needs.
    std::string why(int bit) const;
    /// The same of all units that are enabled and wait; empty if there are none.
    std::string why() const;

private:
    /// Registers at D_OP_ENABLE.
    struct Enabled {
        RegisterWords words;
        std::uint32_t group = 0;
        int number = 0;  ///< of all enables of the program
    };
    struct Unit {
        std::string name;
        std::uint32_t base = 0;
        std::uint32_t enable = 0;  ///< address of D_OP_ENABLE; 0: has none
        std::uint32_t producer = 0, consumer = 0;
        RegisterWords single;
        std::array<RegisterWords, 2> group;
        std::array<std::optional<Enabled>, 2> enabled;  ///< wait for their layer
        std::array<bool, 2> runs{};  ///< the layer has begun, and the program has not waited
        std::array<bool, 2> told{};  ///< of a write that is lost
        std::array<int, 2> begun{};  ///< layers so far
    };
    Unit* unit_of(std::uint32_t byte_addr);
    std::size_t index(std::string_view name) const;
    Unit& unit(std::string_view name) { return units_[index(name)]; }
    const Unit& unit(std::string_view name) const { return units_[index(name)]; }
    static const Enabled& next(const Unit& unit) { return *unit.enabled[unit.consumer]; }
    static bool waits(const Unit& unit) { return unit.enabled[unit.consumer].has_value(); }
    bool waits(std::string_view name) const { return waits(unit(name)); }
    std::vector<std::string> units_with_sdp(const LayerRegisters& sdp) const;
    LayerRegisters front(const std::vector<std::string>& names) const;
    bool lost(Unit& unit, const dla_regs::RegisterInfo& reg, std::uint32_t value,
              std::vector<Finding>& out) const;
    void enable(Unit& unit);
    void begin(Unit& unit);
    bool take(std::vector<Finding>& out);
    void check_order(const std::vector<std::string>& names, std::vector<Finding>& out) const;
    void follow_saturation(const LayerRegisters& layer);
    void check(const std::vector<std::string>& names, std::vector<Finding>& out);
    void push_copy(std::vector<Finding>& out);
    void launch_copies(std::uint32_t byte_addr, std::vector<Finding>& out);

    void write_glb(std::uint32_t byte_addr, std::uint32_t value);
    void raise(int bit, std::uint32_t group);
    void raise_end(const Unit& unit);
    bool is_built(std::string_view name) const;
    std::vector<std::string> partners(const Unit& unit) const;
    std::string missing(std::string_view name) const;
    std::string other_mode(const Unit& unit, std::string_view partner) const;
    std::vector<std::string> waits_for(const Unit& unit) const;

    Architecture sizes_;
    bool tells_waits_;
    std::vector<Unit> units_;
    std::map<std::uint32_t, const dla_regs::RegisterInfo*> registers_;  ///< of those, by address
    KeptInBuffer kept_;
    int layers_ = 0, enables_ = 0;
    int copies_ = 0;               ///< that BDMA has and were not launched
    std::uint32_t copies_to_ = 0;  ///< their memory port

    std::uint32_t intr_mask_ = 0;
    std::array<int, 32> raised_{};   ///< how often something raises a bit of S_INTR_STATUS
    std::array<int, 32> reaches_{};  ///< how many of them get to the pin

    // What the original hardware may answer to the next read.
    std::uint32_t table_address_ = 0;         ///< a table address was written just now; 0: none
    bool counted_saturation_ = false;         ///< by any SDP layer so far
    std::array<bool, 2> stale_saturation_{};  ///< the last SDP layer of the group did not count
};

}  // namespace macrame::dla::model
