// SPDX-License-Identifier: Apache-2.0
// Calls of functions, filters, tests and methods. All have one shape: the value that a filter or test is applied to, or
// that a method belongs to, is the first positional argument.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "template/values/value.h"

namespace hearth::templates {

class Render;

struct Call {
  Render& render;
  Values positional;
  std::vector<std::pair<std::string, Value>> named = {};
};

using Function = Value (*)(Call&);

// The arguments of a call by the names of its parameters. The first `required` ones must be there; an argument that has
// no parameter fails with type, as in Python.
class Parameters {
 public:
  Parameters(Call& call, std::string_view function, std::initializer_list<std::string_view> names,
             std::size_t required);

  bool has(std::size_t index) const { return values_[index] != nullptr; }
  const Value& operator[](std::size_t index) const { return *values_[index]; }  // REQUIRES: has(index)
  // Fail with type if the argument is there and of another type.
  std::int64_t integer(std::size_t index, std::int64_t otherwise) const;
  double number(std::size_t index, double otherwise) const;
  std::string text(std::size_t index, std::string_view otherwise) const;
  bool flag(std::size_t index, bool otherwise) const { return has(index) ? truth(*values_[index]) : otherwise; }

 private:
  static constexpr std::size_t kMost = 12;
  const Value* values_[kMost] = {};
  std::string_view function_;
};

// A function as a value.
class FunctionObject final : public Object {
 public:
  FunctionObject(std::string_view name, Function function) : name_(name), function_(function) {}
  std::string_view type_name() const override { return "function"; }
  std::string to_text() const override;
  bool callable() const override { return true; }
  Value call(Call& call) const override { return function_(call); }

 private:
  std::string_view name_;
  Function function_;
};

// One evaluation, and the texts that the function may read: each call of one is charged by this.
void charge_arguments(const Call& call);
// Calls it; fails with type if it cannot be called.
Value call_value(const Value& callee, Call& call);

struct Builtin {
  std::string_view name;
  Function function;
};
// Null if there is none of that name.
Function find_filter(std::string_view name);
Function find_test(std::string_view name);
const Value* find_global(std::string_view name);

}  // namespace hearth::templates
