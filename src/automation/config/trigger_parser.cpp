// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "automation/config/limited_templates.h"
#include "automation/config/purpose_parser.h"
#include "automation/config/trigger_forms.h"
#include "automation/values/state_values.h"
#include "base/digest.h"
#include "base/text/nearest_word.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "core/values/entity_id.h"

namespace hearth::automation {
namespace trigger_forms {
namespace {

void read_gap(ConfigReader& in, Trigger& trigger) {
  bool skips = false;
  in.boolean("skip_unavailable", skips);
  if (!skips && in.find("gap")) note(in, *in.find("gap"), "is only known beside skip_unavailable: true");
  if (skips) trigger.gap = limited_duration(in, "gap", std::chrono::seconds(60));
}

void parse_state(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  StateTrigger made;
  made.entity_ids = read_entities(in, node, "entity_id");
  made.attribute = read_text(in, "attribute");
  const bool of_state = made.attribute.empty();
  made.to = read_values(in, "to", of_state);
  made.from = read_values(in, "from", of_state);
  made.not_to = read_values(in, "not_to", of_state);
  made.not_from = read_values(in, "not_from", of_state);
  made.held = read_duration(in, "for");
  if (made.to && made.not_to) note(in, node, "has to and not_to; keep one of the two");
  if (made.from && made.not_from) note(in, node, "has from and not_from; keep one of the two");
  read_gap(in, trigger);
  for (const auto* const values : {&made.to, &made.from}) {
    if (trigger.gap && *values && std::ranges::any_of((*values)->values, is_gone))
      note(in, node, "skip_unavailable: the trigger never sees unavailable and unknown; leave them out of to and from");
  }
  trigger.kind = std::move(made);
}

void parse_numeric(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  NumericTrigger made;
  made.entity_ids = read_entities(in, node, "entity_id");
  read_limits(in, node, made.above, made.below);
  made.attribute = read_text(in, "attribute");
  made.value_template = read_data(in, "value_template");
  made.held = read_duration(in, "for");
  read_gap(in, trigger);
  trigger.kind = std::move(made);
}

void parse_template(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  TemplateTrigger made;
  auto condition = read_data(in, "value_template");
  if (!condition) note_missing(in, node, "value_template");
  if (condition) made.condition = std::move(*condition);
  made.held = read_duration(in, "for");
  read_gap(in, trigger);
  trigger.kind = std::move(made);
}

json::object limited_object(ConfigReader& in, std::string_view key) {
  const ConfigNode* const node = in.find(key);
  if (!node || node->is_empty()) return {};
  auto value = limited_value(*node);
  if (!value)
    note(in, *node, std::move(value.error()));
  else if (auto* const object = value->if_object())
    return std::move(*object);
  else
    note(in, *node, node->mismatch("keys with values"));
  return {};
}

void parse_event(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  EventTrigger made;
  const ConfigNode* const types = in.find("event_type");
  for (const ConfigNode& item : one_or_many(types)) {
    const auto value = limited_value(item);
    if (!value)
      note(in, item, value.error());
    else if (value->is_string())
      made.types.emplace_back(value->get_string());
    else
      note(in, item, item.mismatch("the type of an event"));
  }
  if (is_missing(types)) note_missing(in, node, "event_type");
  made.data = limited_object(in, "event_data");
  made.context = limited_object(in, "context");
  for (auto& [key, ids] : made.context) {
    if (key != "id" && key != "parent_id" && key != "user_id")
      note(in, *in.find("context"), fmt::format("has {}; known: id, parent_id, user_id", std::string_view(key)));
    if (!ids.is_array()) ids = json::array{ids};
  }
  trigger.kind = std::move(made);
}

void parse_time(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  TimeTrigger made;
  const auto add = [&](const ConfigNode& item) {
    if (item.is_map()) {
      ConfigReader each(item);
      TimeTrigger::EntityTime entity;
      const auto ids = read_some_entity_ids(each, item, "entity_id");
      check_domains(each, "entity_id", ids, {"input_datetime", "sensor", "time"});
      if (!ids.empty()) entity.entity_id = ids.front();
      entity.offset = limited_duration(each, "offset", {}, DurationData::Sign::any);
      made.at.emplace_back(value_or_note(in, item, each.finish(std::move(entity))));
      return;
    }
    const auto time = read_time(in, item);
    if (!time) return;
    if (const auto* const id = std::get_if<std::string>(&*time))
      made.at.emplace_back(TimeTrigger::EntityTime{*id});
    else
      made.at.emplace_back(std::get<base::Duration>(*time));
  };
  const ConfigNode* const at = in.find("at");
  for (const ConfigNode& item : one_or_many(at)) add(item);
  if (is_missing(at)) note_missing(in, node, "at");
  made.weekdays = read_weekdays(in);
  trigger.kind = std::move(made);
}

std::optional<TimePattern::Part> part_of(std::string_view text, int most) {
  TimePattern::Part part;
  if (text == "*") return part;
  const bool every = text.starts_with('/');
  if (every) text.remove_prefix(1);
  const auto number = base::parse_integer<int>(text);
  if (!number || *number < (every ? 1 : 0) || *number > most) return {};
  (every ? part.every : part.exactly) = *number;
  return part;
}

void parse_pattern(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  PatternTrigger made;
  const auto read = [&](std::string_view key, int most, TimePattern::Part& part) {
    const ConfigNode* const value = in.find(key);
    if (!value) return false;
    const auto text = value->text();
    const auto read_part = text ? part_of(base::trim_blanks(*text), most) : std::nullopt;
    if (read_part)
      part = *read_part;
    else
      note(in, *value, value->mismatch(fmt::format("a number from 0 to {}, *, or /n", most)));
    return true;
  };
  TimePattern& pattern = made.pattern;
  const bool hours = read("hours", 23, pattern.hours), minutes = read("minutes", 59, pattern.minutes);
  const bool seconds = read("seconds", 59, pattern.seconds);
  if (!hours && !minutes && !seconds) note(in, node, "hours, minutes or seconds are missing");
  if (!seconds) pattern.seconds.exactly = 0;
  if (!minutes && hours) pattern.minutes.exactly = 0;
  trigger.kind = made;
}

void parse_hub(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  HubTrigger made;
  if (!in.find("event")) note_missing(in, node, "event");
  in.option("event", made.start, {{"start", true}, {"shutdown", false}});
  trigger.kind = made;
}

void parse_sun(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  SunTrigger made;
  if (!in.find("event")) note_missing(in, node, "event");
  in.option("event", made.event, {{"sunrise", SunEvent::rise}, {"sunset", SunEvent::set}});
  made.offset = limited_duration(in, "offset", {}, DurationData::Sign::any);
  trigger.kind = made;
}

template <SunEvent event>
void parse_sun_event(ConfigReader& in, const ConfigNode&, Trigger& trigger) {
  SunTrigger made{event};
  made.offset = limited_duration(in, "offset", {}, DurationData::Sign::any);
  bool before = false;
  in.option("offset_type", before, {{"before", true}, {"after", false}});
  if (before) made.offset = -made.offset;
  if (event == SunEvent::dawn || event == SunEvent::dusk) {
    constexpr std::string_view kCivil[] = {"civil"};
    if (const ConfigNode* const type = in.find("type")) value_or_note(in, *type, type->option(kCivil));
  }
  trigger.kind = made;
}

struct TriggerParser {
  std::string_view platform;
  void (*parse)(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
};
constexpr TriggerParser kTriggerParsers[] = {{"state", parse_state},
                                             {"numeric_state", parse_numeric},
                                             {"template", parse_template},
                                             {"event", parse_event},
                                             {"time", parse_time},
                                             {"time_pattern", parse_pattern},
                                             {"homeassistant", parse_hub},
                                             {"mqtt", parse_mqtt},
                                             {"webhook", parse_webhook},
                                             {"sun", parse_sun},
                                             {"tag", parse_tag},
                                             {"zone", parse_zone},
                                             {"device", parse_device},
                                             {"persistent_notification", parse_notification},
                                             {"calendar", parse_calendar},
                                             {"conversation", parse_conversation},
                                             {"sun.sunrise", parse_sun_event<SunEvent::rise>},
                                             {"sun.sunset", parse_sun_event<SunEvent::set>},
                                             {"sun.dawn", parse_sun_event<SunEvent::dawn>},
                                             {"sun.dusk", parse_sun_event<SunEvent::dusk>},
                                             {"sun.solar_noon", parse_sun_event<SunEvent::noon>},
                                             {"sun.solar_midnight", parse_sun_event<SunEvent::midnight>}};
// Of Home Assistant, but not of this hub.
constexpr std::string_view kUnsupported[] = {"geo_location",
                                             "calendar.event_started",
                                             "calendar.event_ended",
                                             "timer.remaining_time_reached",
                                             "todo.item_added",
                                             "todo.item_completed",
                                             "todo.item_removed",
                                             "moon.phase_changed",
                                             "sun.golden_hour_started",
                                             "sun.golden_hour_ended",
                                             "sun.blue_hour_started",
                                             "sun.blue_hour_ended",
                                             "sun.midnight_sun_started",
                                             "sun.midnight_sun_ended",
                                             "sun.polar_night_started",
                                             "sun.polar_night_ended"};

// A mistyped key says more than one that is missing.
base::Error missing_platform(const ConfigNode& node) {
  constexpr std::string_view kKeys[] = {"trigger", "platform"};
  if (!node.is_map()) return node.mismatch("a trigger, such as trigger: state");
  for (const ConfigNode::Entry& entry : node.entries()) {
    const auto meant = base::nearest_word(entry.key, kKeys);
    if (meant) return entry.value.error(fmt::format("unknown key, did you mean {}? Known: trigger, platform", *meant));
  }
  return node.error("trigger is missing");
}

base::Result<Trigger> parse_trigger(const ConfigNode& node, std::size_t index) {
  ConfigReader in(node);
  Trigger trigger;
  const ConfigNode* const platform = find_either(in, "trigger", "platform");
  const auto name = platform ? platform->text() : std::unexpected(missing_platform(node));
  if (!name) return std::unexpected(name.error());
  const auto parser = std::ranges::find(kTriggerParsers, *name, &TriggerParser::platform);
  const Purpose* const purpose = find_trigger_purpose(*name);
  if (parser != std::end(kTriggerParsers)) {
    if (const auto flat = with_options(node)) return parse_trigger(*flat, index);
  }
  if (parser == std::end(kTriggerParsers) && !purpose) {
    if (std::ranges::find(kUnsupported, *name) != std::end(kUnsupported))
      return std::unexpected(platform->error(fmt::format("the trigger {} is not supported", *name)));
    std::array<std::string_view, std::size(kTriggerParsers)> known;
    std::ranges::transform(kTriggerParsers, known.begin(), &TriggerParser::platform);
    return std::unexpected(platform->error(unknown_kind("trigger", *name, known, trigger_purposes())));
  }
  trigger.platform = *name;
  trigger.index = index;
  trigger.fingerprint = base::fingerprint(base::to_json(written_as(node)));
  trigger.id = read_text(in, "id");
  if (trigger.id.empty()) trigger.id = std::to_string(index);
  trigger.alias = read_text(in, "alias");
  trigger.enabled = read_enabled(in);
  trigger.variables = read_variables(in, "variables");
  if (purpose)
    parse_purpose(in, node, *purpose, trigger);
  else
    parser->parse(in, node, trigger);
  return in.finish(std::move(trigger));
}

void flatten(ConfigReader& in, const ConfigNode* node, std::vector<Trigger>& all) {
  for (const ConfigNode& item : one_or_many(node)) {
    const ConfigNode* const inner = item.find("triggers");
    if (inner && item.entries().size() == 1) {
      flatten(in, inner, all);
      continue;
    }
    auto trigger = parse_trigger(item, all.size());
    if (trigger)
      all.push_back(std::move(*trigger));
    else
      note(in, item, std::move(trigger.error()));
  }
}

}  // namespace
}  // namespace trigger_forms

base::Result<std::vector<Trigger>> parse_triggers(const ConfigNode* node, const templates::VariablesView& variables,
                                                  const Renderer& renderer, bool* late) {
  static const ConfigNode kNothing;
  std::optional<ConfigNode> rendered;
  if (node && has_limited_templates(*node))
    node = &rendered.emplace(with_limited_rendered(*node, renderer, variables, late));
  ConfigReader in(kNothing);
  std::vector<Trigger> all;
  trigger_forms::flatten(in, node, all);
  return in.finish(std::move(all));
}

}  // namespace hearth::automation
