// SPDX-License-Identifier: Apache-2.0
#include "template/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "template/arithmetic.h"

namespace hearth::templates {
namespace {

class BoundMethod final : public Object {
 public:
  BoundMethod(Value self, const Method& method) : self_(std::move(self)), method_(method) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  std::string to_text() const override { return fmt::format("<built-in method {}>", method_.name); }
  bool callable() const override { return true; }
  Value call(Call& call) const override {
    call.positional.insert(call.positional.begin(), self_);
    return method_.function(call);
  }

 private:
  const Value self_;
  const Method& method_;
};

[[noreturn]] Value refuse_change(Call& call) {
  fail(FailureKind::security,
       fmt::format("access to a method that changes a '{}' object is unsafe.", type_name(call.positional[0])));
}

Value count_in_row(Call& call) {
  const Parameters in(call, "count", {"self", "value"}, 2);
  std::int64_t count = 0;
  for (const Value& item : items_of(in[0])) count += equal(item, in[1]);
  return count;
}

Value index_in_row(Call& call) {
  const Parameters in(call, "index", {"self", "value", "start", "stop"}, 2);
  const Values items = items_of(in[0]);
  const auto size = static_cast<std::int64_t>(items.size());
  const auto place = [size](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
  for (std::int64_t i = place(in.integer(2, 0)); i < place(in.integer(3, size)); ++i) {
    if (equal(items[static_cast<std::size_t>(i)], in[1])) return i;
  }
  std::string shown;
  print_quoted(shown, in[1]);
  fail(FailureKind::value, fmt::format("{} is not in {}", shown, type_name(in[0])));
}

std::uint64_t magnitude(std::int64_t number) {
  return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

Value copy_of(Call& call) {
  return unfolded(call.positional[0]);
}

constexpr Method kListMethods[] = {{"count", count_in_row},    {"index", index_in_row},  {"copy", copy_of},
                                   {"append", refuse_change},  {"clear", refuse_change}, {"extend", refuse_change},
                                   {"insert", refuse_change},  {"pop", refuse_change},   {"remove", refuse_change},
                                   {"reverse", refuse_change}, {"sort", refuse_change}};
constexpr Method kTupleMethods[] = {{"count", count_in_row}, {"index", index_in_row}};

const Dict& dict_of(const Value& whole) {
  return **whole.get<DictPtr>();
}

constexpr Method kDictMethods[] = {
    {"get",
     [](Call& call) -> Value {
       const Parameters in(call, "get", {"self", "key", "default"}, 2);
       const Value otherwise = in.has(2) ? in[2] : Value();
       // Without unfolding all of a JSON object.
       if (const auto* json = in[0].get<JsonNode>()) {
         hash_of(in[1]);
         const auto* found = in[1].is_text() ? json->node->get_object().if_contains(in[1].text()) : nullptr;
         return found ? Value::from_json(json->root, *found) : otherwise;
       }
       const Value* const found = dict_of(in[0]).find(in[1]);
       return found ? *found : otherwise;
     }},
    {"items",
     [](Call& call) -> Value {
       const Parameters in(call, "items", {"self"}, 1);
       const Value whole = unfolded(in[0]);
       Values items;
       for (const auto& [key, value] : dict_of(whole).entries()) items.push_back(Value::tuple({key, value}));
       return Value::list(std::move(items));
     }},
    {"keys",
     [](Call& call) -> Value {
       const Parameters in(call, "keys", {"self"}, 1);
       return Value::list(items_of(unfolded(in[0])));
     }},
    {"values",
     [](Call& call) -> Value {
       const Parameters in(call, "values", {"self"}, 1);
       const Value whole = unfolded(in[0]);
       Values items;
       for (const auto& [key, value] : dict_of(whole).entries()) items.push_back(value);
       return Value::list(std::move(items));
     }},
    {"copy", copy_of},
    {"clear", refuse_change},
    {"pop", refuse_change},
    {"popitem", refuse_change},
    {"setdefault", refuse_change},
    {"update", refuse_change},
};

constexpr Method kFloatMethods[] = {{"is_integer", [](Call& call) -> Value {
                                       const double number = *call.positional[0].get<double>();
                                       return std::isfinite(number) && number == std::floor(number);
                                     }}};
constexpr Method kIntMethods[] = {
    {"bit_length",
     [](Call& call) -> Value {
       std::uint64_t size = magnitude(*as_int(call.positional[0]));
       std::int64_t bits = 0;
       for (; size; size >>= 1) ++bits;
       return bits;
     }},
    {"bit_count",
     [](Call& call) -> Value { return std::int64_t{__builtin_popcountll(magnitude(*as_int(call.positional[0])))}; }},
};

constexpr Method kBytesMethods[] = {{"decode",
                                     [](Call& call) -> Value {
                                       const Parameters in(call, "decode", {"self", "encoding", "errors"}, 1);
                                       return Value(*in[0].get<Bytes>()->bytes);
                                     }},
                                    {"hex", [](Call& call) -> Value {
                                       std::string text;
                                       for (const char c : *call.positional[0].get<Bytes>()->bytes)
                                         text += fmt::format("{:02x}", static_cast<unsigned char>(c));
                                       return Value(std::move(text));
                                     }}};

std::optional<Value> named_item(const Tuple& tuple, std::string_view name) {
  if (!tuple.names) return {};
  const auto found = std::ranges::find(tuple.names->items, name);
  if (found == tuple.names->items.end()) return {};
  return (*tuple.items)[static_cast<std::size_t>(found - tuple.names->items.begin())];
}

}  // namespace

const Method* find_in(std::span<const Method> methods, std::string_view name) {
  for (const Method& method : methods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

const Method* find_method(const Value& value, std::string_view name) {
  if (value.is_text()) return find_text_method(name);
  if (value.is_mapping()) return find_in(kDictMethods, name);
  if (value.get<List>() || value.get<JsonNode>()) return find_in(kListMethods, name);
  if (value.get<Tuple>() || value.get<Range>()) return find_in(kTupleMethods, name);
  if (value.get<double>()) return find_in(kFloatMethods, name);
  if (value.get<std::int64_t>() || value.get<bool>()) return find_in(kIntMethods, name);
  if (value.get<Bytes>()) return find_in(kBytesMethods, name);
  return find_moment_method(value, name);
}

Value bound(const Value& value, const Method& method) {
  return ObjectPtr(std::make_shared<const BoundMethod>(value, method));
}

std::optional<Value> field_of(const Value& value, std::string_view name) {
  if (const auto* range = value.get<Range>()) {
    if (name == "start") return range->start;
    if (name == "stop") return range->stop;
    if (name == "step") return range->step;
    return {};
  }
  if (const auto* tuple = value.get<Tuple>()) return named_item(*tuple, name);
  if (value.is_number()) {
    if (name == "real") return positive(value);
    if (name == "imag") return value.get<double>() ? Value(0.0) : Value(0);
    return {};
  }
  return moment_field(value, name);
}

}  // namespace hearth::templates
