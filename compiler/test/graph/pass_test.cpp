#include "compiler/pass.hpp"

#include <gtest/gtest.h>

#include "compiler/dump.hpp"

namespace macrame::compiler {

namespace {

struct State {
    std::string steps;
    Compiled result;
};

constexpr std::array<Pass<State>, 3> kPasses = {{
    {"first", [](State& state) { state.steps += "a"; },
     [](const State& state) { return state.steps; }},
    {"second",
     [](State& state) {
         state.steps += "b";
         if (state.steps == "-ab") state.result.errors.emplace_back("stops");
     },
     [](const State& state) { return state.steps; }},
    {"third", [](State& state) { state.steps += "c"; },
     [](const State& state) { return state.steps; }},
}};

std::string dumped(State& state, std::string_view dump) {
    run(kPasses, state, dump);
    std::string out;
    for (const PassText& one : state.result.dumps)
        out += one.pass + ":" + one.text + " ";
    return out;
}

TEST(Pass, AllRunInOrderAndShowWhatIsAskedFor) {
    EXPECT_EQ(names(kPasses), (std::vector<std::string>{"first", "second", "third"}));
    State none, one, all;
    EXPECT_EQ(dumped(none, ""), "");
    EXPECT_EQ(none.steps, "abc");
    EXPECT_EQ(dumped(one, "second"), "second:ab ");
    EXPECT_EQ(dumped(all, kAllPasses), "first:a second:ab third:abc ");
}

TEST(Pass, AnErrorIsTheEnd) {
    State state;
    state.steps = "-";
    EXPECT_EQ(dumped(state, kAllPasses), "first:-a ");
    EXPECT_EQ(state.steps, "-ab");
}

TEST(Dump, BuffersOverTime) {
    EXPECT_EQ(memory_picture({{"late", 0, 64, 2, 3, false, false},
                              {"weights", 128, 32, 0, 0, true, true},
                              {"early", 0, 128, 0, 1, false, false},
                              {"unused", 64, 8, -1, -1, false, false}},
                             4),
              "160 bytes of memory for buffers of 232\n"
              "from left to right 4 layers, 1 in each column; = all the time, # in use\n"
              "\n"
              "    offset      bytes  time  buffer\n"
              "       0x0        128  ##..  early\n"
              "       0x0         64  ..##  late\n"
              "      0x40          8  ....  unused\n"
              "      0x80         32  ====  weights\n");
}

TEST(Dump, ManyLayersShareColumns) {
    const std::string text = memory_picture({{"middle", 0, 1, 64, 65, false, false}}, 130);
    EXPECT_NE(text.find("130 layers, 3 in each column"), std::string::npos) << text;
    EXPECT_NE(text.find("  " + std::string(21, '.') + "#" + std::string(22, '.') + "  middle\n"),
              std::string::npos)
        << text;
}

TEST(Dump, TimesAddUp) {
    LayerReport a, b;
    a.name = "one";
    a.cycles = 100;
    a.limiter = "memory";
    b.name = "two";
    b.node = 4;
    b.cycles = 20;
    b.mac_cycles = 7;
    b.limiter = "MAC array";
    EXPECT_EQ(
        times_table({a, b}, "SDP"),
        "layer operator       done    cycles       MAC       SDP    memory  limit, layer\n"
        "    0        0        100       100         0         0         0  memory, one\n"
        "    1        4        120        20         7         0         0  MAC array, two\n");
}

}  // namespace

}  // namespace macrame::compiler
