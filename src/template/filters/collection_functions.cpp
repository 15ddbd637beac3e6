// SPDX-License-Identifier: Apache-2.0
// set(…), tuple(…), dict.fromkeys(…), natural_sort(…).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/language/methods.h"
#include "template/values/text.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

Value to_set(Call& call) {
  const Parameters in(call, "set", {"value"}, 1);
  return set_value(items_of(in[0]));
}

Value to_tuple(Call& call) {
  const Parameters in(call, "tuple", {"value"}, 1);
  return Value::tuple(items_of(in[0]));
}

// A text in parts: texts, and the numbers between them with their signs. One begins with a text, even an empty one.
Values natural_key(std::string_view text) {
  Values parts;
  std::string between;
  const auto is_digit_at = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t sign = text[i] == '-' || text[i] == '+' ? 1 : 0;
    const bool whole = is_digit_at(i + sign);
    if (!whole && !(i + sign < text.size() && text[i + sign] == '.' && is_digit_at(i + sign + 1))) {
      between += text[i++];
      continue;
    }
    std::size_t end = i + sign;
    while (is_digit_at(end)) ++end;
    if (end < text.size() && text[end] == '.') {
      ++end;
      while (is_digit_at(end)) ++end;
    }
    if (end < text.size() && (text[end] | 0x20) == 'e') {
      const std::size_t exponent = end + 1 + (end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+'));
      if (is_digit_at(exponent)) {
        end = exponent;
        while (is_digit_at(end)) ++end;
      }
    }
    // Two numbers without a text between them have an empty one.
    if (!between.empty() || parts.empty() || !parts.back().is_text()) parts.emplace_back(std::exchange(between, {}));
    parts.emplace_back(read_number(text.substr(i, end - i)).value_or(0.0));
    i = end;
  }
  if (!between.empty()) parts.emplace_back(std::move(between));
  return parts;
}

enum class Cases { sensitive, ignored, lower_first };

Value natural_key_of(const Value& item, Cases cases) {
  if (item.is_text()) {
    std::u32string text = to_code_points(item.text());
    if (cases == Cases::ignored) text = case_folded(text);
    if (cases == Cases::lower_first) text = case_swapped(text);
    return Value::tuple(natural_key(to_utf8(text)));
  }
  if (item.is_number()) return Value::tuple({Value(""), item});
  if (item.is_none()) return Value::tuple({Value(""), Value(-std::numeric_limits<double>::infinity())});
  Values parts;
  for (const Value& part : items_of(item)) parts.push_back(natural_key_of(part, cases));
  return Value::tuple(std::move(parts));
}

// From names such as "IGNORECASE | REAL".
Cases cases_of(const Value& algorithm) {
  if (!algorithm.is_text()) fail(FailureKind::type, fmt::format("alg expected a string, got {}", type_name(algorithm)));
  const std::string names = upper_text(algorithm.text());
  for (std::size_t i = 0; i <= names.size();) {
    const std::size_t end = std::min(names.find('|', i), names.size());
    std::string_view name = trimmed(std::string_view(names).substr(i, end - i));
    if (name.starts_with("NS.")) name.remove_prefix(3);
    if (name == "IGNORECASE" || name == "IC") return Cases::ignored;
    if (name == "LOWERCASEFIRST" || name == "LF") return Cases::lower_first;
    i = end + 1;
  }
  return Cases::sensitive;
}

Value natural_sort(Call& call) {
  const Parameters in(call, "natural_sort", {"lst", "key", "alg", "reverse"}, 1);
  const Value whole = unfolded(in[0]);
  if (!whole.get<List>()) {
    if (const auto* undefined = in[0].get<Undefined>()) fail(undefined->kind, *undefined->message);
    fail(FailureKind::type, fmt::format("natural_sort expected a list, got {}", type_name(in[0])));
  }
  const Cases cases = in.has(2) && !in[2].is_none() ? cases_of(in[2]) : Cases::sensitive;
  Values keys;
  for (const Value& item : *whole.get<List>()->items) {
    Value key = item;
    if (in.has(1) && !in[1].is_none()) {
      if (!in[1].is_text() && !as_int(in[1]))
        fail(FailureKind::type, fmt::format("key expected a string or integer, got {}", type_name(in[1])));
      key = item_of(item, in[1]);
      if (key.is_undefined()) {
        if (!in[1].is_text()) fail(FailureKind::value, "natural_sort: an item has no such index");
        key = Value();
      }
    }
    keys.push_back(natural_key_of(key, cases));
  }
  return Value::list(sorted_by_keys(*whole.get<List>()->items, keys, in.flag(3, false)));
}

constexpr Builtin kCollectionFunctions[] = {{"natural_sort", natural_sort}};
constexpr Builtin kCollectionGlobals[] = {{"set", to_set}, {"tuple", to_tuple}};

}  // namespace

Value dict_from_keys(Call& call) {
  const Parameters in(call, "fromkeys", {"", ""}, 1);
  Dict dict;
  for (const Value& key : items_of(in[0])) dict.set(key, in.has(1) ? in[1] : Value());
  return Value::dict(std::move(dict));
}

std::span<const Builtin> collection_functions() {
  return kCollectionFunctions;
}
std::span<const Builtin> collection_globals() {
  return kCollectionGlobals;
}

}  // namespace hearth::templates
