/// Unit test of systolic_store, in every cycle against its cycle model: the bytes of each vector in
/// memory, clamped or requantised, and no other byte written, whatever memory and OBUF do; rates.

#include "verif/systolic/cycles/store.hpp"

#include <deque>
#include <map>
#include <vector>

#include "tb/systolic/unit/transfer_bench.hpp"
#include "verif/systolic/isa/walk.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::tb {
namespace {

using systolic::cycles::Store;
using systolic::model::clamp;
using systolic::model::wrap;

constexpr int kScaleEntries = 16;
constexpr int kWordsOfSet = 4;

struct Job {
    Transfer transfer;
    int bytes = 0;  ///< of an element
    Corner corner;
    bool requantise = false;
    int scale_set = 0;
};

/// The words of a column in a set of scales.
struct Scale {
    std::uint32_t bias, multiplier, shift_zero, limits;
};

using Wide = __int128;

/// To the right, by the definition: twice what is lost, beside a whole.
Wide scaled(Wide product, int shift, int rounding) {
    if (rounding == 3) product = scaled(product, 31, 0) << 31;
    const Wide whole = Wide{1} << shift;
    const Wide low = product >> shift;
    const Wide lost = 2 * (product - low * whole);
    if (lost != whole || shift == 0) return low + (lost > whole ? 1 : 0);
    const bool up = rounding == 0 ? true : rounding == 1 ? low % 2 != 0 : product > 0;
    return low + (up ? 1 : 0);
}

/// By the definition.
std::int64_t requantised(std::int64_t x, const Scale& s) {
    const bool exact = p::exact_scales != 0;
    const std::int64_t sum = wrap(x + wrap(s.bias, 32), 32);
    const Wide product = Wide{sum} * wrap(s.multiplier, exact ? 32 : 18);
    const int rounding = exact ? static_cast<int>(s.shift_zero >> 6 & 3) : 0;
    const Wide value = scaled(product, static_cast<int>(s.shift_zero & 63), rounding) +
                       wrap(s.shift_zero >> 16, 16);
    const Wide low = wrap(s.limits, 16), high = wrap(s.limits >> 16, 16);
    return static_cast<std::int64_t>(std::clamp(value, low, high));
}

class StoreBench : public UnitBench {
public:
    StoreBench(const TransferCase& c, std::uint64_t seed)
        : UnitBench(seed),
          case_(c),
          axi_(memory_, memory_options(c, seed)),
          obuf_(std::size_t{p::obuf_entries} * p::cols),
          scales_(std::size_t{kScaleEntries} * p::cols) {
        pins_.full = true;
        reset();
        memory_.log_writes(true);
    }

    Job random_job() {
        Job job;
        job.transfer.bitwidth = chance(60) ? 1 : 0;
        job.requantise = p::scales != 0 && chance(60);
        job.scale_set = random().in(0, 3);
        set_corner(job);
        set_shape(job.transfer, job.corner, random());
        set_address(job.transfer, job.bytes, random());
        return job;
    }

    /// Bytes and place; bank and entry are random.
    void set_corner(Job& job) {
        job.corner.banks = p::cols;
        job.corner.entries = p::obuf_entries;
        job.corner.bank = chance(50) ? 0 : random().in(0, p::cols - 1);
        job.corner.entry = random().low(0, p::obuf_entries - 1);
        job.bytes = job.transfer.bitwidth == 0 ? p::out_bytes : p::in_bytes;
        set_place(job);
    }

    static void set_place(Job& job) {
        job.transfer.sram_address = systolic::sram_address(
            architecture(), {Buffer::obuf, job.corner.entry, job.corner.bank});
    }

    /// Runs it with new contents of OBUF and memory, and of the scale memory if it is used.
    void run(const Job& job) {
        prepare(job);
        expect_bytes(job);
        job_ = job;
        const std::uint64_t bytes_before = axi_.counts().write_bytes;
        pending_ = true;
        is_done_ = false;
        started_ = -1;
        const long limit = cycle() + 400000;
        while (!is_done_) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), limit) << "nothing moves";
        }
        cycles_ = cycle() - 1 - started_;
        EXPECT_TRUE(axi_.idle()) << "done before the last answer";
        if (with_errors_) return;
        ASSERT_EQ(axi_.counts().write_bytes - bytes_before,
                  static_cast<std::uint64_t>(job.transfer.x_size * job.transfer.y_size *
                                             job.transfer.z_size * job.bytes));
        compare_memory();
    }

    void finish() {
        for (int i = 0; i < 20; ++i)
            tick();
        expect_good(axi_);
    }

    void set_errors() {
        with_errors_ = true;
        axi_.set_faults({0.1, 0});
    }
    int errors() const { return errors_; }
    std::uint64_t faults() const { return axi_.faults().count; }
    long cycles() const { return cycles_; }

private:
    /// Scales of up to a beat of columns.
    struct ScaleWrite {
        int entry, first, end;
    };

    static Instruction instruction(const Job& job) {
        Instruction i;
        i.module = Module::store;
        i.transfer = job.transfer;
        return i;
    }

    void prepare(const Job& job) {
        memory_.clear(static_cast<std::uint8_t>(random().bits()));
        for (std::uint32_t& element : obuf_) {
            element = random().word() >> random().in(0, 31);
            if (chance(50)) element = ~element;
            if (chance(5)) element = chance(50) ? 0x80000000u : 0x7fffffffu;
            element = static_cast<std::uint32_t>(wrap(element, p::out_width));
        }
        if (!job.requantise) return;
        for (int column = 0; column < p::cols; ++column) {
            const std::array<std::uint32_t, kWordsOfSet> words = random_scale();
            for (int word = 0; word < kWordsOfSet; ++word)
                scale(kWordsOfSet * job.scale_set + word, column) =
                    words[static_cast<std::size_t>(word)];
        }
        for (int word = 0; word < kWordsOfSet; ++word) {
            for (int first = 0; first < p::cols;) {
                const int end = std::min(p::cols, first + random().in(1, p::axi_bytes / 4));
                scale_writes_.push_back({kWordsOfSet * job.scale_set + word, first, end});
                first = end;
            }
        }
    }

    std::array<std::uint32_t, kWordsOfSet> random_scale() {
        const auto small = [&] { return random().word() >> random().in(0, 31); };
        const auto limit = [&](std::uint32_t value) { return wrap(value, 16); };
        const std::int64_t a = limit(small()), b = limit(~small());
        const auto low = static_cast<std::uint32_t>(std::min(a, b)) & 0xffff;
        const auto high = static_cast<std::uint32_t>(std::max(a, b)) & 0xffff;
        const int most = p::exact_scales != 0 ? 46 : 30;
        const std::uint32_t shift =
            chance(20) ? random().word() & 63 : static_cast<std::uint32_t>(random().in(0, most));
        const std::uint32_t noise = random().word() & 0xffc0;
        // Products of few bits have what is half of a whole, and little more or less.
        std::uint32_t multiplier = random().word();
        if (chance(50)) multiplier = (small() & 7) << random().in(0, 31);
        return {chance(50) ? small() : ~small(), multiplier, small() << 16 | noise | shift,
                high << 16 | low};
    }

    std::uint32_t& scale(int entry, int column) {
        return scales_[static_cast<std::size_t>(entry * p::cols + column)];
    }

    void expect_bytes(const Job& job) {
        wanted_.clear();
        if (systolic::is_nop(instruction(job))) return;
        ASSERT_EQ(systolic::problem(architecture(), instruction(job)), "");
        const bool narrow = job.transfer.bitwidth != 0;
        systolic::for_vectors(job.transfer, job.bytes, [&](std::int64_t address, std::int64_t n) {
            for (int k = 0; k < job.transfer.z_size; ++k) {
                const int column = job.corner.bank + k;
                std::int64_t value = element(job.corner.entry + static_cast<int>(n), column);
                if (narrow && job.requantise) {
                    const int first = kWordsOfSet * job.scale_set;
                    value = requantised(value, {scale(first, column), scale(first + 1, column),
                                                scale(first + 2, column), scale(first + 3, column)});
                } else if (narrow) {
                    value = clamp(value, p::in_width);
                }
                for (int i = 0; i < job.bytes; ++i)
                    wanted_[static_cast<std::uint64_t>(address + k * job.bytes + i)] =
                        static_cast<std::uint8_t>(value >> 8 * i & 0xff);
            }
        });
    }

    std::int64_t element(int entry, int column) const {
        const auto at = static_cast<std::size_t>(entry * p::cols + column);
        return wrap(obuf_[at], p::out_width);
    }

    void compare_memory() {
        std::uint64_t written = 0;
        for (const verif::MemoryRange& range : memory_.written())
            written += range.size;
        ASSERT_EQ(written, wanted_.size()) << "bytes, cycle " << cycle();
        for (const auto& [address, byte] : wanted_)
            ASSERT_EQ(memory_.peek(address), byte) << "byte " << address << ", cycle " << cycle();
    }

    void drive(Vdut& dut) override {
        in_ = {};
        drive_scales(dut);
        offers_ = pending_ && scale_writes_.empty() && (offers_ || chance(case_.offer));
        in_.resolver2store_valid = offers_;
        in_.resolver2store_parameters = systolic::encode(instruction(job_));
        systolic::set_bits(in_.resolver2store_parameters, 0, 2,
                           static_cast<std::uint64_t>(job_.scale_set));
        systolic::set_bits(in_.resolver2store_parameters, 2, 1, job_.requantise ? 1 : 0);
        in_.store2obuf_ready = chance(case_.take);
        in_.obuf2store_valid =
            !reads_.empty() && reads_.front().from <= cycle() && chance(case_.take);
        in_.awready = pins_.aw_ready;
        in_.wready = pins_.w_ready;
        in_.bvalid = pins_.b_valid;
        in_.bresp = pins_.b_valid ? pins_.b_resp : random().word() & 3;
        dut.resolver2store_valid = offers_;
        put_noise(dut.resolver2store_parameters, 120, random());
        if (offers_)
            put_parameters(dut.resolver2store_parameters, in_.resolver2store_parameters,
                           chance(50));
        dut.store2obuf_ready = in_.store2obuf_ready;
        dut.obuf2store_valid = in_.obuf2store_valid;
        put_noise(dut.obuf2store_data, p::output_row_w, random());
        if (in_.obuf2store_valid) {
            for (int column = 0; column < p::cols; ++column) {
                put_bits(dut.obuf2store_data, column * p::out_width, p::out_width,
                         static_cast<std::uint32_t>(element(reads_.front().entry, column)) &
                             (~0u >> (32 - p::out_width)));
            }
            reads_.pop_front();
        }
        dut.m_axi_store_awready = in_.awready;
        dut.m_axi_store_wready = in_.wready;
        dut.m_axi_store_bvalid = in_.bvalid;
        dut.m_axi_store_bresp = static_cast<std::uint8_t>(in_.bresp);
        dut.m_axi_store_bid = static_cast<std::uint8_t>(pins_.b_id);
    }

    template <typename Dut>
    void drive_scales(Dut& dut) {
        if constexpr (p::scales != 0) {
            put_noise(dut.load2scale_enable, p::cols, random());
            put_noise(dut.load2scale_data, 32 * p::cols, random());
            dut.load2scale_entry = static_cast<std::uint8_t>(random().word() & 15);
            dut.load2scale_write = !scale_writes_.empty() && chance(70);
            if (!dut.load2scale_write) return;
            const ScaleWrite write = scale_writes_.front();
            scale_writes_.pop_front();
            dut.load2scale_entry = static_cast<std::uint8_t>(write.entry);
            for (int column = 0; column < p::cols; ++column) {
                const bool enable = column >= write.first && column < write.end;
                put_bits(dut.load2scale_enable, column, 1, enable);
                if (!enable) continue;
                put_bits(dut.load2scale_data, 32 * column, 32, scale(write.entry, column));
            }
        }
    }

    void sample(Vdut& dut) override {
        compare(dut);
        if (::testing::Test::HasFatalFailure()) return;
        const Store::Outputs out = model_.outputs();
        if (out.store2obuf_valid && in_.store2obuf_ready)
            reads_.push_back({out.store2obuf_entry, cycle() + random().in(1, 3)});
        if (offers_ && out.resolver2store_ready) {
            started_ = cycle();
            pending_ = offers_ = false;
        }
        if (out.store2resolver_done) {
            ASSERT_TRUE(started_ >= 0 && started_ < cycle()) << "done before the start";
            is_done_ = true;
        }
        errors_ += out.store2control_error;
        pins_.aw_valid = dut.m_axi_store_awvalid;
        pins_.aw_id = pins_.w_id = dut.m_axi_store_awid;
        pins_.aw_len = dut.m_axi_store_awlen;
        pins_.aw_addr = dut.m_axi_store_awaddr;
        pins_.aw = {dut.m_axi_store_awsize,  dut.m_axi_store_awburst, dut.m_axi_store_awlock,
                    dut.m_axi_store_awcache, dut.m_axi_store_awprot,  dut.m_axi_store_awqos};
        pins_.w_valid = dut.m_axi_store_wvalid;
        pins_.w_last = dut.m_axi_store_wlast;
        get_bytes(dut.m_axi_store_wstrb, pins_.w_strb, (p::axi_bytes + 7) / 8);
        get_bytes(dut.m_axi_store_wdata, pins_.w_data, p::axi_bytes);
        pins_.b_ready = dut.m_axi_store_bready;
        ASSERT_TRUE(!pins_.aw_valid || pins_.aw_id == 3);
        axi_.clock(pins_);
        model_.clock(in_);
    }

    void compare(const Vdut& dut) {
        const Store::Outputs out = model_.outputs();
        ASSERT_EQ(dut.resolver2store_ready, out.resolver2store_ready) << "cycle " << cycle();
        ASSERT_EQ(dut.store2resolver_done, out.store2resolver_done) << "cycle " << cycle();
        ASSERT_EQ(dut.store2control_error, out.store2control_error) << "cycle " << cycle();
        if (out.store2control_error) {
            ASSERT_EQ(dut.store2control_address, out.store2control_address) << "cycle " << cycle();
        }
        ASSERT_EQ(dut.store2obuf_valid, out.store2obuf_valid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_store_awvalid, out.awvalid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_store_wvalid, out.wvalid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_store_bready, out.bready);
        ASSERT_TRUE(!out.store2obuf_valid || dut.store2obuf_entry == out.store2obuf_entry)
            << "cycle " << cycle();
        ASSERT_TRUE(!out.wvalid || dut.m_axi_store_wlast == out.wlast) << "cycle " << cycle();
        if (!out.awvalid) return;
        ASSERT_EQ(dut.m_axi_store_awaddr, out.awaddr) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_store_awlen, out.awlen) << "cycle " << cycle();
    }

    /// A row that OBUF owes.
    struct Read {
        int entry;
        long from;  ///< cycle
    };

    TransferCase case_;
    verif::Memory memory_;
    verif::AxiMemory axi_;
    verif::AxiPins pins_;
    Store model_{architecture()};
    Store::Inputs in_;
    Job job_;
    std::vector<std::uint32_t> obuf_, scales_;
    std::deque<ScaleWrite> scale_writes_;
    std::deque<Read> reads_;
    std::map<std::uint64_t, std::uint8_t> wanted_;
    bool pending_ = false, offers_ = false, is_done_ = true, with_errors_ = false;
    long started_ = -1, cycles_ = 0;
    int errors_ = 0;
};

constexpr int kJobs = p::obuf_entries > 100 ? 25 : 60;

TEST(Store, EveryByteAndNoOther) {
    for (const TransferCase& c : kTransferCases) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            SCOPED_TRACE(std::string(c.name) + ", seed " + std::to_string(seed));
            StoreBench bench(c, seed);
            for (int i = 0; i < kJobs; ++i) {
                bench.run(bench.chance(5) ? Job{} : bench.random_job());
                if (HasFailure()) return;
            }
            bench.finish();
            EXPECT_EQ(bench.errors(), 0);
        }
    }
}

TEST(Store, ErrorsAreToldAndEnd) {
    StoreBench bench(kTransferCases[2], 9);
    bench.set_errors();
    for (int i = 0; i < kJobs; ++i) {
        bench.run(bench.random_job());
        if (HasFailure()) return;
    }
    bench.finish();
    EXPECT_EQ(static_cast<std::uint64_t>(bench.errors()), bench.faults());
    EXPECT_GT(bench.errors(), 0);
}

/// Cycles beside those of rows or beats.
constexpr long kStart = 40;

/// All rows from the first column on.
Job whole(StoreBench& bench, bool narrow, int z, int gap) {
    Job job;
    job.transfer.bitwidth = narrow ? 1 : 0;
    bench.set_corner(job);
    job.corner.bank = job.corner.entry = 0;
    StoreBench::set_place(job);
    job.transfer.dram_address = 0x2000;
    job.transfer.y_size = std::min(16, int{p::obuf_entries});
    job.transfer.x_size = p::obuf_entries / job.transfer.y_size;
    job.transfer.z_size = z;
    job.transfer.z_stride = job.transfer.y_stride = z + gap;
    return job;
}

/// A beat per cycle if rows that follow each other fill beats.
TEST(StoreRate, DenseRowsTakeACyclePerBeat) {
    StoreBench bench(kTransferCases[0], 1);
    const auto lanes_of = [](bool narrow) {
        return p::axi_bytes / (narrow ? p::in_bytes : p::out_bytes);
    };
    if (p::cols % lanes_of(false) != 0 && p::cols % lanes_of(true) != 0)
        GTEST_SKIP() << "rows do not fill beats";
    for (const bool narrow : {false, true}) {
        const int lanes = lanes_of(narrow);
        if (p::cols % lanes != 0) continue;
        for (const int offset : {0, 1}) {
            for (const bool requantise : {false, p::scales != 0}) {
                Job job = whole(bench, narrow, p::cols, 0);
                job.transfer.dram_address += offset;
                job.requantise = requantise;
                bench.run(job);
                EXPECT_LE(bench.cycles(), p::obuf_entries * (p::cols / lanes) + kStart);
            }
        }
    }
    bench.finish();
}

/// A row per cycle, whether rows share beats or have one each.
TEST(StoreRate, ShortRowsTakeACycleEach) {
    StoreBench bench(kTransferCases[0], 2);
    const int z = std::min(int{p::cols}, p::axi_bytes / p::in_bytes);
    for (const int gap : {0, 3 * p::axi_bytes / p::in_bytes - z}) {
        bench.run(whole(bench, true, z, gap));
        EXPECT_LE(bench.cycles(), p::obuf_entries + kStart);
    }
    bench.finish();
}

}  // namespace
}  // namespace macrame::tb
