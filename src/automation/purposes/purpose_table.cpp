// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "automation/purposes/purpose_rows.h"

namespace hearth::automation {
namespace purpose_rows {
namespace {

using Table = std::map<std::string, Purpose, std::less<>>;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::vector<Purpose::Source> sources_of(std::string_view text) {
  std::vector<Purpose::Source> sources;
  for (const std::string& word : words_of(text)) {
    const std::size_t colon = std::min(word.find(':'), word.size()), slash = std::min(word.find('/'), colon);
    sources.push_back({word.substr(0, slash),
                       word.substr(std::min(slash + 1, colon), colon - std::min(slash + 1, colon)),
                       word.substr(std::min(colon + 1, word.size()))});
  }
  return sources;
}

void add(Table& table, Purpose purpose) {
  if (purpose.name.empty()) return;
  std::string name = purpose.name;
  table.insert_or_assign(std::move(name), std::move(purpose));
}

Purpose purpose_of(const PurposeRow& row) {
  const bool has_behavior = row.change == Change::becomes || row.change == Change::listed ||
                            row.change == Change::block || row.test == Test::limit;
  return {.name = std::string(row.name),
          .sources = sources_of(row.sources),
          .test = row.test,
          .change = row.change,
          .values = words_of(row.values),
          .from = words_of(row.from),
          .option = std::string(row.option),
          .feature = row.feature,
          .auxiliary = row.auxiliary,
          .needs_value = row.needs_value,
          .has_behavior = has_behavior};
}

Purpose number_of_row(const NumberRow& row, std::string name, Change change) {
  return {.name = std::move(name),
          .sources = sources_of(row.sources),
          .test = Test::number,
          .change = change,
          .unit = std::string(row.unit),
          .scale = row.scale,
          .target = std::string(row.target),
          .auxiliary = row.auxiliary,
          .needs_value = !row.always_counts,
          .has_behavior = change == Change::becomes};
}

std::string joined(std::string_view one, std::string_view other) {
  return one.empty() ? std::string() : std::string(one) + std::string(other);
}

Table make_triggers() {
  Table table;
  for (const PurposeRow& row : trigger_rows()) add(table, purpose_of(row));
  for (const SwitchRow& row : switch_rows()) {
    add(table, purpose_of({.name = row.on, .sources = row.sources, .values = "on", .auxiliary = row.auxiliary}));
    add(table, purpose_of({.name = row.off, .sources = row.sources, .values = "off", .auxiliary = row.auxiliary}));
  }
  for (const OpeningRow& row : opening_rows()) {
    add(table, {.name = joined(row.name, "opened"), .sources = sources_of(row.sources), .test = Test::open});
    add(table, {.name = joined(row.name, "closed"), .sources = sources_of(row.sources), .test = Test::closed});
  }
  for (const NumberRow& row : number_rows()) {
    add(table, number_of_row(row, joined(row.trigger, "changed"), Change::value));
    add(table, number_of_row(row, joined(row.trigger, "crossed_threshold"), Change::becomes));
  }
  return table;
}

Table make_conditions() {
  Table table;
  for (const PurposeRow& row : condition_rows()) add(table, purpose_of(row));
  for (const SwitchRow& row : switch_rows()) {
    add(table, purpose_of({.name = row.is_on, .sources = row.sources, .values = "on", .auxiliary = row.auxiliary}));
    add(table, purpose_of({.name = row.is_off, .sources = row.sources, .values = "off", .auxiliary = row.auxiliary}));
  }
  for (const OpeningRow& row : opening_rows()) {
    add(table, {.name = joined(row.name, "is_open"), .sources = sources_of(row.sources), .test = Test::open});
    add(table, {.name = joined(row.name, "is_closed"), .sources = sources_of(row.sources), .test = Test::closed});
  }
  for (const NumberRow& row : number_rows())
    add(table, number_of_row(row, std::string(row.condition), Change::becomes));
  for (const auto& [name, value] : {std::pair("sun.is_up", "above_horizon"), std::pair("sun.is_set", "below_horizon")})
    add(table, {.name = name, .sources = sources_of("sun"), .values = {value}, .target = "sun.sun"});
  for (const auto& [name, value] : {std::pair("sun.is_ascending", "true"), std::pair("sun.is_descending", "false")})
    add(table, {.name = name, .sources = sources_of("sun:rising"), .values = {value}, .target = "sun.sun"});
  return table;
}

const Table& trigger_table() {
  static const Table table = make_triggers();
  return table;
}

const Table& condition_table() {
  static const Table table = make_conditions();
  return table;
}

const Purpose* find_in(const Table& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

std::vector<std::string_view> names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& [name, purpose] : table) names.push_back(name);
  return names;
}

}  // namespace
}  // namespace purpose_rows

const Purpose* find_trigger_purpose(std::string_view name) {
  return purpose_rows::find_in(purpose_rows::trigger_table(), name);
}

const Purpose* find_condition_purpose(std::string_view name) {
  return purpose_rows::find_in(purpose_rows::condition_table(), name);
}

const std::vector<std::string_view>& trigger_purposes() {
  static const std::vector<std::string_view> names = purpose_rows::names_of(purpose_rows::trigger_table());
  return names;
}

const std::vector<std::string_view>& condition_purposes() {
  static const std::vector<std::string_view> names = purpose_rows::names_of(purpose_rows::condition_table());
  return names;
}

}  // namespace hearth::automation
