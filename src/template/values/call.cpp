// SPDX-License-Identifier: Apache-2.0
#include "template/values/call.h"

#include <fmt/format.h>

namespace hearth::templates {

Parameters::Parameters(Call& call, std::string_view function, std::initializer_list<std::string_view> names,
                       std::size_t required)
    : function_(function) {
  if (call.positional.size() > names.size()) {
    fail(FailureKind::type,
         fmt::format("{}() takes at most {} arguments, {} are given", function, names.size(), call.positional.size()));
  }
  for (std::size_t i = 0; i < call.positional.size(); ++i) values_[i] = &call.positional[i];
  for (const auto& [name, value] : call.named) {
    std::size_t index = 0;
    while (index < names.size() && names.begin()[index] != name) ++index;
    if (index == names.size()) {
      fail(FailureKind::type, fmt::format("{}() got an unexpected keyword argument '{}'", function, name));
    }
    if (values_[index])
      fail(FailureKind::type, fmt::format("{}() got multiple values for argument '{}'", function, name));
    values_[index] = &value;
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (values_[i]) continue;
    fail(FailureKind::type,
         fmt::format("{}() missing 1 required positional argument: '{}'", function, names.begin()[i]));
  }
}

std::int64_t Parameters::integer(std::size_t index, std::int64_t otherwise) const {
  if (!has(index)) return otherwise;
  const Value& value = *values_[index];
  if (const auto integer = as_int(value)) return *integer;
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
  fail(FailureKind::type, fmt::format("{}(): expected int, not {}", function_, type_name(value)));
}

double Parameters::number(std::size_t index, double otherwise) const {
  if (!has(index)) return otherwise;
  const Value& value = *values_[index];
  if (const auto number = as_double(value)) return *number;
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
  fail(FailureKind::type, fmt::format("{}(): must be real number, not {}", function_, type_name(value)));
}

std::string Parameters::text(std::size_t index, std::string_view otherwise) const {
  if (!has(index)) return std::string(otherwise);
  const Value& value = *values_[index];
  if (value.is_text()) return std::string(value.text());
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
  fail(FailureKind::type, fmt::format("{}(): expected str, not {}", function_, type_name(value)));
}

std::string FunctionObject::to_text() const {
  return fmt::format("<function {}>", name_);
}

void charge_arguments(const Call& call) {
  std::size_t bytes = 0;
  for (const Value& value : call.positional) {
    if (value.is_text()) bytes += value.text().size();
    if (const auto* binary = value.get<Bytes>()) bytes += binary->bytes->size();
  }
  for (const auto& [name, value] : call.named) {
    if (value.is_text()) bytes += value.text().size();
  }
  charge(1 + bytes / 64);
}

Value call_value(const Value& callee, Call& call) {
  charge_arguments(call);
  if (const auto* undefined = callee.get<Undefined>()) fail(undefined->kind, *undefined->message);
  const auto* const object = callee.get<ObjectPtr>();
  if (!object || !(*object)->callable()) {
    fail(FailureKind::type, fmt::format("'{}' object is not callable", type_name(callee)));
  }
  const Deeper deeper;
  return (*object)->call(call);
}

}  // namespace hearth::templates
