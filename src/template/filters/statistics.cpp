// SPDX-License-Identifier: Apache-2.0
// average, median, statistical_mode, as Python's module statistics has them; merge_response.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/values/arithmetic.h"

namespace hearth::templates {
namespace {

// The items, as one row or as all arguments; a row may have a default behind it.
struct Sample {
  Values items;
  const Value* otherwise = nullptr;
};

Sample sample_of(Call& call, std::string_view name, bool texts_are_rows) {
  Sample sample;
  for (const auto& [given, value] : call.named) {
    if (given != "default")
      fail(FailureKind::type, fmt::format("{}() got an unexpected keyword argument '{}'", name, given));
    sample.otherwise = &value;
  }
  if (call.positional.empty()) fail(FailureKind::type, fmt::format("{} expected at least 1 argument, got 0", name));
  const Value& first = call.positional[0];
  if (is_iterable(first) && (texts_are_rows || !first.is_text())) {
    if (call.positional.size() > 1 && !sample.otherwise) sample.otherwise = &call.positional[1];
    sample.items = items_of(first);
  } else if (call.positional.size() == 1) {
    fail(FailureKind::type, fmt::format("'{}' object is not iterable", type_name(first)));
  } else {
    sample.items = call.positional;
  }
  return sample;
}

Value otherwise(const Sample& sample, std::string_view name) {
  if (sample.otherwise) return *sample.otherwise;
  std::string shown;
  print_quoted(shown, Value::list(sample.items));
  fail(FailureKind::value, fmt::format("{} got invalid input {} but no default was specified", name, shown));
}

// The sum as if it were exact, rounded once: of partial sums that do not overlap.
double exact_sum(const std::vector<double>& numbers) {
  std::vector<double> parts;
  double special = 0;
  for (double number : numbers) {
    if (!std::isfinite(number)) special += number;
    std::size_t kept = 0;
    for (double part : parts) {
      if (std::abs(number) < std::abs(part)) std::swap(number, part);
      const double high = number + part, low = part - (high - number);
      if (low != 0) parts[kept++] = low;
      number = high;
    }
    parts.resize(kept);
    parts.push_back(number);
  }
  if (special != 0 || std::isnan(special)) return special;
  double high = 0, low = 0;
  while (!parts.empty() && low == 0) {
    const double before = high, part = parts.back();
    parts.pop_back();
    high = before + part;
    low = part - (high - before);
  }
  // Half to even, if the rest decides.
  if (!parts.empty() && low != 0 && (low < 0) == (parts.back() < 0)) {
    const double twice = low * 2, more = high + twice;
    if (twice == more - high) high = more;
  }
  return high;
}

Value average(Call& call) {
  const Sample sample = sample_of(call, "average", true);
  std::vector<double> numbers;
  for (const Value& item : sample.items) {
    const auto number = as_double(item);
    if (!number) return otherwise(sample, "average");
    numbers.push_back(*number);
  }
  if (numbers.empty()) return otherwise(sample, "average");
  const double sum = exact_sum(numbers);
  if (std::isinf(sum) && std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); }))
    fail(FailureKind::limit, "intermediate overflow in fsum");
  return sum / static_cast<double>(numbers.size());
}

Value median(Call& call) {
  const Sample sample = sample_of(call, "median", true);
  try {
    const Values sorted = sorted_by_keys(sample.items, sample.items, false);
    if (sorted.empty()) return otherwise(sample, "median");
    const std::size_t middle = sorted.size() / 2;
    if (sorted.size() % 2) return sorted[middle];
    return calculate(Operator::divide, calculate(Operator::add, sorted[middle - 1], sorted[middle]), Value(2));
  } catch (const Failure& failure) {
    if (failure.kind != FailureKind::type) throw;
  }
  return otherwise(sample, "median");
}

Value statistical_mode(Call& call) {
  const Value* otherwise_value = nullptr;
  Values items;
  if (call.positional.size() > 1 && !call.positional[0].get<List>() && !call.positional[0].get<Tuple>() &&
      !(call.positional[0].get<JsonNode>() && !call.positional[0].is_mapping())) {
    items = call.positional;
    for (const auto& [name, value] : call.named) otherwise_value = name == "default" ? &value : nullptr;
  } else {
    Sample sample = sample_of(call, "statistical_mode", true);
    items = std::move(sample.items);
    otherwise_value = sample.otherwise;
  }
  const Sample sample{std::move(items), otherwise_value};
  Dict counts;
  const std::pair<Value, Value>* most = nullptr;
  for (const Value& item : sample.items) {
    const Value* const before = counts.find(item);
    counts.set(item, before ? *as_int(*before) + 1 : std::int64_t{1});
  }
  for (const auto& entry : counts.entries()) {
    if (!most || *as_int(entry.second) > *as_int(most->second)) most = &entry;
  }
  return most ? most->first : otherwise(sample, "statistical_mode");
}

// The response of an action for several entities as one list: the rows of each, if it has a single list; otherwise
// what each answered. Both with the entity.
Value merge_response(Call& call) {
  const Parameters in(call, "merge_response", {"value"}, 1);
  const Value responses = unfolded(in[0]);
  if (!responses.is_mapping()) fail(FailureKind::type, "Response is not a dictionary");
  const auto with = [](const Value& row, const Value& entity_id, const Value* key) {
    Dict dict = **unfolded(row).get<DictPtr>();
    if (dict.find(Value("entity_id"))) fail(FailureKind::value, "Response dictionary already contains key 'entity_id'");
    dict.set(Value("entity_id"), entity_id);
    if (key) dict.set(Value("value_key"), *key);
    return Value::dict(std::move(dict));
  };
  Values out;
  bool single_list = false;
  for (const auto& [entity_id, response] : (*responses.get<DictPtr>())->entries()) {
    if (!response.is_mapping()) fail(FailureKind::type, "Response is not a dictionary");
    const Value whole = unfolded(response);
    const auto& entries = (*whole.get<DictPtr>())->entries();
    const Value rows = entries.size() == 1 ? unfolded(entries[0].second) : Value();
    if (const auto* list = rows.get<List>()) {
      single_list = true;
      for (const Value& row : *list->items)
        out.push_back(row.is_mapping() ? with(row, entity_id, &entries[0].first) : row);
    }
    if (!single_list) out.push_back(with(whole, entity_id, nullptr));
  }
  return Value::list(std::move(out));
}

constexpr Builtin kStatistics[] = {
    {"average", average},
    {"median", median},
    {"merge_response", merge_response},
    {"statistical_mode", statistical_mode},
};

}  // namespace

std::span<const Builtin> statistics_functions() {
  return kStatistics;
}

}  // namespace hearth::templates
