// SPDX-License-Identifier: Apache-2.0
// Filters that sort, group and compare the items of a sequence, as Jinja2 has them.
#include <fmt/format.h>

#include <algorithm>

#include "template/language/builtins.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

Value sort_key(const Value& value, bool case_sensitive) {
  return !case_sensitive && value.is_text() ? Value(lower_text(value.text())) : value;
}

// By several paths with commas, as sort(attribute="a,b").
Values keys_of(const Value& item, const Parameters& in, std::size_t attribute, bool case_sensitive) {
  if (!in.has(attribute) || in[attribute].is_none()) return {sort_key(item, case_sensitive)};
  if (!in[attribute].is_text()) return {sort_key(at_path(item, in[attribute]), case_sensitive)};
  Values keys;
  std::string_view rest = in[attribute].text();
  while (true) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    keys.push_back(sort_key(at_path(item, Value(rest.substr(0, end))), case_sensitive));
    if (end == rest.size()) return keys;
    rest.remove_prefix(end + 1);
  }
}

// Rows of keys may hold equal ones that have no order; a single key must have one.
enum class Keys { row, single };

Values sorted(Values items, bool reverse, Keys kind, auto&& keys) {
  struct Keyed {
    Values keys;
    Value item;
  };
  std::vector<Keyed> keyed;
  for (Value& item : items) {
    Values of_item = keys(item);
    keyed.push_back({std::move(of_item), std::move(item)});
  }
  const auto less = [&](const Keyed& a, const Keyed& b) {
    if (kind == Keys::single) return compare(a.keys[0], b.keys[0], "<") == -1;
    for (std::size_t i = 0; i < std::min(a.keys.size(), b.keys.size()); ++i) {
      if (!equal(a.keys[i], b.keys[i])) return compare(a.keys[i], b.keys[i], "<") == -1;
    }
    return false;
  };
  // Never past its ends, even if NaN makes the order inconsistent: insertion by binary search.
  std::vector<Keyed> out;
  for (Keyed& one : keyed) {
    const auto place = reverse ? std::upper_bound(out.begin(), out.end(), one,
                                                  [&](const Keyed& a, const Keyed& b) { return less(b, a); })
                               : std::upper_bound(out.begin(), out.end(), one, less);
    charge(1 + static_cast<std::size_t>(out.end() - place) / 8);
    out.insert(place, std::move(one));
  }
  Values values;
  for (Keyed& one : out) values.push_back(std::move(one.item));
  return values;
}

Value sort(Call& call) {
  const Parameters in(call, "sort", {"value", "reverse", "case_sensitive", "attribute"}, 1);
  const bool cases = in.flag(2, false), reverse = in.integer(1, 0) != 0;
  return Value::list(
      sorted(items_of(in[0]), reverse, Keys::row, [&](const Value& item) { return keys_of(item, in, 3, cases); }));
}

Value dict_sort(Call& call) {
  const Parameters in(call, "dictsort", {"value", "case_sensitive", "by", "reverse"}, 1);
  const std::string by = in.text(2, "key");
  if (by != "key" && by != "value") fail(FailureKind::value, "You can only sort by either \"key\" or \"value\"");
  if (const auto* undefined = in[0].get<Undefined>()) fail(undefined->kind, *undefined->message);
  const Value whole = unfolded(in[0]);
  if (!whole.is_mapping()) fail(FailureKind::type, "dictsort needs a mapping");
  Values items;
  for (const auto& [key, value] : (*whole.get<DictPtr>())->entries()) items.push_back(Value::tuple({key, value}));
  const bool cases = in.flag(1, false);
  return Value::list(sorted(std::move(items), in.flag(3, false), Keys::single, [&](const Value& item) {
    return Values{sort_key((*item.get<Tuple>()->items)[by == "key" ? 0 : 1], cases)};
  }));
}

Value extreme(Call& call, bool largest) {
  const Parameters in(call, largest ? "max" : "min", {"value", "case_sensitive", "attribute"}, 1);
  const bool cases = in.flag(1, false);
  const Values items = items_of(in[0]);
  if (items.empty()) return Value::undefined("No aggregated item, sequence was empty.");
  const Value* best = &items[0];
  Values best_keys = keys_of(*best, in, 2, cases);
  for (const Value& item : items) {
    if (&item == &items[0]) continue;
    Values keys = keys_of(item, in, 2, cases);
    const int order = compare(keys[0], best_keys[0], largest ? ">" : "<");
    if (order != (largest ? 1 : -1)) continue;
    best = &item;
    best_keys = std::move(keys);
  }
  return *best;
}

// max(1, 2, 3) and max([1, 2, 3]): the filter of the items, undefined if there are none.
Value extreme_of_arguments(Call& call, bool largest) {
  if (call.positional.empty())
    fail(FailureKind::type, fmt::format("{} expected at least 1 argument, got 0", largest ? "max" : "min"));
  const bool row = call.positional.size() == 1;
  Call of_row{call.render, {row ? call.positional[0] : Value::list(call.positional)}, call.named};
  return extreme(of_row, largest);
}

Value unique(Call& call) {
  const Parameters in(call, "unique", {"value", "case_sensitive", "attribute"}, 1);
  Dict seen;
  Values out;
  for (const Value& item : items_of(in[0])) {
    const Values keys = keys_of(item, in, 2, in.flag(1, false));
    const Value key = keys.size() == 1 ? keys[0] : Value::tuple(keys);
    if (seen.find(key)) continue;
    seen.set(key, true);
    out.push_back(item);
  }
  return Value::generator(std::move(out));
}

Value group_by(Call& call) {
  const Parameters in(call, "groupby", {"value", "attribute", "default", "case_sensitive"}, 2);
  const bool cases = in.flag(3, false);
  const auto key_of = [&](const Value& item) { return at_path(item, in[1], in.has(2) ? &in[2] : nullptr); };
  const Values items = sorted(items_of(in[0]), false, Keys::single,
                              [&](const Value& item) { return Values{sort_key(key_of(item), cases)}; });
  Values groups, group;
  std::optional<Value> current;
  const auto finish = [&] {
    if (!current) return;
    // The first item's own key, in its case.
    const Value key = key_of(group[0]);
    static constexpr std::string_view fields[] = {"grouper", "list"};
    static constexpr TupleNames names{"_GroupTuple", fields, false};
    groups.push_back(Value::tuple({key, Value::list(std::exchange(group, {}))}, &names));
  };
  for (const Value& item : items) {
    const Value key = sort_key(key_of(item), cases);
    if (!current || !equal(*current, key)) {
      finish();
      current = key;
    }
    group.push_back(item);
  }
  finish();
  return Value::list(std::move(groups));
}

constexpr Builtin kOrderFilters[] = {
    {"dictsort", dict_sort},
    {"groupby", group_by},
    {"max", [](Call& call) { return extreme(call, true); }},
    {"min", [](Call& call) { return extreme(call, false); }},
    {"sort", sort},
    {"unique", unique},
};

constexpr Builtin kOrderGlobals[] = {
    {"max", [](Call& call) { return extreme_of_arguments(call, true); }},
    {"min", [](Call& call) { return extreme_of_arguments(call, false); }},
};

}  // namespace

Values sorted_by_keys(Values items, const Values& keys, bool reverse) {
  std::size_t next = 0;
  return sorted(std::move(items), reverse, Keys::single, [&](const Value&) { return Values{keys[next++]}; });
}

std::span<const Builtin> order_filters() {
  return kOrderFilters;
}
std::span<const Builtin> order_globals() {
  return kOrderGlobals;
}

}  // namespace hearth::templates
