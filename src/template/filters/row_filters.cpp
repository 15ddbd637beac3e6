// SPDX-License-Identifier: Apache-2.0
// Filters of sequences, as Jinja2 has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/language/loop.h"
#include "template/language/render.h"
#include "template/values/arithmetic.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

Value map(Call& call) {
  if (call.positional.empty()) fail(FailureKind::type, "map requires a filter or an attribute");
  // Anything that is false has no items, as in Jinja2.
  const Values items = truth(call.positional[0]) ? items_of(call.positional[0]) : Values();
  Values out;
  const auto named = [&](std::string_view name) -> const Value* {
    for (const auto& [own, value] : call.named) {
      if (own == name) return &value;
    }
    return nullptr;
  };
  if (call.positional.size() == 1 && named("attribute")) {
    const Value* const otherwise = named("default");
    for (const auto& [name, value] : call.named) {
      if (name != "attribute" && name != "default")
        fail(FailureKind::type, fmt::format("Unexpected keyword argument '{}'", name));
    }
    for (const Value& item : items) out.push_back(at_path(item, *named("attribute"), otherwise));
    return Value::generator(std::move(out));
  }
  if (call.positional.size() < 2) fail(FailureKind::type, "map requires a filter argument");
  const Value& name = call.positional[1];
  const Function filter = name.is_text() ? find_filter(name.text()) : nullptr;
  if (!filter) fail(FailureKind::name, fmt::format("No filter named '{}'.", to_text(name)));
  for (const Value& item : items) {
    Call inner{call.render, {item}, call.named};
    inner.positional.insert(inner.positional.end(), call.positional.begin() + 2, call.positional.end());
    charge_arguments(inner);
    out.push_back(filter(inner));
  }
  return Value::generator(std::move(out));
}

// select, reject, selectattr, rejectattr.
Value choose(Call& call, bool keep, bool by_attribute) {
  if (call.positional.empty() || (by_attribute && call.positional.size() < 2)) {
    fail(FailureKind::type, "Missing parameter for attribute name");
  }
  const std::size_t name_at = by_attribute ? 2 : 1;
  Function test = nullptr;
  if (call.positional.size() > name_at) {
    const Value& name = call.positional[name_at];
    test = name.is_text() ? find_test(name.text()) : nullptr;
    if (!test) fail(FailureKind::name, fmt::format("No test named '{}'.", to_text(name)));
  }
  Values out;
  if (!truth(call.positional[0])) return Value::generator({});
  for (const Value& item : items_of(call.positional[0])) {
    const Value value = by_attribute ? at_path(item, call.positional[1]) : item;
    bool holds;
    if (test) {
      Call inner{call.render, {value}, call.named};
      inner.positional.insert(inner.positional.end(),
                              call.positional.begin() + static_cast<std::ptrdiff_t>(name_at) + 1,
                              call.positional.end());
      charge_arguments(inner);
      holds = truth(test(inner));
    } else {
      holds = truth(value);
    }
    if (holds == keep) out.push_back(item);
  }
  return Value::generator(std::move(out));
}

Value first(Call& call) {
  const Parameters in(call, "first", {"seq"}, 1);
  const Values items = items_of(in[0]);
  return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(Call& call) {
  const Parameters in(call, "last", {"seq"}, 1);
  if (in[0].get<Generator>() || is_set(in[0]))
    fail(FailureKind::type, fmt::format("'{}' object is not reversible", type_name(in[0])));
  const Values items = items_of(in[0]);
  return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value length(Call& call) {
  const Parameters in(call, "length", {"obj"}, 1);
  if (const auto length = length_of(in[0])) return *length;
  fail(FailureKind::type, fmt::format("object of type '{}' has no len()", type_name(in[0])));
}

Value list(Call& call) {
  const Parameters in(call, "list", {"value"}, 1);
  return Value::list(items_of(in[0]));
}

Value join(Call& call) {
  const Parameters in(call, "join", {"value", "d", "attribute"}, 1);
  std::string out;
  const std::string separator = in.has(1) ? to_text(in[1]) : std::string();
  bool first = true;
  for (const Value& item : items_of(in[0])) {
    if (!std::exchange(first, false)) out += separator;
    print(out, in.has(2) && !in[2].is_none() ? at_path(item, in[2]) : item);
    charge_piece(separator.size(), out.size());
  }
  return Value(std::move(out));
}

Value sum(Call& call) {
  const Parameters in(call, "sum", {"iterable", "attribute", "start"}, 1);
  Value total = in.has(2) ? in[2] : Value(0);
  if (total.is_text()) fail(FailureKind::type, "sum() can't sum strings [use ''.join(seq) instead]");
  for (const Value& item : items_of(in[0])) {
    total = calculate(Operator::add, total, in.has(1) && !in[1].is_none() ? at_path(item, in[1]) : item);
  }
  return total;
}

Value reverse(Call& call) {
  const Parameters in(call, "reverse", {"value"}, 1);
  if (in[0].is_text()) {
    std::u32string text = to_code_points(in[0].text());
    std::reverse(text.begin(), text.end());
    return Value(to_utf8(text));
  }
  Values items;
  try {
    items = items_of(in[0]);
  } catch (const Failure&) {
    fail(FailureKind::type, "argument must be iterable");
  }
  std::reverse(items.begin(), items.end());
  // Without an order of its own it becomes a list.
  const bool made_list = in[0].get<Generator>() || is_set(in[0]) || in[0].is_undefined();
  return made_list ? Value::list(std::move(items)) : Value::generator(std::move(items));
}

Value batch(Call& call) {
  const Parameters in(call, "batch", {"value", "linecount", "fill_with"}, 2);
  const std::int64_t size = in.integer(1, 1);
  Values rows, row;
  for (const Value& item : items_of(in[0])) {
    if (static_cast<std::int64_t>(row.size()) == size) rows.push_back(Value::list(std::exchange(row, {})));
    row.push_back(item);
  }
  if (!row.empty()) {
    if (in.has(2) && !in[2].is_none()) {
      while (static_cast<std::int64_t>(row.size()) < size) charge(), row.push_back(in[2]);
    }
    rows.push_back(Value::list(std::move(row)));
  }
  return Value::generator(std::move(rows));
}

Value slice(Call& call) {
  const Parameters in(call, "slice", {"value", "slices", "fill_with"}, 2);
  const Values items = items_of(in[0]);
  const std::int64_t count = in.integer(1, 1);
  if (count == 0) fail(FailureKind::zero_division, "integer division or modulo by zero");
  const auto size = static_cast<std::int64_t>(items.size());
  Values rows;
  std::int64_t offset = 0;
  const std::int64_t each = size / std::max<std::int64_t>(count, 1), more = size % std::max<std::int64_t>(count, 1);
  for (std::int64_t i = 0; i < count; ++i) {
    charge();
    const std::int64_t start = offset + i * each;
    if (i < more) ++offset;
    const std::int64_t end = offset + (i + 1) * each;
    Values row(items.begin() + start, items.begin() + end);
    if (in.has(2) && !in[2].is_none() && i >= more) row.push_back(in[2]);
    rows.push_back(Value::list(std::move(row)));
  }
  return Value::generator(std::move(rows));
}

Value items(Call& call) {
  const Parameters in(call, "items", {"value"}, 1);
  if (in[0].is_undefined()) return Value::generator({});
  const Value whole = unfolded(in[0]);
  if (!whole.is_mapping()) fail(FailureKind::type, "Can only get item pairs from a mapping.");
  Values pairs;
  for (const auto& [key, value] : (*whole.get<DictPtr>())->entries()) pairs.push_back(Value::tuple({key, value}));
  return Value::generator(std::move(pairs));
}

Value random(Call& call) {
  const Parameters in(call, "random", {"seq"}, 1);
  call.render.saw_time();
  const Values items = items_of(in[0]);
  if (items.empty()) return Value::undefined("No random item, sequence was empty.");
  return items[call.render.random()() % items.size()];
}

constexpr Builtin kRowFilters[] = {
    {"batch", batch},
    {"count", length},
    {"first", first},
    {"items", items},
    {"join", join},
    {"last", last},
    {"length", length},
    {"list", list},
    {"map", map},
    {"random", random},
    {"reject", [](Call& call) { return choose(call, false, false); }},
    {"rejectattr", [](Call& call) { return choose(call, false, true); }},
    {"reverse", reverse},
    {"select", [](Call& call) { return choose(call, true, false); }},
    {"selectattr", [](Call& call) { return choose(call, true, true); }},
    {"slice", slice},
    {"sum", sum},
};

}  // namespace

Value at_path(const Value& item, const Value& path, const Value* otherwise) {
  if (path.is_none()) return item;
  const auto or_default = [otherwise](Value value) {
    return otherwise && !otherwise->is_none() && value.is_undefined() ? *otherwise : std::move(value);
  };
  if (!path.is_text()) return or_default(item_of(item, path));
  Value value = item;
  std::string_view rest = path.text();
  while (true) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, end);
    const bool number = !part.empty() && part.size() < 10 &&
                        std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    value = or_default(item_of(value, number ? Value(std::int64_t{std::stoll(std::string(part))}) : Value(part)));
    if (end == rest.size()) return value;
    rest.remove_prefix(end + 1);
  }
}

std::span<const Builtin> row_filters() {
  return kRowFilters;
}

}  // namespace hearth::templates
