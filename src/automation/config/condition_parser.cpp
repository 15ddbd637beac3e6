// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "automation/config/delegated_form.h"
#include "automation/config/device_forms.h"
#include "automation/config/purpose_parser.h"
#include "base/text/nearest_word.h"

namespace hearth::automation {
namespace condition_forms {
namespace {

using Logic = LogicCondition::Kind;

template <Logic kind>
void parse_logic(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  const ConfigNode* const inner = in.find("conditions");
  if (!inner) note_missing(in, node, "conditions");
  condition.kind = LogicCondition{kind, read_conditions(in, inner)};
}

void parse_state(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  StateCondition made;
  made.entity_ids = read_entities(in, node, "entity_id");
  made.attribute = read_text(in, "attribute");
  auto states = read_values(in, "state", made.attribute.empty());
  if (!states || (states->any && made.attribute.empty()))
    note_missing(in, node, "state");
  else
    made.states = states->any ? std::vector<json::value>{nullptr} : std::move(states->values);
  made.held = read_duration(in, "for");
  in.option("match", made.any_entity, {{"all", false}, {"any", true}});
  condition.kind = std::move(made);
}

void parse_numeric(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  NumericCondition made;
  made.entity_ids = read_entities(in, node, "entity_id");
  read_limits(in, node, made.above, made.below);
  made.attribute = read_text(in, "attribute");
  made.value_template = read_data(in, "value_template");
  condition.kind = std::move(made);
}

void parse_template(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  auto value = read_data(in, "value_template");
  if (!value) note_missing(in, node, "value_template");
  condition.kind = TemplateCondition{value ? std::move(*value) : Data()};
}

void parse_time(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  TimeCondition made;
  const auto side = [&](std::string_view key, TimeCondition::Side& into) {
    const ConfigNode* const value = in.find(key);
    if (!value) return;
    const auto time = read_time(in, *value);
    if (time) std::visit([&](const auto& read) { into = read; }, *time);
  };
  side("after", made.after);
  side("before", made.before);
  made.weekdays = read_weekdays(in);
  if (!in.find("after") && !in.find("before") && !in.find("weekday"))
    note(in, node, "after, before or weekday is missing");
  condition.kind = std::move(made);
}

void parse_sun(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  SunCondition made;
  const auto side = [&](std::string_view key, std::optional<SunEvent>& event) {
    if (!in.find(key)) return;
    SunEvent read = SunEvent::rise;
    in.option(key, read, {{"sunrise", SunEvent::rise}, {"sunset", SunEvent::set}});
    event = read;
  };
  const auto offset = [&](std::string_view key, base::Duration& value) {
    if (const auto duration = read_duration(in, key, DurationData::Sign::any))
      value = value_or_note(in, *in.find(key), duration->evaluate(Renderer(), {}));
  };
  side("after", made.after);
  side("before", made.before);
  offset("after_offset", made.after_offset);
  offset("before_offset", made.before_offset);
  if (!made.after && !made.before) note(in, node, "after or before is missing");
  condition.kind = made;
}

void parse_trigger_ids(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  TriggerCondition made;
  const ConfigNode* const ids = in.find("id");
  for (const ConfigNode& item : one_or_many(ids)) made.ids.push_back(value_or_note(in, item, item.text()));
  if (is_missing(ids)) note_missing(in, node, "id");
  condition.kind = std::move(made);
}

void parse_zone(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  ZoneCondition made;
  made.entity_ids = read_entity_ids(in, node, "entity_id");
  made.zones = read_entity_ids(in, node, "zone");
  condition.kind = std::move(made);
}

void parse_device(ConfigReader& in, const ConfigNode& node, Condition& condition) {
  if (auto form = delegated_form(in, node, "condition")) {
    condition.kind = DelegatedCondition{std::move(*form)};
    return;
  }
  const std::string domain = read_text(in, "domain"), type = read_text(in, "type"), entity = read_text(in, "entity_id");
  for (const auto& [key, text] :
       {std::pair("domain", &domain), std::pair("type", &type), std::pair("entity_id", &entity)}) {
    if (text->empty()) note_missing(in, node, key);
  }
  in.find("device_id");
  in.find("metadata");
  const auto meaning = device_condition(domain, type);
  if (!meaning) {
    if (!domain.empty() && !type.empty())
      note(in, node, fmt::format("a device's {} has no condition {}", domain, type));
    return;
  }
  if (meaning->numeric) {
    NumericCondition made;
    made.entity_ids = {entity};
    read_limits(in, node, made.above, made.below);
    made.attribute = meaning->attribute;
    condition.kind = std::move(made);
    return;
  }
  StateCondition made;
  made.entity_ids = {entity};
  made.attribute = meaning->attribute;
  for (const std::string& state : meaning->states) made.states.emplace_back(json::string(state));
  if (!meaning->option_key.empty()) {
    const std::string option = read_text(in, meaning->option_key);
    if (option.empty()) note_missing(in, node, meaning->option_key);
    made.states.emplace_back(json::string(option));
  }
  made.held = read_duration(in, "for");
  condition.kind = std::move(made);
}

struct ConditionParser {
  std::string_view name;
  void (*parse)(ConfigReader& in, const ConfigNode& node, Condition& condition);
};
constexpr ConditionParser kConditionParsers[] = {{"state", parse_state},
                                                 {"numeric_state", parse_numeric},
                                                 {"template", parse_template},
                                                 {"time", parse_time},
                                                 {"sun", parse_sun},
                                                 {"trigger", parse_trigger_ids},
                                                 {"zone", parse_zone},
                                                 {"device", parse_device},
                                                 {"and", parse_logic<Logic::all>},
                                                 {"or", parse_logic<Logic::any>},
                                                 {"not", parse_logic<Logic::none>}};
constexpr std::pair<std::string_view, Logic> kShort[] = {{"and", Logic::all}, {"or", Logic::any}, {"not", Logic::none}};

void read_common(ConfigReader& in, Condition& condition) {
  condition.alias = read_text(in, "alias");
  condition.enabled = read_enabled(in, &condition.enabled_if);
  in.find("continue_on_error");  // of a condition that is a step
}

}  // namespace
}  // namespace condition_forms

namespace {

// A mistyped key says more than one that is missing.
base::Error missing_condition(const ConfigNode& node) {
  constexpr std::string_view kKeys[] = {"condition", "and", "or", "not"};
  for (const ConfigNode::Entry& entry : node.entries()) {
    if (const auto meant = base::nearest_word(entry.key, kKeys))
      return entry.value.error(fmt::format("unknown key, did you mean {}? Known: condition, and, or, not", *meant));
  }
  return node.mismatch("a condition, such as condition: state");
}

}  // namespace

base::Result<Condition> parse_condition(const ConfigNode& node) {
  Condition condition;
  if (node.is_text()) {
    auto value = Data::parse(node);
    if (!value) return std::unexpected(std::move(value.error()));
    if (value->is_constant()) return std::unexpected(node.mismatch("a condition: keys with values, or a template"));
    condition.kind = TemplateCondition{std::move(*value)};
    return condition;
  }
  using namespace condition_forms;
  ConfigReader in(node);
  for (const auto& [key, kind] : kShort) {
    if (!node.find(key)) continue;
    condition.kind = LogicCondition{kind, read_conditions(in, in.find(key))};
    read_common(in, condition);
    return in.finish(std::move(condition));
  }
  const ConfigNode* const named = in.find("condition");
  // A list of conditions, or a template, under the key.
  if (named && named->is_list()) {
    condition.kind = LogicCondition{condition_forms::Logic::all, read_conditions(in, named)};
    read_common(in, condition);
    return in.finish(std::move(condition));
  }
  if (auto value = named && named->is_text() ? Data::parse(*named) : Data(); value && !value->is_constant()) {
    condition.kind = TemplateCondition{std::move(*value)};
    read_common(in, condition);
    return in.finish(std::move(condition));
  }
  const auto name = named ? named->text() : std::unexpected(missing_condition(node));
  if (!name) return std::unexpected(name.error());
  const auto parser = std::ranges::find(kConditionParsers, *name, &ConditionParser::name);
  const Purpose* const purpose = find_condition_purpose(*name);
  if (parser != std::end(kConditionParsers)) {
    if (const auto flat = with_options(node)) return parse_condition(*flat);
  }
  if (parser == std::end(kConditionParsers) && !purpose) {
    std::array<std::string_view, std::size(kConditionParsers)> known;
    std::ranges::transform(kConditionParsers, known.begin(), &ConditionParser::name);
    return std::unexpected(named->error(unknown_kind("condition", *name, known, condition_purposes())));
  }
  read_common(in, condition);
  if (purpose)
    parse_purpose(in, node, *purpose, condition);
  else
    parser->parse(in, node, condition);
  return in.finish(std::move(condition));
}

std::vector<Condition> read_conditions(ConfigReader& in, const ConfigNode* node) {
  return read_each<Condition>(in, node, parse_condition);
}

}  // namespace hearth::automation
