#include "messages.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace macrame {

namespace {

thread_local Collected* collected = nullptr;

}  // namespace

Collected::Collected() : before_(collected) { collected = this; }
Collected::~Collected() { collected = before_; }

bool report(const Diags& diags) {
    if (collected != nullptr) {
        Diags& all = collected->diags_;
        all.insert(all.end(), diags.begin(), diags.end());
    } else {
        for (const Diag& diag : diags)
            fmt::print(stderr, "macrame: {}\n", diag.text);
    }
    return !diags.empty();
}

}  // namespace macrame
