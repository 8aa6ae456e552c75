#pragma once
/// Golden model of CVIF. The port itself is a second MCIF (mcif.hpp), this is the switch that sends
/// a client to one of the two ports. It has no clock.

#include <cstddef>
#include <deque>

#include "mcif.hpp"

namespace macrame::dla::model {

/// A client's transactions come back in the order in which it sent them, whichever port they take.
/// Each port keeps its own order, so only a change of ports has to wait until the client has
/// nothing in flight.
class PortSwitch {
public:
    /// May a request for this port leave now?
    bool open(bool primary) const { return in_flight_.empty() || in_flight_.back() == primary; }

    /// A request for `answers` answers from this port has left.
    void sent(bool primary, int answers) {
        in_flight_.insert(in_flight_.end(), static_cast<std::size_t>(answers), primary);
    }

    /// Has this port the right to answer?
    bool may_answer(bool primary) const {
        return !in_flight_.empty() && in_flight_.front() == primary;
    }

    /// The next answer has come.
    void answered() { in_flight_.pop_front(); }

    std::size_t in_flight() const { return in_flight_.size(); }

private:
    std::deque<bool> in_flight_;  ///< port of each answer still to come
};

}  // namespace macrame::dla::model
