/// Drives a fuzz target without libFuzzer: all inputs of the corpus, then mutations of them.
///   TARGET [--seconds N] [--runs N] [--seed N] [--dictionary FILE] [--crash FILE] CORPUS...
/// CORPUS are files and folders of files. A run that aborts, that a sanitizer stops or that takes
/// longer than 10 seconds leaves its input in the crash file; `TARGET FILE` runs it again.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "verif/common/test/fuzz_mutate.hpp"
#include "verif/common/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Targets that know the structure of their inputs have a mutation of their own, and call ours.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                     std::size_t size,
                                                                     std::size_t room,
                                                                     unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

// Options of the sanitizers: end by a signal that we catch; bounds of memory.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "abort_on_error=1:max_allocation_size_mb=1024:hard_rss_limit_mb=2048:detect_leaks=1";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() {
    return "print_stacktrace=1:abort_on_error=1";
}

namespace {

namespace fs = std::filesystem;
namespace text = macrame::verif::text;

constexpr unsigned kSecondsPerInput = 10;
constexpr std::size_t kMaxBytes = 8192;

struct Options {
    std::uint64_t seconds = 0;
    std::uint64_t runs = 0;
    std::uint64_t seed = 1;
    std::string crash = "crash";
    std::vector<std::string> corpus;
    std::vector<std::string> dictionary;
};

macrame::verif::Mutator* mutator = nullptr;

// What the signal handler needs.
const std::string* current_input = nullptr;
const char* crash_path = nullptr;

void save_and_exit(int signal) {
    const char* message = signal == SIGALRM ? "fuzz: this input takes too long: " : "fuzz: input: ";
    const int file = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    bool saved = file >= 0 && current_input != nullptr;
    saved = saved && write(file, current_input->data(), current_input->size()) >= 0;
    for (const char* part : {message, saved ? crash_path : "not saved", "\n"}) {
        if (write(2, part, std::char_traits<char>::length(part)) < 0) break;
    }
    _exit(1);
}

void run(const std::string& input) {
    current_input = &input;
    alarm(kSecondsPerInput);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    alarm(0);
}

/// Words of a libFuzzer dictionary: a `"word"` per line, with \\, \" and \x0a.
std::vector<std::string> read_words(const std::string& content) {
    std::vector<std::string> words;
    for (std::string_view rest = content; !rest.empty();) {
        std::string_view line = text::trim(text::next_line(rest));
        if (line.size() < 2 || line.front() != '"' || line.back() != '"') continue;
        line = line.substr(1, line.size() - 2);
        std::string word;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const bool escape = line[i] == '\\' && i + 1 < line.size();
            if (escape) ++i;
            const auto byte = escape && line[i] == 'x'
                                  ? text::number("0x" + std::string(line.substr(i + 1, 2)))
                                  : std::nullopt;
            if (byte) i += 2;
            word += byte ? static_cast<char>(*byte) : line[i];
        }
        words.push_back(word);
    }
    return words;
}

std::string next_input(std::size_t room) {
    if (LLVMFuzzerCustomMutator == nullptr) return mutator->next();
    std::string input = mutator->first();
    std::size_t size = input.size();
    input.resize(room);
    auto* data = reinterpret_cast<std::uint8_t*>(input.data());
    for (unsigned times = 1 + mutator->number() % 3; times > 0; --times)
        size = LLVMFuzzerCustomMutator(data, size, room, mutator->number());
    input.resize(size);
    input.shrink_to_fit();  // reads behind the end are seen
    return input;
}

int complain(const std::string& what) {
    std::fputs(("fuzz: " + what + "\n").c_str(), stderr);
    return 2;
}

/// Contents of the files below `path`, in the order of their names.
bool add_corpus(const std::string& path, std::vector<std::string>& out) {
    std::vector<std::string> files;
    std::string problem;
    if (fs::is_directory(path)) {
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            if (entry.is_regular_file()) files.push_back(entry.path().string());
        }
        std::sort(files.begin(), files.end());
    } else {
        files.push_back(path);
    }
    for (const std::string& file : files) {
        const auto content = text::read_file(file, problem);
        if (!content) return complain(file + ": " + problem + ": want a file") == 0;
        out.push_back(*content);
    }
    return true;
}

bool parse(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string arg = argv[i];
        if (arg.rfind("--", 0) != 0) {
            if (!add_corpus(arg, options.corpus)) return false;
            continue;
        }
        const std::string value = ++i < argc ? argv[i] : "";
        std::uint64_t* number = arg == "--seconds" ? &options.seconds
                                : arg == "--runs"  ? &options.runs
                                : arg == "--seed"  ? &options.seed
                                                   : nullptr;
        std::string problem;
        if (number != nullptr) {
            const auto parsed = text::number(value);
            if (!parsed) return complain(arg + " = " + value + ": want a number") == 0;
            *number = *parsed;
        } else if (arg == "--crash") {
            options.crash = value;
        } else if (arg == "--dictionary") {
            const auto content = text::read_file(value, problem);
            if (!content) return complain(value + ": " + problem + ": want a file") == 0;
            options.dictionary = read_words(*content);
        } else {
            return complain("unknown option " + arg) == 0;
        }
    }
    return true;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room) {
    std::string text(reinterpret_cast<const char*>(data), size);
    mutator->change(text);
    text.resize(std::min(text.size(), room));
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

int main(int argc, char** argv) {
    Options options;
    if (!parse(argc, argv, options)) return 2;
    crash_path = options.crash.c_str();
    for (const int signal : {SIGABRT, SIGALRM, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
        std::signal(signal, save_and_exit);
    }
#ifndef __SANITIZE_ADDRESS__  // whose shadow memory is far larger
    const rlimit memory = {std::uint64_t{2} << 30, std::uint64_t{2} << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
    for (const std::string& input : options.corpus)
        run(input);
    std::uint64_t runs = 0;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(options.seconds);
    std::size_t room = kMaxBytes;
    for (const std::string& input : options.corpus)
        room = std::max(room, input.size());
    macrame::verif::Mutator mutations(options.seed, options.corpus, options.dictionary, room);
    mutator = &mutations;
    while (runs < options.runs || Clock::now() < end) {
        run(next_input(room));
        ++runs;
    }
    const std::string message = std::to_string(options.corpus.size()) +
                                " inputs of the corpus and " + std::to_string(runs) +
                                " mutations, seed " + std::to_string(options.seed) + ": ok\n";
    std::fputs(message.c_str(), stdout);
    return 0;
}
