#pragma once
/// Values of registers by their address; 0 if none was set.
///
///     words.put(dla_regs::csc::D_BANK(raw));
///     words.get<dla_regs::csc::D_BANK>().DATA_BANK();

#include <cstdint>
#include <map>

namespace macrame::dla::model {

class RegisterWords {
public:
    void set(std::uint32_t address, std::uint32_t value) { words_[address] = value; }
    void set_all(const RegisterWords& from) {
        for (const auto& [address, value] : from.words_)
            words_[address] = value;
    }
    std::uint32_t word(std::uint32_t address) const {
        const auto it = words_.find(address);
        return it == words_.end() ? 0 : it->second;
    }
    /// An accessor of dla_regs.hpp.
    template <class Register>
    Register get() const {
        return Register(word(Register::kAddress));
    }
    template <class Register>
    void put(Register value) {
        set(Register::kAddress, value.raw);
    }

private:
    std::map<std::uint32_t, std::uint32_t> words_;
};

}  // namespace macrame::dla::model
