/// Trace readers: what they accept and the messages for what they do not. The player on a device
/// that is only registers.

#include <gtest/gtest.h>

#include <map>

#include "verif/common/crc32.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dat_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/txn_reader.hpp"

namespace macrame::dla::trace {
namespace {

const RegisterTable& registers() {
    static const RegisterTable table = dla_registers();
    return table;
}

/// Those of the map of .txn traces.
const RegisterTable& v1_registers() {
    static const RegisterTable table = dla_registers("v1");
    return table;
}

ReadResult cfg(const std::string& text) { return parse_cfg(text, "t.cfg", "", registers()); }

std::string first_error(const ReadResult& r) { return r.errors.empty() ? "" : r.errors.front(); }

std::string dat_error(const std::string& text) {
    std::vector<std::string> errors;
    parse_dat(text, "t.dat", errors);
    return errors.empty() ? "" : errors.front();
}

TEST(Crc, KnownValue) {
    const std::string text = "123456789";
    EXPECT_EQ(verif::crc32(std::vector<std::uint8_t>(text.begin(), text.end())), 0xCBF43926u);
    EXPECT_EQ(verif::crc32({}), 0u);
}

TEST(Registers, NamesOfTraces) {
    ASSERT_NE(registers().find("NVDLA_CDMA.D_DAIN_ADDR_LOW_0_0"), nullptr);
    EXPECT_EQ(registers().find("NVDLA_CDMA.D_DAIN_ADDR_LOW_0_0")->addr, 0x3034u);
    EXPECT_EQ(registers().find("CSC.D_BANK")->addr, 0x405Cu);
    EXPECT_EQ(registers().find("NVDLA_RBK.S_POINTER_0")->addr, 0x11004u);
    EXPECT_EQ(registers().find("NVDLA_CDMA.D_BANKS_0"), nullptr);
    EXPECT_EQ(registers().name_of(0x405C), "CSC.D_BANK");
    EXPECT_EQ(registers().name_of(0x1F000), "0x1f000");
}

TEST(Dat, RecordsWithHolesAndNumbers) {
    std::vector<std::string> errors;
    const auto segments = parse_dat(
        "{\n{offset:0x0, size:4, payload:0x01 0x02 0x03 0x04} ,\n"
        "{offset:4, size:2, payload:0x05 0xff},\n# comment\n\n"
        "{offset:020, size:1, payload:0x07}\n}\n",
        "t.dat", errors);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(segments.size(), 2u);
    EXPECT_EQ(segments[0].bytes, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 255}));
    EXPECT_EQ(segments[1].offset, 16u);
}

TEST(Dat, LinesOf32Bytes) {
    std::string text = "dumped memory\n\n";
    for (int line = 0; line < 2; ++line) {
        for (int i = 0; i < 32; ++i)
            text += " 0x0" + std::to_string(i % 10);
        text += "\n";
    }
    std::vector<std::string> errors;
    const auto segments = parse_dat(text, "t.dat", errors);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(segments.size(), 1u);
    EXPECT_EQ(segments[0].bytes.size(), 64u);
}

TEST(Dat, Errors) {
    EXPECT_EQ(dat_error("{offset:0x0, size:2, payload:0x01}\n"),
              "t.dat:1: payload of 1 bytes: want size = 2");
    EXPECT_EQ(dat_error("{offset:zz, size:1, payload:0x01}\n"),
              "t.dat:1: offset `zz`: want a number");
    EXPECT_EQ(dat_error("\n{offset:0, size:1, payload:0x1g}\n"),
              "t.dat:2: payload byte `0x1g`: want 0x00..0xff");
    EXPECT_EQ(dat_error("{offset:0, size:4, payload:0x01 0x"),
              "t.dat:1: record without `}`: want a complete file");
    EXPECT_EQ(dat_error("{\n{offset:0, size:1, payload:0x01}\n"),
              "t.dat: no `}` at the end: want a complete file");
    EXPECT_EQ(dat_error("hello\n"),
              "t.dat: no data: want `{offset:.., size:.., payload:..}` records or lines of 32 "
              "bytes");
    std::vector<std::string> errors;
    read_dat("/nonexistent.dat", "t.cfg:1", errors);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0],
              "t.cfg:1: /nonexistent.dat: cannot be read (No such file or directory): want a "
              "data file");
}

TEST(Cfg, AllCommands) {
    const ReadResult r =
        cfg("// comment\n"
            "mem_init(pri_mem, 0x80000000, 0x40, ALL_ZERO);\n"
            "mem_init(sec_mem, 16, 4, ADDR, sync);\n"
            "mem_reserve(pri_mem, 0, 4);\n"
            "reg_write(NVDLA_CDMA.D_BANK_0, 0x30001); // trailing\n"
            "  reg_write( 0x1f000 ,1 ) ;\n"
            "reg_read(NVDLA_GEC.FEATURE_0, id);\n"
            "reg_read_check(NVDLA_CDMA.D_BANK_0, 0x30001);\n"
            "poll_reg_equal(NVDLA_CDMA.S_CBUF_FLUSH_STATUS_0, 0x1);\n"
            "intr_notify(cdma_wt_1, a);\n"
            "sync_notify(NVDLA_CSC, b);\n"
            "sync_wait(NVDLA_CDMA, b);\n"
            "check_crc(a, 1, 0x80000000, 0x40, 0x12345678);\n"
            "check_nothing(a);\n");
    EXPECT_EQ(first_error(r), "");
    ASSERT_EQ(r.program.memory.size(), 2u);
    EXPECT_EQ(r.program.memory[1].port, Port::secondary);
    EXPECT_EQ(r.program.memory[1].pattern, kPatternAddress);
    ASSERT_EQ(r.program.commands.size(), 7u);
    EXPECT_EQ(r.program.commands[0].reg, "CDMA.D_BANK");
    EXPECT_EQ(r.program.commands[1].addr, 0x1F000u);
    EXPECT_EQ(r.program.commands[3].op, Op::read_check);
    ASSERT_EQ(r.program.notifies.size(), 1u);
    EXPECT_EQ(r.program.notifies[0].bit, 19);
    ASSERT_EQ(r.program.checks.size(), 2u);
    EXPECT_EQ(r.program.checks[0].crc, 0x12345678u);
}

TEST(Cfg, Errors) {
    EXPECT_EQ(first_error(cfg("reg_write(NVDLA_CDMA.D_BANKS_0, 0);\n")),
              "t.cfg:1: unknown register `NVDLA_CDMA.D_BANKS_0`: want NVDLA_<UNIT>.<REGISTER>_0 or "
              "a byte address");
    EXPECT_EQ(first_error(cfg("\nreg_wirte(NVDLA_CDMA.D_BANK_0, 0);\n")).substr(0, 37),
              "t.cfg:2: unknown command `reg_wirte`:");
    EXPECT_EQ(first_error(cfg("reg_write(NVDLA_CDMA.D_BANK_0, 0x1z);\n")),
              "t.cfg:1: value `0x1z`: want a number of 32 bits");
    EXPECT_EQ(first_error(cfg("reg_write(NVDLA_CDMA.D_BANK_0, 0x100000000);\n")),
              "t.cfg:1: value `0x100000000`: want a number of 32 bits");
    EXPECT_EQ(first_error(cfg("reg_write(NVDLA_CDMA.D_BANK_0);\n")),
              "t.cfg:1: reg_write with 1 arguments: want 2");
    EXPECT_EQ(first_error(cfg("reg_write(0x3001, 1);\n")),
              "t.cfg:1: register address `0x3001`: want a multiple of 4 below 0x40000");
    EXPECT_EQ(first_error(cfg("reg_write(NVDLA_CDMA.D_BANK_0, 1)\n")),
              "t.cfg:1: `reg_write(NVDLA_CDMA.D_BANK_0, 1)`: want `command(arg, ...);`");
    EXPECT_EQ(first_error(cfg("mem_init(mem, 0, 4, ALL_ZERO);\n")),
              "t.cfg:1: memory `mem`: want pri_mem, sec_mem or 1");
    EXPECT_EQ(first_error(cfg("mem_init(pri_mem, 0, 4, ZERO);\n")),
              "t.cfg:1: pattern `ZERO`: want ALL_ZERO, ONES, AFIVE, FIVEA, ADDR, RANDOM or X");
    EXPECT_EQ(first_error(cfg("mem_load(pri_mem, 0, \"none.dat\");\n")),
              "t.cfg:1: none.dat: cannot be read (No such file or directory): want a data file");
    EXPECT_EQ(first_error(cfg("intr_notify(SDP_2, a);\n")).substr(0, 28),
              "t.cfg:1: interrupt `SDP_2`: ");
    EXPECT_EQ(first_error(cfg("check_nothing(a);\n")),
              "t.cfg:1: check of event `a`: want an intr_notify with this name");
    EXPECT_EQ(
        first_error(cfg("sync_wait(GLB, a);\n")),
        "t.cfg:1: sync_wait for event `a`: want an intr_notify or sync_notify with this name");
    EXPECT_EQ(first_error(read_cfg("/nonexistent.cfg", registers())),
              "/nonexistent.cfg: cannot be read (No such file or directory): want a trace");
}

TEST(Txn, CommandsAndErrors) {
    const ReadResult r = parse_txn(
        "# comment\nwrite_reg 0xffff2c01 0x5 # S_POINTER\nread_reg 0xffff2c01 0x1 0x1\n"
        "read_reg 0xffff0003 0xff <= 0x3 10\nwait\n",
        "input.txn", "", v1_registers());
    EXPECT_EQ(first_error(r), "");
    ASSERT_EQ(r.program.commands.size(), 4u);
    EXPECT_EQ(r.program.commands[0].addr, 0xB004u);
    EXPECT_EQ(r.program.commands[0].reg, "SDP.S_POINTER");
    EXPECT_EQ(r.program.commands[1].mask, 1u);
    EXPECT_EQ(r.program.commands[2].compare, Compare::less_equal);
    EXPECT_EQ(r.program.commands[3].op, Op::wait_pin);
    EXPECT_FALSE(r.program.serves_interrupts);

    EXPECT_EQ(first_error(parse_txn("write_reg 0x1\n", "i.txn", "", {})),
              "i.txn:1: write_reg with 1 operands: want 2");
    EXPECT_EQ(first_error(parse_txn("\nwrite 0x1 0x2\n", "i.txn", "", {})),
              "i.txn:2: unknown command `write`: want write_reg, read_reg, load_mem, dump_mem or "
              "wait");
    EXPECT_EQ(first_error(parse_txn("write_reg 12 0x2\n", "i.txn", "", {})),
              "i.txn:1: `12`: want a 32-bit number with 0x");
}

/// Registers without a machine behind them; a write to one of them raises interrupt bit 0 a little
/// later.
class FakeDevice : public verif::Device {
public:
    /// `start`: of the register that does, `status`: of S_INTR_STATUS.
    explicit FakeDevice(std::uint32_t start = 0x9038, std::uint32_t status = 0x100C)
        : start_(start), status_(status) {}
    void reset() override {}
    void csb_write(std::uint32_t addr, std::uint32_t data, bool) override {
        if (addr == status_) {
            regs_[addr] &= ~data;
        } else {
            regs_[addr] = data;
        }
        ++cycle_;
        if (addr == start_) fires_at_ = cycle_ + 100;
        tick();
    }
    std::uint32_t csb_read(std::uint32_t addr) override {
        cycle_ += 4;
        tick();
        return regs_[addr];
    }
    bool interrupt() override { return (regs_[status_] & ~regs_[status_ - 8]) != 0; }
    void advance(int n) override {
        cycle_ += static_cast<std::uint64_t>(n);
        tick();
    }
    std::uint64_t cycle() override { return cycle_; }

protected:
    std::map<std::uint32_t, std::uint32_t> regs_;

private:
    void tick() {
        if (fires_at_ == 0 || cycle_ < fires_at_) return;
        regs_[status_] |= 1;
        fires_at_ = 0;
    }
    std::uint32_t start_, status_;
    std::uint64_t cycle_ = 0, fires_at_ = 0;
};

/// Plays a .txn trace; `start` as of FakeDevice.
PlayResult play_fake_txn(const std::string& text, std::uint32_t start) {
    const ReadResult r = parse_txn(text, "input.txn", "", v1_registers());
    EXPECT_EQ(first_error(r), "");
    FakeDevice device(start, 0xC);
    verif::Memory a("pri_mem"), b("sec_mem");
    return play(r.program, device, a, b);
}

PlayResult play_fake(const std::string& text) {
    const ReadResult r = cfg(text);
    EXPECT_EQ(first_error(r), "");
    FakeDevice device;
    verif::Memory a("pri_mem"), b("sec_mem");
    return play(r.program, device, a, b);
}

TEST(Player, ServesTheInterruptAndCountsCycles) {
    const PlayResult r = play_fake(
        "mem_init(pri_mem, 0x100, 8, ONES);\n"
        "reg_write(NVDLA_SDP.D_OP_ENABLE_0, 0x1);\n"
        "sync_wait(GLB, a);\n"
        "reg_read_check(NVDLA_GLB.S_INTR_STATUS_0, 0x0);\n"
        "intr_notify(SDP_0, a);\n"
        "check_crc(a, pri_mem, 0x100, 8, 0x2144df1c);\n");
    EXPECT_EQ(r.interrupts.size(), 1u);
    EXPECT_TRUE(r.started);
    EXPECT_GE(r.cycles(), 100u);
    ASSERT_EQ(r.checks.size(), 2u);
    EXPECT_TRUE(r.passed);
}

TEST(Player, CountsCyclesOfTxnTraces) {
    const std::string wait = "wait\nwrite_reg 0xffff0003 0xffffffff\nread_reg 0xffff0003 0x1 0x0\n";
    const PlayResult layer = play_fake_txn("write_reg 0xffff2c0e 0x1\n" + wait, 0xB038);
    EXPECT_TRUE(layer.passed);
    EXPECT_GE(layer.cycles(), 100u);
    const PlayResult copy = play_fake_txn("write_reg 0xffff100d 0x1\n" + wait, 0x4034);
    EXPECT_GE(copy.cycles(), 100u);
    const PlayResult masked = play_fake_txn(
        "write_reg 0xffff0001 0x1\nwrite_reg 0xffff100e 0x1\nread_reg 0xffff0003 0x1 0x1\n",
        0x4038);
    EXPECT_GE(masked.cycles(), 100u);
    EXPECT_LT(masked.cycles(), 120u);
    // Bits that are not 1 start nothing.
    EXPECT_FALSE(play_fake_txn("write_reg 0xffff2c0e 0x2\n", 0).started);
}

TEST(Player, AnEventBehindTheReadOfAClearIsNotLost) {
    /// A second event comes right behind the first read that sees one.
    class Late : public FakeDevice {
    public:
        Late() : FakeDevice(0xB038, 0xC) {}
        std::uint32_t csb_read(std::uint32_t addr) override {
            const std::uint32_t seen = FakeDevice::csb_read(addr);
            if (addr == 0xC && seen == 1 && !came_) regs_[0xC] |= 2;
            came_ = came_ || seen == 1;
            return seen;
        }

    private:
        bool came_ = false;
    };
    const std::string wait = "wait\nwrite_reg 0xffff0003 0xffffffff\nread_reg 0xffff0003 0x3 0x0\n";
    const ReadResult r =
        parse_txn("write_reg 0xffff2c0e 0x1\n" + wait + wait, "input.txn", "", v1_registers());
    Late device;
    verif::Memory a("pri_mem"), b("sec_mem");
    const PlayResult played = play(r.program, device, a, b);
    EXPECT_TRUE(played.passed) << played.failures.front();
}

TEST(Player, FailuresSayWhatAndWhere) {
    PlayResult r = play_fake(
        "reg_write(NVDLA_CDMA.D_BANK_0, 0x2);\n"
        "reg_read_check(NVDLA_CDMA.D_BANK_0, 0x3);\n");
    ASSERT_EQ(r.failures.size(), 1u);
    EXPECT_EQ(r.failures[0], "t.cfg:2: CDMA.D_BANK = 0x2: want 0x3");

    r = play_fake(
        "reg_write(NVDLA_SDP.D_OP_ENABLE_0, 0x1);\nintr_notify(SDP_0, a);\n"
        "check_crc(a, pri_mem, 0x100, 4, 0x1);\n");
    ASSERT_EQ(r.failures.size(), 1u);
    EXPECT_EQ(r.failures[0],
              "t.cfg:3: check_crc a pri_mem 0x100+0x4: checksum 0x2144df1c: want 0x1");

    r = play_fake("poll_reg_equal(NVDLA_CDMA.D_BANK_0, 0x7);\n");
    ASSERT_EQ(r.failures.size(), 1u);
    EXPECT_EQ(r.failures[0],
              "t.cfg:1: no progress for 2000000 cycles while waiting for "
              "CDMA.D_BANK = 0x7 (reads 0x0)");

    r = play_fake("intr_notify(CACC_1, a);\n");
    ASSERT_EQ(r.failures.size(), 1u);
    EXPECT_EQ(r.failures[0],
              "t.cfg:1: no progress for 2000000 cycles while waiting for interrupt "
              "CACC_1 (a)");

    r = play_fake(
        "reg_write(NVDLA_GLB.S_INTR_STATUS_0, 0x0);\n"
        "reg_write(NVDLA_SDP.D_OP_ENABLE_0, 0x1);\n"
        "intr_notify(SDP_1, a);\n");
    ASSERT_FALSE(r.failures.empty());
    EXPECT_NE(r.failures[0].find("interrupt SDP_0 in cycle"), std::string::npos);
}

TEST(Player, ChecksAreNamedAsInTheFile) {
    const PlayResult r = play_fake(
        "reg_write(NVDLA_SDP.D_OP_ENABLE_0, 0x1);\n"
        "intr_notify(SDP_0, a);\n"
        "check_hex(a, pri_mem, 0x0, 0107);\n"
        "check_nothing(a);\n");
    ASSERT_EQ(r.checks.size(), 2u);
    EXPECT_EQ(r.checks[0].what, "check_hex a pri_mem 0x0+0x2");
    EXPECT_EQ(r.checks[1].what, "check_nothing a");
    EXPECT_TRUE(r.checks[1].passed);
    ASSERT_EQ(r.failures.size(), 1u);
    EXPECT_EQ(r.failures[0].rfind("t.cfg:3: check_hex a pri_mem 0x0+0x2: byte at 0x0", 0), 0u)
        << r.failures[0];
}

TEST(Player, CompareRegionNamesTheFirstByte) {
    verif::Memory a("pri_mem"), b("sec_mem");
    RegionCheck check;
    check.kind = RegionCheck::Kind::bytes;
    check.base = 0x1000;
    check.size = 4;
    check.expected = {{0, {0, 1, 2, 3}}};
    EXPECT_EQ(compare_region(check, a, b),
              "byte at 0x1001 (offset 0x1) is 0x0: want 0x1, and 2 more");
    a.load(0x1000, {0, 1, 2, 3});
    EXPECT_EQ(compare_region(check, a, b), "");
}

TEST(Memory, PagesLogAndRanges) {
    verif::Memory m("m", 0xEE);
    EXPECT_EQ(m.peek(5), 0xEE);
    m.log_writes(true);
    const std::vector<std::uint8_t> data(5000, 7);
    m.write(0xFFF, data.data(), data.size());
    m.load(0x5000, data);
    ASSERT_EQ(m.written().size(), 1u);
    EXPECT_EQ(m.written()[0].addr, 0xFFFu);
    EXPECT_EQ(m.written()[0].size, 5000u);
    EXPECT_TRUE(m.was_written(0x1000));
    EXPECT_FALSE(m.was_written(0x5000));
    EXPECT_EQ(m.dump(0xFFE, 2), (std::vector<std::uint8_t>{0xEE, 7}));
    EXPECT_EQ(m.device_writes(), 5000u);
}

}  // namespace
}  // namespace macrame::dla::trace
