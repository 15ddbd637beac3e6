// SPDX-License-Identifier: Apache-2.0
// The number that several sensors give together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/json/json_fields.h"
#include "base/text/number.h"
#include "core/values/units.h"
#include "domains/groups/thing_group.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kUnit = "unit_of_measurement";

struct Reading {
  const GroupMember* member;
  double number;
};
using Readings = std::vector<Reading>;

// The attribute that the fields name, or on which all members agree that are there; empty if they do not.
std::string_view agreed(const GroupMembers& members, const json::object& fields, std::string_view attribute) {
  if (const std::string_view given = base::text_view_at(fields, attribute); !given.empty()) return given;
  std::optional<std::string_view> common;
  for (const GroupMember& member : members) {
    if (!member.state || member.state->value() == core::kUnavailable) continue;
    const std::string_view own = member.text(attribute);
    if (common && *common != own) return {};
    common = own;
  }
  return common.value_or("");
}

// The unit that the numbers are shown in: the one that was asked for, otherwise that of the first member if all are in
// it, or can be; empty if they cannot.
std::string_view unit_for(const GroupMembers& members, const json::object& fields) {
  if (const std::string_view given = base::text_view_at(fields, kUnit); !given.empty()) return given;
  std::optional<std::string_view> first;
  for (const GroupMember& member : members) {
    if (!member.state || member.state->value() == core::kUnavailable) continue;
    const std::string_view own = member.text(kUnit);
    if (first && own != *first && !core::convert_unit(0, own, *first)) return {};
    if (!first) first = own;
  }
  return first.value_or("");
}

// Without the noise of sums of decimals.
json::value clean(double number) {
  return base::parse_number(fmt::format("{:.12g}", number)).value_or(number);
}

json::value median_of(Readings readings) {
  std::ranges::sort(readings, {}, &Reading::number);
  const std::size_t middle = readings.size() / 2;
  if (readings.size() % 2) return clean(readings[middle].number);
  return clean((readings[middle - 1].number + readings[middle].number) / 2);
}

// Of a sample; null of a single number.
json::value deviation_of(std::span<const Reading> readings, double mean) {
  if (readings.size() < 2) return {};
  double squares = 0;
  for (const Reading& each : readings) squares += (each.number - mean) * (each.number - mean);
  return clean(std::sqrt(squares / static_cast<double>(readings.size() - 1)));
}

// REQUIRES: there are some.
json::value result_of(std::string_view type, const Readings& readings, json::object& extra) {
  const auto named = [&](const char* key, const Reading& one) {
    extra[key] = one.member->entity_id;
    return clean(one.number);
  };
  const auto [least, greatest] = std::ranges::minmax_element(readings, {}, &Reading::number);
  if (type == "min") return named("min_entity_id", *least);
  if (type == "max") return named("max_entity_id", *greatest);
  if (type == "range") return clean(greatest->number - least->number);
  if (type == "median") return median_of(readings);
  if (type == "last") {
    return named("last_entity_id", *std::ranges::max_element(readings, {}, [](const Reading& each) {
                   return each.member->state->last_updated();
                 }));
  }
  if (type == "product") {
    return clean(std::accumulate(readings.begin(), readings.end(), 1.0,
                                 [](double product, const Reading& each) { return product * each.number; }));
  }
  const double sum = std::accumulate(readings.begin(), readings.end(), 0.0,
                                     [](double total, const Reading& each) { return total + each.number; });
  if (type == "sum") return clean(sum);
  const double mean = sum / static_cast<double>(readings.size());
  return type == "mean" ? clean(mean) : deviation_of(readings, mean);
}

}  // namespace

GroupSum sum_of_sensors(const GroupMembers& members, const json::object& fields) {
  const json::value* const ignores = fields.if_contains("ignore_non_numeric");
  const bool tolerant = ignores && ignores->is_bool() && ignores->get_bool();
  const std::string_view unit = unit_for(members, fields);
  Readings readings;
  bool all_numbers = true;
  for (const GroupMember& member : members) {
    if (!member.state) continue;
    const auto number = base::parse_number(member.state->value());
    all_numbers = all_numbers && number;
    if (number) readings.push_back({&member, core::convert_unit(*number, member.text(kUnit), unit).value_or(*number)});
  }
  GroupSum sum;
  const bool known = !readings.empty() && (all_numbers || tolerant);
  sum.report.value = known ? result_of(base::text_view_at(fields, "sensor_type"), readings, sum.extra) : json::value();
  const auto text_or_null = [](std::string_view text) { return text.empty() ? json::value() : json::value(text); };
  sum.report.attributes = {{kUnit, text_or_null(unit)},
                           {"state_class", text_or_null(agreed(members, fields, "state_class"))}};
  if (const std::string_view device_class = agreed(members, fields, "device_class"); !device_class.empty())
    sum.extra["device_class"] = device_class;
  return sum;
}

}  // namespace hearth::domains
