#pragma once
/// Writes what a driver does as a trace that `macrame simulate --trace` plays again.
///
/// Interrupts that the driver clears become intr_notify and sync_wait where it clears them, masked
/// ones a poll of their bits; a register that it reads until it changes becomes a poll of the last
/// value; memory that it reads is checked against what it found.

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/run/device_server.hpp"
#include "verif/dla/trace/register_table.hpp"

namespace macrame::dla::run {

class DriverRecorder : public verif::run::DriverWatch {
public:
    /// `from` is the first line, a comment.
    DriverRecorder(const std::string& path, const std::string& from,
                   const trace::RegisterTable& registers, verif::Device& device);

    void reset() override;
    std::string write(std::uint32_t address, std::uint32_t value) override;
    void read(std::uint32_t address, std::uint32_t value) override;
    void load(bool secondary, std::uint64_t address,
              const std::vector<std::uint8_t>& bytes) override;
    void look(bool secondary, std::uint64_t address,
              const std::vector<std::uint8_t>& bytes) override;
    void waited(std::uint64_t, bool) override {}

    /// Events that the driver left. False: not all could be written.
    bool finish();

private:
    std::string name(std::uint32_t address) const;
    void line(const std::string& text) { out_ << text << ";\n"; }
    void clear(std::uint32_t bits);
    void end_reads();

    std::ofstream out_;
    const trace::RegisterTable& registers_;
    verif::Device& device_;
    std::uint32_t glb_;
    bool begun_ = false;  ///< a register was written
    int events_ = 0;

    // Reads of one register behind each other.
    std::uint32_t address_ = 0, first_ = 0, last_ = 0;
    int reads_ = 0;
};

}  // namespace macrame::dla::run
