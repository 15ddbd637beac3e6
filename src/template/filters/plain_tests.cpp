// SPDX-License-Identifier: Apache-2.0
// Tests of types and comparisons: what stands after `is`.
#include <fmt/format.h>

#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/language/methods.h"
#include "template/values/arithmetic.h"

namespace hearth::templates {
namespace {

template <auto holds>
Value of_value(Call& call) {
  const Parameters in(call, "the test", {"value"}, 1);
  return holds(in[0]);
}

bool is_callable(const Value& value) {
  const auto* const object = value.get<ObjectPtr>();
  return value.is_undefined() || (object && (*object)->callable());
}
bool is_defined(const Value& value) {
  return !value.is_undefined();
}
bool is_undefined(const Value& value) {
  return value.is_undefined();
}
bool is_none(const Value& value) {
  return value.is_none();
}
bool is_boolean(const Value& value) {
  return value.get<bool>() != nullptr;
}
bool is_true(const Value& value) {
  return value.get<bool>() && *value.get<bool>();
}
bool is_false(const Value& value) {
  return value.get<bool>() && !*value.get<bool>();
}
bool is_integer(const Value& value) {
  return value.is_integer();
}
bool is_float(const Value& value) {
  return value.get<double>() != nullptr;
}
bool is_any_number(const Value& value) {
  return value.is_number();
}
bool is_string(const Value& value) {
  return value.is_text();
}
bool is_mapping(const Value& value) {
  return value.is_mapping();
}
bool is_list(const Value& value) {
  return value.get<List>() || (value.get<JsonNode>() && !value.is_mapping());
}
bool is_string_like(const Value& value) {
  return value.is_text() || value.get<Bytes>();
}
bool is_tuple(const Value& value) {
  return value.get<Tuple>() != nullptr;
}
bool is_datetime(const Value& value) {
  return value.get<DateTime>() != nullptr;
}
// Has a length and items.
bool is_sequence(const Value& value) {
  return length_of(value).has_value() && !value.get<ObjectPtr>();
}
bool is_filter_name(const Value& value) {
  return value.is_text() && find_filter(value.text());
}
bool is_test_name(const Value& value) {
  return value.is_text() && find_test(value.text());
}

// A str method, of whatever the value prints.
template <const char* name>
Value by_text_method(Call& call) {
  const Parameters in(call, "the test", {"value"}, 1);
  Call inner{call.render, {Value(to_text(in[0]))}};
  return find_text_method(name)->function(inner);
}
constexpr char kIsLower[] = "islower", kIsUpper[] = "isupper";

Value value_modulo(const Value& value, const Value& by) {
  return calculate(Operator::modulo, value, by);
}

template <int remainder>
Value parity(Call& call) {
  const Parameters in(call, "the test", {"value"}, 1);
  return equal(value_modulo(in[0], Value(2)), Value(remainder));
}

Value divisible(Call& call) {
  const Parameters in(call, "divisibleby", {"value", "num"}, 2);
  return equal(value_modulo(in[0], in[1]), Value(0));
}

template <bool same>
Value equality(Call& call) {
  const Parameters in(call, "eq", {"a", "b"}, 2);
  return equal(in[0], in[1]) == same;
}

template <int first, int second>
Value order(Call& call) {
  const Parameters in(call, "the test", {"a", "b"}, 2);
  const int result = compare(in[0], in[1], first < 0 ? (second == 0 ? "<=" : "<") : (second == 0 ? ">=" : ">"));
  return result == first || result == second;
}

Value membership(Call& call) {
  const Parameters in(call, "in", {"value", "seq"}, 2);
  return contains(in[1], in[0]);
}

Value containing(Call& call) {
  const Parameters in(call, "contains", {"seq", "value"}, 2);
  return contains(in[0], in[1]);
}

Value identity(Call& call) {
  const Parameters in(call, "sameas", {"value", "other"}, 2);
  if (in[0].data().index() != in[1].data().index() || in[0].is_undefined()) return false;
  if (const auto* list = in[0].get<List>()) return list->items == in[1].get<List>()->items;
  if (const auto* dict = in[0].get<DictPtr>()) return *dict == *in[1].get<DictPtr>();
  return equal(in[0], in[1]);
}

constexpr Builtin kPlainTests[] = {
    {"!=", equality<false>},
    {"<", order<-1, -1>},
    {"<=", order<-1, 0>},
    {"==", equality<true>},
    {">", order<1, 1>},
    {">=", order<1, 0>},
    {"boolean", of_value<is_boolean>},
    {"callable", of_value<is_callable>},
    {"contains", containing},
    {"datetime", of_value<is_datetime>},
    {"defined", of_value<is_defined>},
    {"divisibleby", divisible},
    {"eq", equality<true>},
    {"equalto", equality<true>},
    {"even", parity<0>},
    {"false", of_value<is_false>},
    {"filter", of_value<is_filter_name>},
    {"float", of_value<is_float>},
    {"ge", order<1, 0>},
    {"greaterthan", order<1, 1>},
    {"gt", order<1, 1>},
    {"in", membership},
    {"integer", of_value<is_integer>},
    {"iterable", of_value<is_iterable>},
    {"le", order<-1, 0>},
    {"lessthan", order<-1, -1>},
    {"list", of_value<is_list>},
    {"lower", by_text_method<kIsLower>},
    {"lt", order<-1, -1>},
    {"mapping", of_value<is_mapping>},
    {"ne", equality<false>},
    {"none", of_value<is_none>},
    {"number", of_value<is_any_number>},
    {"odd", parity<1>},
    {"sameas", identity},
    {"sequence", of_value<is_sequence>},
    {"set", of_value<is_set>},
    {"string", of_value<is_string>},
    {"string_like", of_value<is_string_like>},
    {"test", of_value<is_test_name>},
    {"true", of_value<is_true>},
    {"tuple", of_value<is_tuple>},
    {"undefined", of_value<is_undefined>},
    {"upper", by_text_method<kIsUpper>},
};

}  // namespace

std::span<const Builtin> plain_tests() {
  return kPlainTests;
}

}  // namespace hearth::templates
