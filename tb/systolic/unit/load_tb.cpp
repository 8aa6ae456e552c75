/// Unit test of systolic_load, in every cycle against its cycle model: each element of a transfer in
/// its bank and entry and nothing else written, whatever the memory does; rates.

#include "verif/systolic/cycles/load.hpp"

#include <vector>

#include "tb/systolic/unit/transfer_bench.hpp"
#include "verif/systolic/isa/walk.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::tb {
namespace {

using systolic::cycles::Load;

/// Buffers by the two high bits of their addresses.
enum Target { kScale, kIbuf, kWbuf, kObuf, kTargets };
constexpr int kScaleEntries = 16;

/// All elements of the buffers.
struct Buffers {
    std::array<std::vector<std::uint32_t>, kTargets> data{
        std::vector<std::uint32_t>(kScaleEntries * p::cols),
        std::vector<std::uint32_t>(std::size_t{p::ibuf_entries} * p::rows),
        std::vector<std::uint32_t>(std::size_t{p::wbuf_entries} * p::cols),
        std::vector<std::uint32_t>(std::size_t{p::obuf_entries} * p::cols)};

    static int banks(Target target) { return target == kIbuf ? p::rows : p::cols; }
    std::uint32_t& at(Target target, int entry, int bank) {
        return data[target][static_cast<std::size_t>(entry * banks(target) + bank)];
    }
};

/// A transfer with its target.
struct Job {
    Transfer transfer;
    Target target = kIbuf;
    int bytes = 0;  ///< of an element
    Corner corner;
};

class LoadBench : public UnitBench {
public:
    LoadBench(const TransferCase& c, std::uint64_t seed)
        : UnitBench(seed), case_(c), axi_(memory_, memory_options(c, seed)) {
        pins_.full = true;
        reset();
        for (auto& buffer : wanted_.data)
            for (std::uint32_t& element : buffer)
                element = random().word();
        found_ = wanted_;
    }

    Job random_job() {
        Job job;
        job.target = static_cast<Target>(random().in(p::scales != 0 ? kScale : kIbuf, kObuf));
        const bool is_narrow = job.target == kObuf ? chance(50) : job.target != kScale;
        job.transfer.bitwidth = is_narrow ? 1 : 0;
        set_corner(job);
        set_shape(job.transfer, job.corner, random());
        set_address(job.transfer, job.bytes, random());
        return job;
    }

    /// Bytes and place; bank and entry are random.
    void set_corner(Job& job) {
        static constexpr int kEntries[] = {kScaleEntries, p::ibuf_entries, p::wbuf_entries,
                                           p::obuf_entries};
        Corner& corner = job.corner;
        corner.banks = Buffers::banks(job.target);
        corner.entries = kEntries[job.target];
        corner.bank = random().chance(50) ? 0 : random().in(0, corner.banks - 1);
        corner.entry = random().low(0, corner.entries - 1);
        job.bytes = job.transfer.bitwidth == 0 ? p::out_bytes
                    : job.target == kWbuf      ? p::weight_bytes
                                               : p::in_bytes;
        set_place(job);
    }

    void set_place(Job& job) {
        const std::int64_t at = (std::int64_t{job.corner.entry}
                                 << systolic::clog2(job.corner.banks)) + job.corner.bank;
        const bool upper = job.target == kObuf && job.corner.entry >= p::obuf_entries / 2;
        job.transfer.sram_address = job.target * 0x1000000 + (upper ? 0x800000 : 0) + at;
    }

    /// Runs it with new contents in memory.
    void run(const Job& job) {
        if (!systolic::is_nop(instruction(job))) expect_elements(job);
        job_ = job;
        pending_ = true;
        is_done_ = false;
        started_ = -1;
        const long limit = cycle() + 200000;
        while (!is_done_) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), limit) << "nothing moves";
        }
        cycles_ = cycle() - 1 - started_;
        if (with_errors_) {
            found_ = wanted_;
            return;
        }
        for (int target = 0; target < kTargets; ++target) {
            const auto i = static_cast<std::size_t>(target);
            for (std::size_t k = 0; k < found_.data[i].size(); ++k)
                ASSERT_EQ(found_.data[i][k], wanted_.data[i][k])
                    << "cycle " << cycle() << ", target " << target << ", element " << k;
        }
    }

    void finish() {
        for (int i = 0; i < 100 + 2 * case_.latency; ++i)
            tick();
        expect_good(axi_);
    }

    void set_errors() {
        with_errors_ = true;
        axi_.set_faults({0.02, 0});
    }
    int errors() const { return errors_; }
    std::uint64_t faults() const { return axi_.faults().count; }
    long cycles() const { return cycles_; }

private:
    static Instruction instruction(const Job& job) {
        Instruction i;
        i.module = Module::load;
        i.transfer = job.transfer;
        return i;
    }

    /// Fills memory and says what has to be in the buffer then, by the definition.
    void expect_elements(const Job& job) {
        ASSERT_EQ(job.target == kScale ? "" : systolic::problem(architecture(), instruction(job)),
                  "");
        systolic::for_vectors(job.transfer, job.bytes, [&](std::int64_t address, std::int64_t) {
            for (std::int64_t i = 0; i < job.transfer.z_size * job.bytes; ++i) {
                const auto byte = static_cast<std::uint8_t>(random().bits());
                memory_.load(static_cast<std::uint64_t>(address + i), &byte, 1);
            }
        });
        const int width = job.transfer.bitwidth == 0 ? p::out_width
                          : job.target == kWbuf      ? p::weight_width
                                                     : p::in_width;
        const int bits = job.target == kIbuf   ? p::in_width
                         : job.target == kWbuf ? p::weight_width
                                               : p::out_width;
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        systolic::for_vectors(job.transfer, job.bytes, [&](std::int64_t address, std::int64_t n) {
            for (int k = 0; k < job.transfer.z_size; ++k) {
                std::uint64_t value = 0;
                for (int i = 0; i < job.bytes; ++i) {
                    const auto at = static_cast<std::uint64_t>(address + k * job.bytes + i);
                    value |= std::uint64_t{memory_.peek(at)} << 8 * i;
                }
                const std::int64_t cut =
                    systolic::model::wrap(static_cast<std::int64_t>(value), width);
                wanted_.at(job.target, job.corner.entry + static_cast<int>(n),
                           job.corner.bank + k) =
                    static_cast<std::uint32_t>(static_cast<std::uint64_t>(cut) & mask);
            }
        });
    }

    void drive(Vdut& dut) override {
        in_ = {};
        offers_ = pending_ && (offers_ || chance(case_.offer));
        in_.resolver2load_valid = offers_;
        in_.resolver2load_parameters = systolic::encode(instruction(job_));
        in_.load2obuf_ready = chance(case_.take);
        in_.arready = pins_.ar_ready;
        in_.rvalid = pins_.r_valid;
        in_.rresp = pins_.r_valid ? pins_.r_resp : random().word() & 3;
        dut.resolver2load_valid = offers_;
        put_noise(dut.resolver2load_parameters, 120, random());
        if (offers_)
            put_parameters(dut.resolver2load_parameters, in_.resolver2load_parameters, chance(50));
        dut.load2obuf_ready = in_.load2obuf_ready;
        dut.m_axi_load_arready = in_.arready;
        dut.m_axi_load_rvalid = in_.rvalid;
        dut.m_axi_load_rresp = static_cast<std::uint8_t>(in_.rresp);
        put_noise(dut.m_axi_load_rdata, p::axi_data_width, random());
        if (!in_.rvalid) return;
        dut.m_axi_load_rid = static_cast<std::uint8_t>(pins_.r_id);
        dut.m_axi_load_rlast = pins_.r_last;
        put_bytes(dut.m_axi_load_rdata, pins_.r_data, p::axi_bytes);
    }

    void sample(Vdut& dut) override {
        compare(dut);
        if (::testing::Test::HasFatalFailure()) return;
        const Load::Outputs out = model_.outputs();
        take_writes(dut, out);
        if (offers_ && out.resolver2load_ready) {
            started_ = cycle();
            pending_ = offers_ = false;
        }
        if (out.load2resolver_done) {
            ASSERT_TRUE(started_ >= 0 && started_ < cycle()) << "done before the start";
            is_done_ = true;
        }
        errors_ += out.load2control_error;
        pins_.ar_valid = dut.m_axi_load_arvalid;
        pins_.r_ready = dut.m_axi_load_rready;
        pins_.ar_id = dut.m_axi_load_arid;
        pins_.ar_len = dut.m_axi_load_arlen;
        pins_.ar_addr = dut.m_axi_load_araddr;
        pins_.ar = {dut.m_axi_load_arsize,  dut.m_axi_load_arburst, dut.m_axi_load_arlock,
                    dut.m_axi_load_arcache, dut.m_axi_load_arprot,  dut.m_axi_load_arqos};
        ASSERT_TRUE(!pins_.ar_valid || pins_.ar_id == 2);
        axi_.clock(pins_);
        model_.clock(in_);
    }

    void compare(const Vdut& dut) {
        const Load::Outputs out = model_.outputs();
        ASSERT_EQ(dut.resolver2load_ready, out.resolver2load_ready) << "cycle " << cycle();
        ASSERT_EQ(dut.load2resolver_done, out.load2resolver_done) << "cycle " << cycle();
        ASSERT_EQ(dut.load2control_error, out.load2control_error) << "cycle " << cycle();
        if (out.load2control_error) {
            ASSERT_EQ(dut.load2control_address, out.load2control_address) << "cycle " << cycle();
        }
        ASSERT_EQ(dut.load2ibuf_write, out.load2ibuf_write) << "cycle " << cycle();
        ASSERT_EQ(dut.load2wbuf_write, out.load2wbuf_write) << "cycle " << cycle();
        ASSERT_EQ(dut.load2obuf_valid, out.load2obuf_valid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_load_arvalid, out.arvalid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_load_rready, out.rready);
        ASSERT_TRUE(!out.load2ibuf_write || dut.load2ibuf_entry == out.entry);
        ASSERT_TRUE(!out.load2wbuf_write || dut.load2wbuf_entry == out.entry);
        ASSERT_TRUE(!out.load2obuf_valid || dut.load2obuf_entry == out.entry);
        if (!out.arvalid) return;
        ASSERT_EQ(dut.m_axi_load_araddr, out.araddr) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_load_arlen, out.arlen) << "cycle " << cycle();
    }

    template <typename Dut>
    void take_writes(Dut& dut, const Load::Outputs& out) {
        if (out.load2ibuf_write)
            write(kIbuf, out.entry, dut.load2ibuf_enable, dut.load2ibuf_data, p::in_width);
        if (out.load2wbuf_write)
            write(kWbuf, out.entry, dut.load2wbuf_enable, dut.load2wbuf_data, p::weight_width);
        if (out.load2obuf_valid && in_.load2obuf_ready)
            write(kObuf, out.entry, dut.load2obuf_enable, dut.load2obuf_data, p::out_width);
        if constexpr (p::scales != 0) {
            ASSERT_EQ(dut.load2scale_write, out.load2scale_write) << "cycle " << cycle();
            if (!out.load2scale_write) return;
            ASSERT_EQ(dut.load2scale_entry, out.entry);
            write(kScale, out.entry, dut.load2scale_enable, dut.load2scale_data, 32);
        } else {
            ASSERT_FALSE(out.load2scale_write);
        }
    }

    template <typename Enable, typename Data>
    void write(Target target, int entry, const Enable& enable, const Data& data, int width) {
        ASSERT_FALSE(is_done_) << "a write behind done";
        for (int bank = 0; bank < Buffers::banks(target); ++bank) {
            if (get_bits(enable, bank, 1) == 0) continue;
            found_.at(target, entry, bank) = get_bits(data, bank * width, width);
        }
    }

    TransferCase case_;
    verif::Memory memory_;
    verif::AxiMemory axi_;
    verif::AxiPins pins_;
    Load model_{architecture()};
    Load::Inputs in_;
    Job job_;
    Buffers wanted_, found_;
    bool pending_ = false, offers_ = false, is_done_ = true, with_errors_ = false;
    long started_ = -1, cycles_ = 0;
    int errors_ = 0;
};

constexpr int kJobs = p::ibuf_entries > 100 ? 25 : 60;

TEST(Load, EveryElementInItsPlace) {
    for (const TransferCase& c : kTransferCases) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            SCOPED_TRACE(std::string(c.name) + ", seed " + std::to_string(seed));
            LoadBench bench(c, seed);
            for (int i = 0; i < kJobs; ++i) {
                bench.run(bench.chance(5) ? Job{} : bench.random_job());
                if (HasFailure()) return;
            }
            bench.finish();
            EXPECT_EQ(bench.errors(), 0);
        }
    }
}

TEST(Load, ErrorsAreToldAndEnd) {
    LoadBench bench(kTransferCases[2], 9);
    bench.set_errors();
    for (int i = 0; i < kJobs; ++i) {
        bench.run(bench.random_job());
        if (HasFailure()) return;
    }
    bench.finish();
    EXPECT_EQ(static_cast<std::uint64_t>(bench.errors()), bench.faults());
    EXPECT_GT(bench.errors(), 0);
}

/// Cycles beside those of beats or vectors.
constexpr long kStart = 40;

/// As many vectors of z elements as there is room for.
Job narrow_job(LoadBench& bench, Target target, int z, int gap) {
    Job job;
    job.target = target;
    job.transfer.bitwidth = 1;
    bench.set_corner(job);
    job.corner.bank = job.corner.entry = 0;
    bench.set_place(job);
    job.transfer.dram_address = 0x2000;
    job.transfer.x_size = std::max(1, job.corner.entries / 16);
    job.transfer.y_size = std::min(16, job.corner.entries);
    job.transfer.z_size = z;
    job.transfer.z_stride = job.transfer.y_stride = z + gap;
    return job;
}

/// A beat per cycle if vectors that follow each other fill beats.
TEST(LoadRate, DenseVectorsTakeACyclePerBeat) {
    LoadBench bench(kTransferCases[0], 1);
    constexpr int kLanes = p::axi_bytes / p::in_bytes;
    if (p::rows % kLanes != 0) GTEST_SKIP() << "vectors do not fill beats";
    for (const int offset : {0, 1}) {
        Job job = narrow_job(bench, kIbuf, p::rows, 0);
        job.transfer.dram_address += offset;
        bench.run(job);
        const long vectors = static_cast<long>(job.transfer.x_size * job.transfer.y_size);
        EXPECT_LE(bench.cycles(), vectors * (p::rows / kLanes) + kStart);
    }
    bench.finish();
}

/// A vector per cycle, whether they share beats or have one each.
TEST(LoadRate, ShortVectorsTakeACycleEach) {
    LoadBench bench(kTransferCases[0], 2);
    const int z = std::min(int{p::rows}, p::axi_bytes / p::in_bytes);
    for (const int gap : {0, 3 * p::axi_bytes / p::in_bytes - z}) {
        const Job job = narrow_job(bench, kIbuf, z, gap);
        bench.run(job);
        EXPECT_LE(bench.cycles(),
                  static_cast<long>(job.transfer.x_size * job.transfer.y_size) + kStart);
    }
    bench.finish();
}

}  // namespace
}  // namespace macrame::tb
