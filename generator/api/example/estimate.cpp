/// What a network takes on a configuration, and its design: `macrame estimate` and `generate`.
///   estimate NETWORK PRESET FOLDER

#include <cstdio>
#include <string>

#include "api/configuration.hpp"
#include "api/session.hpp"

int main(int count, char** words) try {
    if (count != 4) return std::fputs("usage: estimate NETWORK PRESET FOLDER\n", stderr), 2;
    macrame::api::Choice choice;
    choice.preset = words[2];
    const macrame::api::Configuration configuration(choice);
    configuration.generate(words[3]);
    const macrame::api::Session session(configuration, words[1]);
    std::puts(session.estimate().c_str());
    return 0;
} catch (const macrame::api::Error& error) {
    std::fputs((std::string("estimate: ") + error.what() + "\n").c_str(), stderr);
    return 1;
}
