#pragma once
/// Where messages to the user go.

#include "core/diag.hpp"

namespace macrame {

/// Prints the messages, or leaves them to the newest Collected of this thread; true if there is
/// one.
bool report(const Diags& diags);

/// While it lives, messages of its thread are kept here and not printed.
class Collected {
public:
    Collected();
    ~Collected();
    Collected(const Collected&) = delete;
    Collected& operator=(const Collected&) = delete;

    const Diags& diags() const { return diags_; }

private:
    friend bool report(const Diags& diags);
    Diags diags_;
    Collected* before_;
};

}  // namespace macrame
