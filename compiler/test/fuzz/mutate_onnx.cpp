/// Mutations of ONNX files: parsed, changed, written again.
#include <algorithm>
#include <string>

#include "compiler/test/fuzz/mutate.hpp"
#include "onnx.pb.h"

namespace macrame::front::test {
namespace {

using Random = verif::Random;

template <typename List>
auto* any(List* list, Random& random) {
    return list->size() == 0 ? nullptr : list->Mutable(random.in(0, list->size() - 1));
}

template <typename Numbers>
void mutate_numbers(Numbers* numbers, Random& random) {
    if (numbers->size() == 0 || random.chance(10))
        numbers->Add(any_number(random));
    else if (random.chance(10))
        numbers->RemoveLast();
    else
        numbers->Set(random.in(0, numbers->size() - 1), any_number(random));
}

/// A name that the file has, or none.
std::string any_name(onnx_schema::Graph& graph, Random& random) {
    switch (random.in(0, 9)) {
        case 0:
            return "";
        case 1:
            return "nowhere";
        case 2:
            if (const auto* input = any(graph.mutable_input(), random)) return input->name();
            return "";
        case 3:
        case 4:
            if (const auto* one = any(graph.mutable_initializer(), random)) return one->name();
            return "";
        default:
            if (auto* node = any(graph.mutable_node(), random)) {
                if (const auto* name = any(node->mutable_output(), random)) return *name;
            }
            return "";
    }
}

void mutate(onnx_schema::Graph& graph, onnx_schema::Node& node, Random& random) {
    switch (random.in(0, 5)) {
        case 0:
            if (auto* name = any(node.mutable_output(), random)) *name = any_name(graph, random);
            return;
        case 1:
            if (const auto* other = any(graph.mutable_node(), random))
                node.set_op_type(other->op_type());
            return;
        case 2:
            if (auto* attribute = any(node.mutable_attribute(), random)) {
                attribute->set_i(any_number(random));
                if (random.chance(50)) mutate_numbers(attribute->mutable_ints(), random);
                if (random.chance(10)) attribute->set_type(random.in(0, 8));
            }
            return;
        case 3:
            node.add_input(any_name(graph, random));
            return;
        default:
            if (auto* name = any(node.mutable_input(), random)) *name = any_name(graph, random);
    }
}

void mutate(onnx_schema::Tensor& tensor, Random& random) {
    switch (random.in(0, 3)) {
        case 0:
            tensor.set_data_type(random.in(0, 12));
            return;
        case 1: {
            std::string* raw = tensor.mutable_raw_data();
            if (random.chance(50)) {
                raw->resize(static_cast<std::size_t>(random.in(0, 64)));
            } else if (raw->size() >= 4) {
                const std::int32_t value = any_number(random);
                const auto at = static_cast<std::size_t>(random.in(0, 1 << 16)) % (raw->size() / 4);
                std::copy_n(reinterpret_cast<const char*>(&value), 4, raw->data() + 4 * at);
            }
            return;
        }
        default:
            mutate_numbers(tensor.mutable_dims(), random);
    }
}

}  // namespace

bool mutate_onnx(std::uint8_t* data, std::size_t& size, std::size_t room, Random& random) {
    onnx_schema::Model model;
    if (!model.ParseFromArray(data, static_cast<int>(size)) || !model.has_graph()) return false;
    onnx_schema::Graph& graph = *model.mutable_graph();
    for (int i = random.low(1, 4); i > 0; --i) {
        switch (random.in(0, 9)) {
            case 0:
                if (auto* set = any(model.mutable_opset_import(), random))
                    set->set_version(random.in(1, 30));
                break;
            case 1:
                if (auto* input = any(graph.mutable_input(), random)) {
                    auto* type = input->mutable_type()->mutable_tensor_type();
                    if (random.chance(30)) type->set_elem_type(random.in(0, 12));
                    if (auto* dim = any(type->mutable_shape()->mutable_dim(), random))
                        dim->set_dim_value(any_number(random));
                }
                break;
            case 2:
                if (graph.node_size() > 1)
                    graph.mutable_node()->SwapElements(random.in(0, graph.node_size() - 1),
                                                       random.in(0, graph.node_size() - 1));
                break;
            case 3:
            case 4:
                if (auto* tensor = any(graph.mutable_initializer(), random))
                    mutate(*tensor, random);
                break;
            default:
                if (auto* node = any(graph.mutable_node(), random)) mutate(graph, *node, random);
        }
    }
    std::string text = model.SerializePartialAsString();
    if (text.size() > room) return false;
    std::copy(text.begin(), text.end(), data);
    size = text.size();
    return true;
}

}  // namespace macrame::front::test
