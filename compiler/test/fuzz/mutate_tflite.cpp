/// Mutations of TFLite files, in place: numbers in vectors and fields become others, references
/// other references.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "compiler/test/fuzz/mutate.hpp"
#include "tflite_generated.h"

namespace macrame::front::test {
namespace {

using Random = verif::Random;

/// Elements of a vector of numbers, in the file.
template <typename Element>
Element* elements(const flatbuffers::Vector<Element>* vector) {
    return const_cast<Element*>(reinterpret_cast<const Element*>(vector->Data()));
}

/// One element becomes any number, or two change places. A mutated reference can point to a
/// vector that is not aligned, so elements are copied byte by byte.
template <typename Element>
void mutate(const flatbuffers::Vector<Element>* vector, Random& random) {
    if (vector == nullptr || vector->size() == 0) return;
    auto* data = const_cast<std::uint8_t*>(vector->Data());
    const auto any_place = [&] {
        const auto place = random.in(0, static_cast<int>(vector->size()) - 1);
        return data + static_cast<std::size_t>(place) * sizeof(Element);
    };
    std::uint8_t* const to = any_place();
    if (random.chance(30)) {
        std::swap_ranges(to, to + sizeof(Element), any_place());
        return;
    }
    const auto number = static_cast<Element>(any_number(random));
    std::memcpy(to, &number, sizeof number);
}

template <typename Table>
const Table* any(const flatbuffers::Vector<flatbuffers::Offset<Table>>* tables, Random& random) {
    if (tables == nullptr || tables->size() == 0) return nullptr;
    return tables->Get(static_cast<unsigned>(random.in(0, static_cast<int>(tables->size()) - 1)));
}

/// A field that the file has; others cannot be set in place.
template <typename Value, typename Table>
void set(const Table* table, flatbuffers::voffset_t field, int value) {
    auto* fields =
        const_cast<flatbuffers::Table*>(reinterpret_cast<const flatbuffers::Table*>(table));
    if (fields->CheckField(field))
        fields->SetField<Value>(field, static_cast<Value>(value), static_cast<Value>(~value));
}

void mutate(const schema::Tensor& tensor, Random& random) {
    using T = schema::Tensor;
    switch (random.in(0, 5)) {
        case 0:
            set<std::int8_t>(&tensor, T::VT_TYPE, random.in(-1, 20));
            return;
        case 1:
            set<std::uint32_t>(&tensor, T::VT_BUFFER, any_number(random));
            return;
        case 2:
            if (tensor.quantisation() == nullptr) return;
            mutate(tensor.quantisation()->zero_point(), random);
            return;
        case 3: {
            if (tensor.quantisation() == nullptr) return;
            const auto* scale = tensor.quantisation()->scale();
            constexpr float kScales[] = {0, -1, 1e-30F, 1e30F, 0.5F, 1e-3F};
            if (scale != nullptr && scale->size() != 0)
                elements(scale)[0] = kScales[random.in(0, 5)];
            return;
        }
        default:
            mutate(tensor.shape(), random);
    }
}

/// A field of a table of options, of which only the beginning is known to lie within the file.
void mutate_options(const schema::Options* options, const std::uint8_t* end, Random& random) {
    auto* table =
        const_cast<flatbuffers::Table*>(reinterpret_cast<const flatbuffers::Table*>(options));
    // At most eight fields of up to four bytes.
    const auto field = static_cast<flatbuffers::voffset_t>(4 + 2 * random.in(0, 7));
    std::uint8_t* place = table->GetAddressOf(field);
    if (place == nullptr || place + sizeof(std::int32_t) > end) return;
    if (random.chance(50)) {
        *place = static_cast<std::uint8_t>(random.in(-1, 4));
    } else {
        const std::int32_t value = any_number(random);
        std::memcpy(place, &value, sizeof(value));
    }
}

void mutate(const schema::Operator& op, const std::uint8_t* end, Random& random) {
    using T = schema::Operator;
    if (random.chance(20)) set<std::uint32_t>(&op, T::VT_OPCODE_INDEX, random.in(0, 12));
    if (random.chance(60))
        mutate(random.chance(60) ? op.inputs() : op.outputs(), random);
    else if (op.options() != nullptr)
        mutate_options(op.options(), end, random);
}

/// One change to a file that can be read.
void mutate_once(std::uint8_t* data, std::size_t size, Random& random) {
    const schema::Model& model = *schema::GetModel(data);
    const schema::SubGraph* graph = any(model.subgraphs(), random);
    if (graph == nullptr) return;
    const schema::Tensor* tensor = any(graph->tensors(), random);
    const schema::Operator* op = any(graph->operators(), random);
    switch (random.in(0, 9)) {
        case 0:
            mutate(random.chance(50) ? graph->inputs() : graph->outputs(), random);
            break;
        case 1:
            if (const schema::OperatorCode* code = any(model.operator_codes(), random)) {
                const int number = random.in(0, 130);
                set<std::int8_t>(code, schema::OperatorCode::VT_SHORT_CODE, number);
                set<std::int32_t>(code, schema::OperatorCode::VT_CODE, number);
            }
            break;
        case 2:
        case 3:
        case 4:
        case 5:
            if (op != nullptr) mutate(*op, data + size, random);
            break;
        default:
            if (tensor != nullptr) mutate(*tensor, random);
    }
}

}  // namespace

bool mutate_tflite(std::uint8_t* data, std::size_t size, verif::Random& random) {
    bool changed = false;
    for (int i = random.low(1, 4); i > 0; --i) {
        flatbuffers::Verifier verifier(data, size);
        if (!schema::VerifyModelBuffer(verifier)) return changed;
        mutate_once(data, size, random);
        changed = true;
    }
    return changed;
}

}  // namespace macrame::front::test
