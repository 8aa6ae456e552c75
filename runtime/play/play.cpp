#include "runtime/play/play.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "runtime/macrame.h"

namespace macrame::program {

namespace {

/// More than any network needs; a file may claim anything.
constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 31;
constexpr std::size_t kMostSamples = 1024;

class Player {
public:
    Player(verif::Device& device, verif::Memory& memory, const PlayOptions& options)
        : device_(device), memory_(memory), options_(options) {}

    PlayResult run(const Bytes& file, const std::vector<Bytes>& inputs) {
        if (open(file) && prepare(inputs) && execute()) fetch();
        if (result_.error.empty()) result_.waits = wait_times();
        if (options_.counts && opened_)
            result_.samples.push_back({device_.cycle(), options_.counts()});
        if (thrown_ != nullptr) std::rethrow_exception(thrown_);
        if (opened_) result_.violations = device_.violations();
        return std::move(result_);
    }

private:
    bool done(int error, const std::string& where) {
        if (error == MACRAME_OK) return true;
        result_.error = where + ": " + macrame_error_text(error);
        return false;
    }

    bool open(const Bytes& file) {
        if (!done(macrame_open(&program_, file.data(), file.size()), "program")) return false;
        if (!options_.network.empty() &&
            !done(macrame_select(&program_, options_.network.c_str()), options_.network))
            return false;
        if (program_.memory_bytes > kMaxMemory) {
            result_.error = "program: " + std::to_string(program_.memory_bytes) +
                            " bytes of memory: want at most " + std::to_string(kMaxMemory);
            return false;
        }
        opened_ = true;
        block_.resize(static_cast<std::size_t>(program_.memory_bytes));
        machine_.user = this;
        machine_.read = [](void* user, std::uint32_t address) {
            std::uint32_t value = 0;
            self(user).guard([&] { value = self(user).read(address); });
            return value;
        };
        machine_.write = [](void* user, std::uint32_t address, std::uint32_t value) {
            self(user).guard([&] { self(user).write(address, value); });
        };
        machine_.wait = [](void* user, std::uint32_t ms) {
            int came = -1;  // ends the run
            self(user).guard([&] { came = self(user).wait(ms) ? 1 : 0; });
            return came;
        };
        machine_.sync = [](void* user, std::uint64_t offset, std::uint64_t bytes, int to_device) {
            self(user).guard([&] { self(user).sync(offset, bytes, to_device != 0); });
        };
        machine_.memory = block_.data();
        machine_.device_address = options_.block;
        machine_.memory_bytes = block_.size();
        return true;
    }

    bool prepare(const std::vector<Bytes>& inputs) {
        if (inputs.size() != program_.input_count) {
            result_.error = "program: " + std::to_string(inputs.size()) + " inputs: want " +
                            std::to_string(program_.input_count);
            return false;
        }
        if (!done(macrame_prepare(&program_, &machine_), "program")) return false;
        for (std::uint32_t i = 0; i < program_.input_count; ++i) {
            if (!done(macrame_write_input(&program_, &machine_, i, inputs[i].data(),
                                          inputs[i].size()),
                      "input " + std::to_string(i))) {
                return false;
            }
        }
        std::vector<verif::MemoryRange> looked_at;
        for (std::uint32_t i = 0; i < program_.output_count; ++i) {
            macrame_tensor tensor{};
            if (!done(macrame_get_output(&program_, i, &tensor), "program")) return false;
            looked_at.push_back({options_.block + tensor.offset, tensor.span});
        }
        device_.load_memory(looked_at);
        device_.reset();
        return true;
    }

    bool execute() {
        macrame_runner run{};
        if (!done(macrame_begin(&run, &program_, &machine_), "program")) return false;
        run.user = this;
        run.max_polls =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(options_.timeout, 0xFFFFFFFFu));
        run.layer = [](void* user, std::uint32_t number) {
            self(user).guard([&] {
                self(user).result_.layers.push_back({number, self(user).device_.cycle()});
            });
        };
        if (options_.host) {
            run.host = [](void* user, const macrame_machine*, std::uint32_t number) {
                bool well = false;
                self(user).guard([&] { well = self(user).host(number); });
                return well ? 0 : 1;
            };
        }
        progress();
        const int error = macrame_finish(&run);
        if (error == MACRAME_OK) return true;
        std::string where = "command " + std::to_string(run.next);
        macrame_layer layer{};
        if (macrame_get_layer(&program_, run.current, &layer) == MACRAME_OK)
            where += std::string(" in layer ") + layer.name;
        macrame_command command{};
        if (error == MACRAME_UNIT_BUSY &&
            macrame_get_command(&program_, run.next, &command) == MACRAME_OK)
            where += ", status register " + std::to_string(command.aux);
        return done(error, where);
    }

    void fetch() {
        for (std::uint32_t i = 0; i < program_.output_count; ++i) {
            macrame_tensor tensor{};
            if (!done(macrame_get_output(&program_, i, &tensor), "program")) return;
            Bytes bytes(static_cast<std::size_t>(tensor.bytes));
            if (!done(macrame_read_output(&program_, &machine_, i, bytes.data(), bytes.size()),
                      "output " + std::to_string(i))) {
                return;
            }
            result_.outputs.push_back(std::move(bytes));
        }
    }

    /// The k-th wait for a cause takes the k-th time that it came.
    std::vector<std::uint64_t> wait_times() const {
        std::vector<std::uint64_t> out;
        std::array<std::size_t, 32> taken{};
        for (std::uint32_t i = 0; i < program_.command_count; ++i) {
            macrame_command command{};
            if (macrame_get_command(&program_, i, &command) != MACRAME_OK) break;
            if (command.code != MACRAME_WAIT) continue;
            std::uint64_t last = 0;
            for (std::size_t bit = 0; bit < came_.size(); ++bit) {
                if ((command.value >> bit & 1u) == 0 || taken[bit] == came_[bit].size()) continue;
                last = std::max(last, came_[bit][taken[bit]++]);
            }
            out.push_back(last);
        }
        return out;
    }

    // ---- callbacks

    static Player& self(void* user) { return *static_cast<Player*>(user); }

    /// Exceptions do not pass through C: the first is kept for later, then nothing is done any
    /// more.
    template <class Do>
    void guard(Do&& call) noexcept {
        if (thrown_ != nullptr) return;
        try {
            call();
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    void progress() {
        last_progress_ = device_.cycle();
        if (options_.cycles != nullptr) options_.cycles->store(last_progress_);
    }

    /// Evenly spread: where they become many, every other one goes.
    void sample() {
        std::vector<PortSample>& samples = result_.samples;
        const std::uint64_t now = device_.cycle();
        if (!options_.counts || (!samples.empty() && now < samples.back().cycle + sample_step_))
            return;
        if (samples.size() == kMostSamples) {
            for (std::size_t i = 0; i < kMostSamples / 2; ++i)
                samples[i] = samples[2 * i];
            samples.resize(kMostSamples / 2);
            sample_step_ = std::max(
                2 * sample_step_, (samples.back().cycle - samples[0].cycle) / (samples.size() - 1));
        }
        samples.push_back({now, options_.counts()});
    }

    std::uint32_t read(std::uint32_t address) {
        const bool of_command =
            address != program_.interrupt_status && address != program_.identity_register;
        if (of_command && !result_.started) start(device_.cycle());
        const std::uint32_t value = device_.csb_read(address);
        if (address == program_.interrupt_status && value != 0) {
            // The pin follows the status a few cycles later; then its last rise was another one.
            const std::uint64_t rise = device_.interrupt() ? device_.interrupt_rise() : 0;
            const std::uint64_t time = rise != 0 ? rise : device_.cycle();
            result_.last_interrupt = std::max(result_.last_interrupt, time);
            for (std::size_t bit = 0; bit < came_.size(); ++bit)
                if ((value >> bit & 1u) != 0) came_[bit].push_back(time);
            progress();
        }
        return value;
    }

    void write(std::uint32_t address, std::uint32_t value) {
        device_.csb_write(address, value, options_.posted);
        sample();
        ++result_.register_writes;
        progress();
        if (!result_.started && address != program_.interrupt_status) start(device_.last_write());
    }

    /// The first command reads or writes a register.
    void start(std::uint64_t cycle) {
        result_.started = true;
        result_.first_command = cycle;
    }

    bool wait(std::uint32_t timeout_ms) {
        if (timeout_ms == 0) {
            device_.advance(1);
            return device_.interrupt();
        }
        while (!device_.interrupt()) {
            const std::uint64_t traffic = memory_.device_reads() + memory_.device_writes();
            if (traffic != last_traffic_) {
                last_traffic_ = traffic;
                progress();
            }
            if (device_.cycle() - last_progress_ > options_.timeout) return false;
            device_.advance(options_.wait_step);
            sample();
        }
        return true;
    }

    void sync(std::uint64_t offset, std::uint64_t bytes, bool to_device) {
        std::uint8_t* at = block_.data() + offset;
        if (to_device) {
            memory_.load(options_.block + offset, at, bytes);
            return;
        }
        device_.fetch_memory({options_.block + offset, bytes});
        const Bytes found = memory_.dump(options_.block + offset, bytes);
        std::copy(found.begin(), found.end(), at);
    }

    /// The operator sees all of the memory and may change all of it.
    bool host(std::uint32_t number) {
        sync(0, block_.size(), false);
        const bool well = options_.host(number, block_.data());
        sync(0, block_.size(), true);
        progress();
        return well;
    }

    verif::Device& device_;
    verif::Memory& memory_;
    const PlayOptions& options_;
    macrame_program program_{};
    macrame_machine machine_{};
    Bytes block_;
    PlayResult result_;
    std::exception_ptr thrown_;
    bool opened_ = false;
    std::uint64_t last_progress_ = 0, last_traffic_ = 0;
    std::uint64_t sample_step_ = 64;
    std::array<std::vector<std::uint64_t>, 32> came_;  // per cause, when
};

}  // namespace

PlayResult play(const Bytes& file, const std::vector<Bytes>& inputs, verif::Device& device,
                verif::Memory& memory, const PlayOptions& options) {
    return Player(device, memory, options).run(file, inputs);
}

}  // namespace macrame::program
