// SPDX-License-Identifier: Apache-2.0
// date, time and datetime.
#include <fmt/format.h>

#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kDateCommand = 102, kTimeCommand = 105, kDateTimeCommand = 114;

// The parts of 2026-04-20 or 05:04:20, as the hub has checked it.
std::array<std::uint32_t, 3> parts_of(std::string_view text, char between) {
  std::array<std::uint32_t, 3> parts{};
  for (std::uint32_t& part : parts) {
    const auto end = text.find(between);
    part = base::parse_integer<std::uint32_t>(text.substr(0, end)).value_or(0);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

struct Date {
  using List = proto::ListDate;
  using State = proto::DateState;

  static const domains::Kind& kind() { return domains::kDate; }
  static const Component& component() { return kDateComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) {
    if (state.missing_state()) return {.value = json::value()};
    return {.value = fmt::format("{:04}-{:02}-{:02}", state.year(), state.month(), state.day())};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    const auto parts = parts_of(data.at("date").get_string(), '-');
    proto::DateCommand command;
    command.set_year(parts[0]);
    command.set_month(parts[1]);
    command.set_day(parts[2]);
    entity.send(kDateCommand, command);
  }
};

struct TimeOfDay {
  using List = proto::ListTime;
  using State = proto::TimeState;

  static const domains::Kind& kind() { return domains::kTime; }
  static const Component& component() { return kTimeComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) {
    if (state.missing_state()) return {.value = json::value()};
    return {.value = fmt::format("{:02}:{:02}:{:02}", state.hour(), state.minute(), state.second())};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    const auto parts = parts_of(data.at("time").get_string(), ':');
    proto::TimeCommand command;
    command.set_hour(parts[0]);
    command.set_minute(parts[1]);
    command.set_second(parts[2]);
    entity.send(kTimeCommand, command);
  }
};

struct DateTime {
  using List = proto::ListDateTime;
  using State = proto::DateTimeState;

  static const domains::Kind& kind() { return domains::kDateTime; }
  static const Component& component() { return kDateTimeComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) {
    if (state.missing_state()) return {.value = json::value()};
    return {.value = base::to_string(base::Timestamp(std::chrono::seconds(state.epoch_seconds())))};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    const auto time = base::parse_timestamp(data.at("datetime").get_string());
    if (!time) return;  // the hub has checked it
    proto::DateTimeCommand command;
    command.set_epoch_seconds(
        static_cast<std::uint32_t>(std::chrono::floor<std::chrono::seconds>(time->time_since_epoch()).count()));
    entity.send(kDateTimeCommand, command);
  }
};

}  // namespace

const Component kDateComponent{"date", "date", 100, 101, make_entity<ThingOf<Date>>, receive_state<ThingOf<Date>>};
const Component kTimeComponent{
    "time", "time", 103, 104, make_entity<ThingOf<TimeOfDay>>, receive_state<ThingOf<TimeOfDay>>};
const Component kDateTimeComponent{
    "datetime", "datetime", 112, 113, make_entity<ThingOf<DateTime>>, receive_state<ThingOf<DateTime>>};

}  // namespace hearth::integrations::esphome
