// SPDX-License-Identifier: Apache-2.0
#include "template/language/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/values/arithmetic.h"

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

Value count_in_row(Call& call) {
  const Parameters in(call, "count", {"", ""}, 2);
  std::int64_t count = 0;
  for (const Value& item : items_of(in[0])) count += equal(item, in[1]);
  return count;
}

Value index_in_row(Call& call) {
  const Parameters in(call, "index", {"", "", "", ""}, 2);
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

Value copy_of(Call& call) {
  const Parameters in(call, "copy", {""}, 1);
  return unfolded(in[0]);
}

// Methods without a function change the value: they are unsafe.
constexpr Method kListMethods[] = {{"count", count_in_row}, {"index", index_in_row}, {"copy", copy_of},
                                   {"append", nullptr},     {"clear", nullptr},      {"extend", nullptr},
                                   {"insert", nullptr},     {"pop", nullptr},        {"remove", nullptr},
                                   {"reverse", nullptr},    {"sort", nullptr}};
constexpr Method kTupleMethods[] = {{"count", count_in_row}, {"index", index_in_row}};

const Dict& dict_of(const Value& whole) {
  return **whole.get<DictPtr>();
}

template <DictView::Kind kind>
Value view(Call& call) {
  const Parameters in(call, "the method", {""}, 1);
  return dict_view(kind, in[0]);
}

constexpr Method kDictMethods[] = {
    {"get",
     [](Call& call) -> Value {
       const Parameters in(call, "get", {"", "", ""}, 2);
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
    {"copy", copy_of},
    {"fromkeys",
     [](Call& call) -> Value {
       call.positional.erase(call.positional.begin());
       return dict_from_keys(call);
     }},
    {"items", view<DictView::Kind::items>},
    {"keys", view<DictView::Kind::keys>},
    {"values", view<DictView::Kind::values>},
    {"clear", nullptr},
    {"pop", nullptr},
    {"popitem", nullptr},
    {"setdefault", nullptr},
    {"update", nullptr},
};

constexpr Method kBytesMethods[] = {{"decode",
                                     [](Call& call) -> Value {
                                       const Parameters in(call, "decode", {"", "encoding", "errors"}, 1);
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
  if (value.is_number()) return find_number_method(value, name);
  if (value.get<Bytes>()) return find_in(kBytesMethods, name);
  return find_moment_method(value, name);
}

Value bound(const Value& value, const Method& method) {
  if (!method.function) {
    return Value::undefined(
        fmt::format("access to attribute '{}' of '{}' object is unsafe.", method.name, type_name(value)),
        FailureKind::security);
  }
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
    if (name == "numerator" && !value.get<double>()) return positive(value);
    if (name == "denominator" && !value.get<double>()) return Value(1);
    return {};
  }
  return moment_field(value, name);
}

}  // namespace hearth::templates
