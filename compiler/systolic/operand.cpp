#include "compiler/systolic/operand.hpp"

#include <vector>

namespace macrame::systolic::compiler {

namespace {

/// Elements of one byte.
const Transfer kNarrow = [] {
    Transfer out;
    out.bitwidth = 1;
    return out;
}();

/// Channels from `first` to before `end` that are rows of the matrix one after the other, or all
/// constant: where they end.
int end_of_run(const Operand& operand, int first, int end) {
    const std::optional<int> row = operand.row_of(first);
    int next = first + 1;
    for (; next < end; ++next) {
        const std::optional<int> other = operand.row_of(next);
        if (row.has_value() != other.has_value()) break;
        if (row && *other != *row + next - first) break;
    }
    return next;
}

}  // namespace

void OperandLoader::load(Group filters, Group channels, int entry) {
    for (int first = channels.first, end = first; first < channels.end; first = end) {
        end = end_of_run(*layer_.operand, first, channels.end);
        const std::optional<int> row = layer_.operand->row_of(first);
        const int at = entry + first - channels.first;
        if (!row)
            load_constant_rows(filters, {first, end}, at);
        else if (layer_.operand->turned)
            load_turned_rows(filters, *row, end - first, at);
        else
            load_rows(filters, *row, end - first, at);
    }
}

void OperandLoader::load_rows(Group filters, int first, int count, int entry) {
    const TensorLayout& from = layer_.operand->matrix;
    for (int m = filters.first, size = 0; m < filters.end; m += size) {
        size = from.together(m, filters.end);
        stream_.transfer(Module::load, {from.address(0, first, m), 1, count, size, 0, from.pixel},
                         {Buffer::wbuf, entry, m - filters.first}, kNarrow);
    }
}

void OperandLoader::load_turned_rows(Group filters, int first, int count, int entry) {
    const TensorLayout& from = layer_.operand->matrix;
    for (int m = filters.first; m < filters.end; ++m) {
        for (int k = first, size = 0; k < first + count; k += size) {
            size = from.together(k, first + count);
            stream_.transfer(Module::load, {from.address(0, m, k), 1, size, 1, 0, from.element},
                             {Buffer::wbuf, entry + k - first, m - filters.first}, kNarrow);
        }
    }
}

void OperandLoader::load_constant_rows(Group filters, Group channels, int entry) {
    const std::array<int, 4> key = {filters.first, filters.end, channels.first, channels.end};
    const auto [known, is_new] = constant_address_.try_emplace(key, 0);
    if (is_new) {
        std::vector<std::uint8_t> bytes;
        for (int c = channels.first; layer_.weights && c < channels.end; ++c)
            for (int m = filters.first; m < filters.end; ++m)
                bytes.push_back(static_cast<std::uint8_t>(layer_.weights(m, 0, 0, c)));
        known->second = constants_.add(bytes);
    }
    stream_.transfer(Module::load,
                     {known->second, 1, channels.size(), filters.size(), 0, filters.size()},
                     {Buffer::wbuf, entry, 0}, kNarrow);
}

}  // namespace macrame::systolic::compiler
