// SPDX-License-Identifier: Apache-2.0
// The state of several entities of a domain together.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text/timestamp.h"
#include "domains/entities/group_state.h"
#include "domains/groups/thing_group.h"

namespace hearth::domains {
namespace {

bool any_is(const GroupMembers& members, std::string_view value) {
  return std::ranges::any_of(members,
                             [&](const GroupMember& each) { return each.state && each.state->value() == value; });
}

bool any_is_valid(const GroupMembers& members) {
  return std::ranges::any_of(members, &GroupMember::is_valid);
}

// The first of these that a member is; empty if none is any of them.
std::string_view first_of(const GroupMembers& members, core::Words values) {
  for (const std::string_view value : values)
    if (any_is(members, value)) return value;
  return {};
}

OptionalValue text_or_unknown(std::string_view text) {
  return text.empty() ? OptionalValue(json::value()) : OptionalValue(json::value(text));
}

json::value rounded(const std::optional<double>& number) {
  return number ? json::value(std::lround(*number)) : json::value();
}

}  // namespace

std::optional<double> mean_of(const GroupMembers& members, std::string_view attribute, Counts counts) {
  double sum = 0;
  int count = 0;
  for (const GroupMember& member : members) {
    const auto number = member.number(attribute);
    if (!number || (counts && !counts(member))) continue;
    sum += *number;
    ++count;
  }
  return count ? std::optional(sum / count) : std::nullopt;
}

json::value most_common(const GroupMembers& members, std::string_view attribute, Counts counts) {
  std::map<std::string, int> numbers;
  json::value best;
  int most = 0;
  for (const GroupMember& member : members) {
    const json::value* const value = member.find(attribute);
    if (!value || (counts && !counts(member))) continue;
    const int count = ++numbers[base::to_json(*value)];
    if (count <= most) continue;
    most = count;
    best = *value;
  }
  return best;
}

std::optional<bool> is_group_on(const GroupMembers& members, bool all) {
  bool any_valid = false, all_valid = true, any_on = false, all_on = true;
  for (const GroupMember& member : members) {
    if (!member.state) continue;
    const auto on = member.is_valid() ? counts_as_on(*member.state) : std::nullopt;
    if (member.is_valid() && !on) continue;  // neither on nor off by its nature
    any_valid = any_valid || on;
    all_valid = all_valid && on;
    any_on = any_on || on == true;
    all_on = all_on && on == true;
  }
  if (!any_valid || (all && !all_valid)) return {};
  return all ? all_on : any_on;
}

GroupSum sum_of_switches(const GroupMembers& members, const json::object& fields) {
  const json::value* const all = fields.if_contains("all");
  const auto on = is_group_on(members, all && all->is_bool() && all->get_bool());
  return {.report = {.value = on ? json::value(*on) : json::value()}};
}

GroupSum sum_of_covers(const GroupMembers& members, const json::object&) {
  GroupSum sum;
  sum.report.value = text_or_unknown(first_of(members, "opening closing open closed"));
  sum.report.attributes = {{"current_position", rounded(mean_of(members, "current_position"))},
                           {"current_tilt_position", rounded(mean_of(members, "current_tilt_position"))}};
  return sum;
}

GroupSum sum_of_fans(const GroupMembers& members, const json::object&) {
  GroupSum sum;
  sum.report.value = text_or_unknown(first_of(members, "on off"));
  std::optional<double> step;
  for (const GroupMember& member : members)
    if (const auto own = member.number("percentage_step")) step = !step || *step == *own ? own : 1.0;
  sum.report.attributes = {{"percentage", rounded(mean_of(members, "percentage"))},
                           {"percentage_step", step ? json::value(*step) : json::value()},
                           {"oscillating", most_common(members, "oscillating")},
                           {"direction", most_common(members, "direction")}};
  return sum;
}

// A member that is not locked is told, whatever the others are; that all are locked only if it is known.
GroupSum sum_of_locks(const GroupMembers& members, const json::object&) {
  std::string_view value = first_of(members, "jammed opening locking open unlocking unlocked");
  const bool all_known =
      std::ranges::all_of(members, [](const GroupMember& each) { return !each.state || each.is_valid(); });
  if (value.empty() && all_known) value = first_of(members, "locked");
  return {.report = {.value = text_or_unknown(value)}};
}

GroupSum sum_of_players(const GroupMembers& members, const json::object&) {
  constexpr core::Words kOff{"off unavailable unknown"};
  GroupSum sum;
  std::set<std::string_view> values;
  for (const GroupMember& member : members)
    if (member.state) values.insert(member.state->value());
  const bool any_on = std::ranges::any_of(values, [&](std::string_view value) { return !kOff.contains(value); });
  if (any_is_valid(members)) sum.report.value = values.size() == 1 ? *values.begin() : any_on ? "on" : "off";
  if (!sum.report.value) sum.report.value = json::value();
  bool known = false, muted = true;
  for (const GroupMember& member : members) {
    const json::value* const own = member.find("is_volume_muted");
    known = known || own;
    if (own && own->is_bool()) muted = muted && own->get_bool();
  }
  const auto volume = mean_of(members, "volume_level");
  sum.report.attributes = {{"volume_level", volume ? json::value(std::round(*volume * 1e4) / 1e4) : json::value()},
                           {"is_volume_muted", known ? json::value(muted) : json::value()}};
  return sum;
}

// As the member to which something happened last.
GroupSum sum_of_events(const GroupMembers& members, const json::object&) {
  const GroupMember* last = nullptr;
  std::optional<base::Timestamp> when;
  json::array types;
  for (const GroupMember& member : members) {
    if (const json::value* const own = member.find("event_types"); own && own->is_array())
      for (const json::value& each : own->get_array())
        if (each.is_string() && std::ranges::find(types, each) == types.end()) types.push_back(each);
    if (!member.is_valid()) continue;
    const auto at = base::parse_timestamp(member.state->value());
    if (!at || (when && *at <= *when)) continue;
    when = *at;
    last = &member;
  }
  GroupSum sum;
  sum.report.value = last ? json::value(last->state->value()) : json::value();
  sum.report.attributes["event_types"] = std::move(types);
  const std::string_view type = last ? last->text("event_type") : std::string_view();
  sum.report.attributes["event_type"] = type.empty() ? json::value() : json::value(type);
  return sum;
}

}  // namespace hearth::domains
