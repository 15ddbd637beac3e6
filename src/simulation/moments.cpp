// SPDX-License-Identifier: Apache-2.0
#include "simulation/moments.h"

#include <array>
#include <optional>
#include <utility>

#include "automation/config/parsing.h"
#include "automation/values/duration.h"
#include "simulation/scenario_parser.h"

namespace hearth::simulation {
namespace {

using base::ConfigNode;
using base::Duration;

constexpr std::string_view kExpectedSpan = "seconds, a duration such as 5m, or an object of hours, minutes and seconds";

// Null if it is none.
std::optional<Duration> span_of(const ConfigNode& node) {
  constexpr std::array<std::pair<std::string_view, Duration>, 5> kUnits{
      {{"days", std::chrono::days(1)},
       {"hours", std::chrono::hours(1)},
       {"minutes", std::chrono::minutes(1)},
       {"seconds", std::chrono::seconds(1)},
       {"milliseconds", std::chrono::milliseconds(1)}}};
  if (node.is_map()) {
    double sum = 0;
    for (const ConfigNode::Entry& entry : node.entries()) {
      const auto unit = std::ranges::find(kUnits, entry.key, &std::pair<std::string_view, Duration>::first);
      const auto number = entry.value.number(0, 1e9);
      if (unit == kUnits.end() || !number) return {};
      sum += *number * static_cast<double>(unit->second.count());
    }
    if (node.entries().empty() || sum > static_cast<double>(kLongestScenario.count())) return {};
    return Duration(static_cast<std::int64_t>(sum));
  }
  if (!node.is_text()) return {};
  const double longest = std::chrono::duration<double>(kLongestScenario).count();
  if (const auto seconds = node.number(0, longest)) return Duration(static_cast<std::int64_t>(*seconds * 1e6 + 0.5));
  if (const auto span = node.duration(Duration(0), kLongestScenario)) return *span;
  return {};
}

std::optional<base::Timestamp> full_moment(const ConfigNode& node, const templates::Zone& zone) {
  const auto text = node.text();
  const auto parsed = text ? templates::parse_iso(*text) : std::nullopt;
  if (!parsed) return {};
  if (parsed->zone.kind != templates::Zone::Kind::none)
    return base::Timestamp(Duration(templates::moment_of(*parsed, zone)));
  return automation::instant_of(parsed->local, zone);
}

}  // namespace

base::Result<base::Timestamp> parse_moment(const ConfigNode& node, const templates::Zone& zone) {
  if (const auto moment = full_moment(node, zone)) return *moment;
  return std::unexpected(node.mismatch("a local time such as 2026-03-28 23:00:00"));
}

base::Result<base::Timestamp> parse_moment(const ConfigNode& node, const templates::Zone& zone, base::Timestamp start) {
  if (const auto span = span_of(node)) return start + *span;
  if (node.is_text()) {
    if (const auto time = automation::parse_time_of_day(node.text().value()))
      return automation::next_time_of_day(start - Duration(1), *time, automation::Weekdays::all(), zone).value().at;
    if (const auto moment = full_moment(node, zone)) {
      if (*moment < start) return std::unexpected(node.mismatch("a time that is not before the scenario's own"));
      if (*moment - start <= kLongestScenario) return *moment;
      return std::unexpected(node.mismatch("a time within ten years"));
    }
  }
  return std::unexpected(node.mismatch(
      "seconds since the scenario's time, a time of day such as 07:30, or a local time such as 2026-03-28 23:00:00"));
}

base::Result<Duration> parse_span(const ConfigNode& node) {
  if (const auto span = span_of(node)) return *span;
  if (node.is_text()) {
    if (const auto time = automation::parse_time_of_day(node.text().value())) return *time;
  }
  return std::unexpected(node.mismatch(kExpectedSpan));
}

}  // namespace hearth::simulation
