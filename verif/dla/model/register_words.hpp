#pragma once
/// Values of registers by their address; 0 if none was set.
///
///     words.put(dla_regs::csc::D_BANK(raw));
///     words.get<dla_regs::csc::D_BANK>().DATA_BANK();

#include <cstddef>
#include <cstdint>
#include <vector>

namespace macrame::dla::model {

class RegisterWords {
public:
    void set(std::uint32_t address, std::uint32_t value) {
        Page& page = page_of(address);
        const std::size_t place = place_of(address);
        if (place >= page.size()) page.resize(place + 1);
        page[place] = {value, true};
    }
    void set_all(const RegisterWords& from) {
        if (pages_.size() < from.pages_.size()) pages_.resize(from.pages_.size());
        for (std::size_t i = 0; i < from.pages_.size(); ++i) {
            const Page& page = from.pages_[i];
            if (pages_[i].size() < page.size()) pages_[i].resize(page.size());
            for (std::size_t n = 0; n < page.size(); ++n)
                if (page[n].is_set) pages_[i][n] = page[n];
        }
    }
    std::uint32_t word(std::uint32_t address) const {
        const std::size_t page = address >> kPageBits, place = place_of(address);
        return page < pages_.size() && place < pages_[page].size() ? pages_[page][place].value : 0;
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
    struct Entry {
        std::uint32_t value = 0;
        bool is_set = false;
    };
    using Page = std::vector<Entry>;  ///< of a unit, by word
    static constexpr int kPageBits = 12;

    static std::size_t place_of(std::uint32_t address) {
        return (address & ((1u << kPageBits) - 1)) / 4;
    }
    Page& page_of(std::uint32_t address) {
        const std::size_t page = address >> kPageBits;
        if (page >= pages_.size()) pages_.resize(page + 1);
        return pages_[page];
    }

    std::vector<Page> pages_;
};

}  // namespace macrame::dla::model
