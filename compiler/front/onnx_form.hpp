#pragma once
/// Brings ONNX files of any form into the one that the reader knows: operators in order, all of
/// them read, functions in their place, data inside.

#include <cstdint>
#include <map>
#include <string>

#include "compiler/front/building.hpp"
#include "onnx.pb.h"

namespace macrame::front {

/// "ai.onnx" has no name.
std::string domain_of(const std::string& domain);

/// What decides an If that is known, 0 or 1, or kBothBranches, or how many turns a Loop or Scan
/// has: by key_of().
using Branches = std::map<std::string, std::int64_t>;
/// Of an If whose condition is computed.
constexpr std::int64_t kBothBranches = 2;

/// The first name that an operator gives to a result, in the file; an output of the file may have
/// given it another one since.
std::string key_of(const onnx_schema::Node& node);
/// Whether the body of a Loop never ends it: what it says is what it was told, or true.
bool goes_on(const onnx_schema::Graph& body);

/// If of `taken` is replaced by the operators of that branch, Loop and Scan by those of each turn
/// (onnx_branches.cpp). Of both branches an If without attributes is left, which reads the
/// condition, all results of one branch and all of the other.
void inline_branches(onnx_schema::Model& model, const Branches& taken, Budget& budget);

/// Branches that are known are taken; functions of the file are replaced by what they are made of;
/// operators whose results no output needs are left out; the others are brought into an order in
/// which each reads what is there, and read what is in front of those that give what they read.
/// Throws a Refusal for functions that call themselves.
void settle_operators(onnx_schema::Model& model, const Branches& taken, Budget& budget);

/// Data in other files, and of sparse tensors. `path`: of the model. What cannot be read stays as
/// it is.
void settle_data(onnx_schema::Model& model, const std::string& path, Budget& budget);

/// What is wrong with a tensor's data outside of the file, where they stayed there.
std::string data_problem(const onnx_schema::Tensor& tensor);

}  // namespace macrame::front
