#pragma once
/// Names, addresses and access rules of the registers, as the trace readers, the player and the
/// golden model need them. Filled from the generated register header.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrame::dla::trace {

/// One 32-bit register.
struct RegisterInfo {
    std::string unit;              ///< "CDMA"
    std::string name;              ///< "D_BANK"
    std::uint32_t addr = 0;        ///< byte address
    std::uint32_t reset = 0;       ///< value after reset
    std::uint32_t write_mask = 0;  ///< bits that software writes and reads back
    bool grouped = false;          ///< two copies, chosen by S_POINTER
};

class RegisterTable {
public:
    RegisterTable() = default;
    explicit RegisterTable(std::vector<RegisterInfo> registers) : registers_(std::move(registers)) {
        for (std::size_t i = 0; i < registers_.size(); ++i) {
            const RegisterInfo& r = registers_[i];
            by_name_[r.unit + "." + r.name] = i;
            by_addr_[r.addr] = i;
        }
    }

    const std::vector<RegisterInfo>& all() const { return registers_; }
    bool empty() const { return registers_.empty(); }

    /// Finds "CDMA.D_BANK" or, as traces write it, "NVDLA_CDMA.D_BANK_0"; null if unknown.
    /// RUBIK is also known as RBK.
    const RegisterInfo* find(std::string_view name) const {
        std::string key(name);
        if (key.rfind("NVDLA_", 0) == 0) key.erase(0, 6);
        if (key.rfind("RBK.", 0) == 0) key.replace(0, 4, "RUBIK.");
        if (const RegisterInfo* exact = at_name(key)) {
            // D_DAIN_ADDR_LOW_0 names itself; a trace writes D_DAIN_ADDR_LOW_0_0.
            return exact;
        }
        if (key.size() > 2 && key.compare(key.size() - 2, 2, "_0") == 0) {
            key.erase(key.size() - 2);
            return at_name(key);
        }
        return nullptr;
    }
    /// Register at a byte address; null if there is none.
    const RegisterInfo* at(std::uint32_t addr) const {
        const auto it = by_addr_.find(addr);
        return it == by_addr_.end() ? nullptr : &registers_[it->second];
    }
    /// Byte address of the page of GLB, 0x1000 in a table without it.
    std::uint32_t glb_base() const {
        const RegisterInfo* status = find("GLB.S_INTR_STATUS");
        return status == nullptr ? 0x1000 : status->addr - 0xC;
    }
    /// Page of the error collator, which no design has: all of its registers read 0.
    std::uint32_t gec_base() const { return glb_base() == 0 ? 0x1000 : 0xE000; }

    /// "CDMA.D_BANK", or the address in hex if no register is there.
    std::string name_of(std::uint32_t addr) const {
        if (const RegisterInfo* r = at(addr)) return r->unit + "." + r->name;
        static const char* const digits = "0123456789abcdef";
        std::string out = "0x";
        for (int shift = 28; shift >= 0; shift -= 4) {
            const std::uint32_t digit = addr >> shift & 15u;
            if (digit != 0 || out.size() > 2 || shift == 0) out += digits[digit];
        }
        return out;
    }

private:
    const RegisterInfo* at_name(const std::string& key) const {
        const auto it = by_name_.find(key);
        return it == by_name_.end() ? nullptr : &registers_[it->second];
    }

    std::vector<RegisterInfo> registers_;
    std::map<std::string, std::size_t> by_name_;
    std::map<std::uint32_t, std::size_t> by_addr_;
};

}  // namespace macrame::dla::trace
