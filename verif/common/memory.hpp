#pragma once
/// Byte memory with 64-bit addresses that stores only the pages somebody touched.
///
/// Two kinds of access are told apart: the test prepares and looks at contents with fill(), load()
/// and dump(); a device under test uses read() and write(), which are counted and, on request,
/// remembered byte by byte so that two devices can be compared on everything that they wrote.

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace macrame::verif {

/// A run of addresses, `addr` .. `addr + size - 1`.
struct MemoryRange {
    std::uint64_t addr = 0;
    std::uint64_t size = 0;
};

class Memory {
public:
    /// `background` is the content of bytes that nobody wrote.
    explicit Memory(std::string name = "pri_mem", std::uint8_t background = 0)
        : name_(std::move(name)), background_(background) {}

    const std::string& name() const { return name_; }

    /// Forgets all contents and the write log; the background may change.
    void clear(std::uint8_t background) {
        pages_.clear();
        last_ = nullptr;
        background_ = background;
        device_writes_ = device_reads_ = 0;
    }
    void clear() { clear(background_); }

    // ---- the test's side: neither counted nor logged

    void fill(std::uint64_t addr, std::uint64_t size, std::uint8_t value) {
        for_pieces(addr, size, [&](Page& page, std::size_t at, std::size_t n, std::uint64_t) {
            std::memset(page.bytes.data() + at, value, n);
        });
    }
    void load(std::uint64_t addr, const std::uint8_t* data, std::uint64_t size) {
        for_pieces(addr, size, [&](Page& page, std::size_t at, std::size_t n, std::uint64_t done) {
            std::memcpy(page.bytes.data() + at, data + done, n);
        });
    }
    void load(std::uint64_t addr, const std::vector<std::uint8_t>& data) {
        load(addr, data.data(), data.size());
    }
    std::vector<std::uint8_t> dump(std::uint64_t addr, std::uint64_t size) const {
        std::vector<std::uint8_t> out(static_cast<std::size_t>(size));
        copy_out(addr, out.data(), out.size());
        return out;
    }
    /// Whole pages that somebody touched, in address order, merged.
    std::vector<MemoryRange> contents() const {
        std::vector<MemoryRange> out;
        for (const auto& entry : pages_) {
            const std::uint64_t addr = entry.first << kPageBits;
            if (out.empty() || out.back().addr + out.back().size != addr) out.push_back({addr, 0});
            out.back().size += kPageSize;
        }
        return out;
    }
    std::uint8_t peek(std::uint64_t addr) const {
        const Page* page = find(addr >> kPageBits);
        return page == nullptr ? background_ : page->bytes[addr & (kPageSize - 1)];
    }

    // ---- the device's side

    std::uint8_t read(std::uint64_t addr) const {
        ++device_reads_;
        return peek(addr);
    }
    void read(std::uint64_t addr, std::uint8_t* to, std::size_t size) const {
        device_reads_ += size;
        copy_out(addr, to, size);
    }
    void write(std::uint64_t addr, std::uint8_t value) { write(addr, &value, 1); }
    void write(std::uint64_t addr, const std::uint8_t* data, std::size_t size) {
        device_writes_ += size;
        for_pieces(addr, size, [&](Page& page, std::size_t at, std::size_t n, std::uint64_t done) {
            std::memcpy(page.bytes.data() + at, data + done, n);
            if (!log_) return;
            for (std::size_t i = 0; i < n; ++i)
                page.written.set(at + i);
        });
    }

    /// Bytes moved by the device since the last clear(); a sign of progress for timeouts.
    std::uint64_t device_reads() const { return device_reads_; }
    std::uint64_t device_writes() const { return device_writes_; }

    // ---- write log

    /// Remember which bytes the device writes from now on.
    void log_writes(bool on) { log_ = on; }
    bool was_written(std::uint64_t addr) const {
        const Page* page = find(addr >> kPageBits);
        return page != nullptr && page->written.test(addr & (kPageSize - 1));
    }
    /// Everything the device wrote while the log was on, in address order, merged.
    std::vector<MemoryRange> written() const {
        std::vector<MemoryRange> out;
        for (const auto& [number, page] : pages_) {
            if (page->written.none()) continue;
            for (std::size_t i = 0; i < kPageSize; ++i) {
                if (!page->written.test(i)) continue;
                const std::uint64_t addr = (number << kPageBits) + i;
                if (!out.empty() && out.back().addr + out.back().size == addr) {
                    ++out.back().size;
                } else {
                    out.push_back({addr, 1});
                }
            }
        }
        return out;
    }
    void forget_writes() {
        for (auto& [number, page] : pages_)
            page->written.reset();
    }

private:
    static constexpr int kPageBits = 12;
    static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;
    struct Page {
        std::array<std::uint8_t, kPageSize> bytes;
        std::bitset<kPageSize> written;
    };

    Page* find(std::uint64_t number) const {
        if (last_ != nullptr && last_number_ == number) return last_;
        const auto it = pages_.find(number);
        if (it == pages_.end()) return nullptr;
        last_ = it->second.get();
        last_number_ = number;
        return last_;
    }
    Page& touch(std::uint64_t number) {
        if (Page* page = find(number)) return *page;
        auto page = std::make_unique<Page>();
        page->bytes.fill(background_);
        last_ = page.get();
        last_number_ = number;
        pages_.emplace(number, std::move(page));
        return *last_;
    }
    template <typename Do>
    void for_pieces(std::uint64_t addr, std::uint64_t size, Do&& with) {
        for (std::uint64_t done = 0; done < size;) {
            const std::size_t at = static_cast<std::size_t>((addr + done) & (kPageSize - 1));
            const std::size_t n =
                static_cast<std::size_t>(std::min<std::uint64_t>(kPageSize - at, size - done));
            with(touch((addr + done) >> kPageBits), at, n, done);
            done += n;
        }
    }
    void copy_out(std::uint64_t addr, std::uint8_t* to, std::size_t size) const {
        for (std::size_t done = 0; done < size;) {
            const std::size_t at = static_cast<std::size_t>((addr + done) & (kPageSize - 1));
            const std::size_t n = std::min(kPageSize - at, size - done);
            const Page* page = find((addr + done) >> kPageBits);
            if (page != nullptr) {
                std::memcpy(to + done, page->bytes.data() + at, n);
            } else {
                std::memset(to + done, background_, n);
            }
            done += n;
        }
    }

    std::string name_;
    std::uint8_t background_;
    bool log_ = false;
    std::map<std::uint64_t, std::unique_ptr<Page>> pages_;
    mutable Page* last_ = nullptr;
    mutable std::uint64_t last_number_ = 0;
    mutable std::uint64_t device_reads_ = 0;
    std::uint64_t device_writes_ = 0;
};

}  // namespace macrame::verif
