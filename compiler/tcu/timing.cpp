#include "compiler/tcu/timing.hpp"

#include <algorithm>
#include <cstddef>

namespace macrame::tcu::compiler {

namespace {

// Cycles between engines, as the templates have them.
constexpr Time kDecode = 4;       ///< from an instruction to an engine that is idle
constexpr Time kIssue = 6;        ///< the same through the compute queue
constexpr Time kLocalRead = 3;    ///< from a grant of local memory to the engine
constexpr Time kSwapBehind = 5;   ///< from the last row of weights to the change
constexpr Time kAcknowledge = 8;  ///< of a write of DRAM
constexpr Time kAccumulate = 4;   ///< from a write of an accumulator to its next read
constexpr Time kMultiply = 2;     ///< more behind a multiplication into a register
}  // namespace

template <typename Each>
void Timing::for_pieces(const Instruction& i, const Each& each) const {
    const auto block = static_cast<std::uint64_t>(m_.local_block);
    for (std::uint64_t first = 0; first < i.size;) {
        const std::uint64_t local = i.address0 + (first << i.stride0);
        const std::uint64_t left = block - local % block;
        const std::uint64_t step = std::uint64_t{1} << i.stride0;
        const std::uint64_t count = std::min(i.size - first, (left + step - 1) / step);
        each(Piece{local, i.address1 + (first << i.stride1), static_cast<Time>(count)});
        first += count;
    }
}

Time Timing::issue(const Queue& engine) {
    issued_ = std::max({issued_ + 1, decode(computes_) + kIssue, engine.room()});
    computes_.enter(issued_);
    return issued_;
}

Time Timing::issue_to_both() {
    issued_ = std::max(issued_, acc_queue_.room() - 1);
    return issue(feed_queue_);
}

Time Timing::load(const Instruction& i, const Piece& piece, std::size_t bank) {
    Time request = decode(loads_) + kDecode;
    request = std::max(request, i.stride1 == 0 ? stored_[bank][piece.other] : last_store_);
    const auto last = piece.other + ((static_cast<std::uint64_t>(piece.size) - 1) << i.stride1);
    if (i.stride1 == 0) request = std::max(request, stored_[bank][last]);
    const Time beats = piece.size * std::max(1, m_.beats);
    data_[bank] = std::max(data_[bank], request + m_.latency) + beats;
    const Time free = std::max({load_, read_[piece.local], written_[piece.local]});
    load_ = std::max(data_[bank], free + piece.size);
    written_[piece.local] = std::max(written_[piece.local], load_);
    loads_.enter(load_);
    return load_;
}

Time Timing::store(const Instruction&, const Piece& piece, std::size_t bank) {
    const Time start =
        std::max({decode(stores_) + kDecode, store_, written_[piece.local]}) + kLocalRead;
    read_[piece.local] = std::max(read_[piece.local], start + piece.size);
    store_ = start - kLocalRead + piece.size * std::max(1, m_.beats);
    const Time acked = store_ + kLocalRead + kAcknowledge;
    stored_[bank][piece.other] = acked;
    stored_[bank][piece.other + static_cast<std::uint64_t>(piece.size) - 1] = acked;
    last_store_ = acked;
    stores_.enter(store_);
    return acked;
}

Time Timing::weights(Time size, const std::uint64_t* local) {
    Time start = std::max(issue(weight_queue_), weights_);
    // The chain is free when the rows before have been taken.
    if (!fresh_) start = std::max(start, swap_ + 1);
    if (local != nullptr) start = std::max(start, written_[*local]);
    weights_ = start + (size + m_.vectors - 1) / m_.vectors;
    if (local != nullptr) read_[*local] = std::max(read_[*local], weights_);
    weight_queue_.enter(start);
    fresh_ = true;
    return weights_;
}

Time Timing::ready(std::uint64_t first, Time size, int stride, Time start) {
    for (Time n = 0; n < size; ++n) {
        const std::uint64_t a = first + (static_cast<std::uint64_t>(n) << stride);
        if (a < accumulators_.size()) start = std::max(start, accumulators_[a] + kAccumulate - n);
    }
    return start;
}

Time Timing::ready_to_add(std::uint64_t first, Time size, int stride, Time start) {
    const Time behind = first < accumulators_.size() ? start - accumulators_[first] : kAccumulate;
    return behind >= 1 && behind <= 1 + m_.vectors ? start : ready(first, size, stride, start);
}

void Timing::wrote(std::uint64_t first, Time size, int stride, Time start) {
    for (Time n = 0; n < size; ++n) {
        const std::uint64_t a = first + (static_cast<std::uint64_t>(n) << stride);
        if (a < accumulators_.size()) accumulators_[a] = start + n;
    }
}

Time Timing::product(const Instruction& i, const Piece& piece) {
    Time start = std::max(issue_to_both(), feed_);
    if (!i.has(kMatMulZeroes)) start = std::max(start, written_[piece.local]);
    if (fresh_) {
        start = std::max({start, weights_ + kSwapBehind, swap_ + m_.swap});
        swap_ = start;
        fresh_ = false;
    }
    Time acc = std::max(acc_, start + kLocalRead + m_.array_latency);
    if (i.has(kMatMulAccumulate)) acc = ready_to_add(piece.other, piece.size, i.stride1, acc);
    const Time cycles = (piece.size + m_.vectors - 1) / m_.vectors;
    // Two vectors per cycle: an operation is held back for one that continues it.
    const bool joins = piece.other == continues_;
    continues_ = piece.other + (static_cast<std::uint64_t>(piece.size) << i.stride1);
    acc_ = acc + (joins ? cycles : std::max<Time>(cycles, m_.vectors));
    feed_ = std::max(start + cycles, acc_ - m_.results);
    if (!i.has(kMatMulZeroes)) read_[piece.local] = std::max(read_[piece.local], feed_);
    wrote(piece.other, piece.size, i.stride1, acc);
    feed_queue_.enter(start);
    acc_queue_.enter(acc);
    return acc_;
}

Time Timing::to_accumulators(const Instruction& i, const Piece& piece) {
    constexpr Time kMoves = 8;  // that wait in front of the accumulators
    const Time start = std::max({issue_to_both(), feed_, written_[piece.local]});
    Time acc = std::max(acc_, start + kLocalRead);
    if (i.flags == kLocalToAccumulatorAdd)
        acc = ready_to_add(piece.other, piece.size, i.stride1, acc);
    acc_ = acc + piece.size;
    feed_ = std::max(start + piece.size, acc_ - kMoves);
    read_[piece.local] = std::max(read_[piece.local], feed_);
    wrote(piece.other, piece.size, i.stride1, acc);
    feed_queue_.enter(start);
    acc_queue_.enter(acc);
    return acc_;
}

Time Timing::to_local(const Instruction& i, const Piece& piece) {
    Time start = std::max({issue(acc_queue_), acc_, read_[piece.local]});
    start = ready(piece.other, piece.size, i.stride1, start);
    acc_ = start + piece.size;
    written_[piece.local] = std::max(written_[piece.local], acc_ + kLocalRead);
    acc_queue_.enter(start);
    return acc_ + kLocalRead;
}

Time Timing::simd(const Instruction& i) {
    Time start = std::max(issue(acc_queue_), acc_);
    if (i.has(kSimdRead)) start = ready(i.address1, 1, 0, start);
    const bool reads_register =
        simd_sources(i.simd_op) > 0 &&
        (i.simd_left != 0 || (simd_sources(i.simd_op) > 1 && i.simd_right != 0));
    if (reads_register) start = std::max(start, register_);
    if (i.simd_dest != 0) register_ = start + 1 + (i.simd_op == kSimdMultiply ? kMultiply : 0);
    if (i.has(kSimdWrite)) wrote(i.address0, 1, 0, start);
    acc_ = start + 1;
    acc_queue_.enter(start);
    return acc_;
}

Time Timing::run(const Instruction& i) {
    Time end = clock_;
    if (i.is(kSimd)) return simd(i);
    if (i.is(kLoadWeights)) {
        const Time size = std::min(static_cast<Time>(i.size), rows_);
        if (i.has(kLoadWeightsZeroes)) return weights(size, nullptr);
        Instruction rows = i;
        rows.size = static_cast<std::uint64_t>(size);
        for_pieces(rows, [&](const Piece& piece) { end = weights(piece.size, &piece.local); });
        return end;
    }
    if (i.is(kMatMul) && i.has(kMatMulZeroes))
        return product(i, {0, i.address1, static_cast<Time>(i.size)});
    if (i.is(kMatMul)) {
        for_pieces(i, [&](const Piece& piece) { end = product(i, piece); });
        return end;
    }
    if (!i.is(kDataMove)) return ++clock_;
    for_pieces(i, [&](const Piece& piece) {
        switch (i.flags) {
            case kDram0ToLocal:
            case kDram1ToLocal:
                end = load(i, piece, i.flags == kDram0ToLocal ? 0 : 1);
                break;
            case kLocalToDram0:
            case kLocalToDram1:
                end = store(i, piece, i.flags == kLocalToDram0 ? 0 : 1);
                break;
            case kAccumulatorToLocal:
                end = to_local(i, piece);
                break;
            default:
                end = to_accumulators(i, piece);
                break;
        }
    });
    return end;
}

}  // namespace macrame::tcu::compiler
