// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/polled_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/config/config_secrets.h"
#include "base/log/log_scope.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "building_blocks/text_template.h"
#include "core/values/entity_id.h"
#include "core/values/units.h"
#include "domains/entities/kinds.h"
#include "template/home/state_value.h"
#include "template/values/zoned_time.h"

namespace hearth::building_blocks {
namespace {

using base::ErrorCode;

constexpr std::string_view kUnitAttribute = "unit_of_measurement";
// Attributes that belong to the entity, which no JSON replaces.
constexpr core::Words kOwnAttributes{
    "state friendly_name device_class icon unit_of_measurement state_class supported_features entity_id entity_picture "
    "restored assumed_state attribution"};
constexpr core::Words kTrueWords{"true on open yes"};

std::unexpected<base::Error> misfit(std::string_view expected, std::string_view found) {
  return base::fail(ErrorCode::invalid, fmt::format("expected {}, found {}", expected, base::utf8_excerpt(found)));
}

std::string shown_text(const templates::Value& value) {
  if (value.is_none() || value.is_undefined()) return {};
  return std::string(base::trim_blanks(templates::to_text(value)));
}

bool is_date(std::string_view text) {
  return text.size() == 10 && base::parse_timestamp(std::string(text) + "T00:00:00Z").has_value();
}

domains::Abilities abilities_of(const PolledEntityPlan& plan, const domains::Kind& kind) {
  domains::Abilities can;
  for (const domains::Feature& each : kind.features) {
    if (each.always) can.feature_bits |= each.bit;
  }
  can.feature_bits |= kind.features_of(plan.features);
  if (!plan.unit_of_measurement.empty()) can.attributes[kUnitAttribute] = plan.unit_of_measurement;
  if (!plan.state_class.empty()) can.attributes["state_class"] = plan.state_class;
  return can;
}

// The last state is in the unit that the user wants, a source tells another.
void keep_unit(const PolledEntityPlan& plan, const core::State& last, domains::Report& report) {
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains(kUnitAttribute);
  if (plan.unit_of_measurement.empty() || !shown || !shown->is_string() || !report.value ||
      !report.value->is_string() || shown->get_string() == plan.unit_of_measurement)
    return;
  const auto converted =
      core::convert_unit_of(std::string(report.value->get_string()), shown->get_string(), plan.unit_of_measurement);
  report.value = converted ? domains::OptionalValue(*converted) : domains::OptionalValue();
}

}  // namespace

PolledEntity::PolledEntity(const PolledPlan& plan, const PolledEntityPlan& entity, const PolledEnvironment& environment,
                           Calls calls)
    : plan_(plan), entity_(entity), environment_(environment), calls_(std::move(calls)), said_(plan.block) {}

base::Result<void> PolledEntity::start() {
  const core::Hub& hub = environment_.home.hub;
  const domains::Kind& kind = *domains::find_kind(entity_.domain);
  const auto registry = hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(plan_.block, entity_.domain, entity_.unique_id);
  const core::StatePtr last = known ? hub.states.find(known->entity_id) : nullptr;
  auto made = std::make_unique<domains::Thing>(
      kind,
      domains::EntityInfo{.integration = plan_.block,
                          .unique_id = entity_.unique_id,
                          .object_id = entity_.object_id,
                          .name = entity_.name,
                          .device_class = entity_.device_class,
                          .available = !entity_.has_state || (last && last->value() != core::kUnavailable),
                          .force_update = entity_.force_update},
      abilities_of(entity_, kind), this);
  if (last) restore(*last, *made);
  if (!entity_.has_state) made->set_extra_attributes({{"assumed_state", true}});
  const auto added = environment_.entities.add(std::move(made));
  if (!added) return std::unexpected(added.error());
  thing_ = *added;
  return {};
}

void PolledEntity::restore(const core::State& last, domains::Thing& thing) const {
  domains::Report report = domains::restored(thing.kind(), {}, last);
  keep_unit(entity_, last, report);
  thing.report(std::move(report));
  const json::object attributes = last.attributes();
  json::object extra;
  const auto keep = [&](std::string_view name) {
    if (const json::value* const value = attributes.if_contains(name)) extra[name] = *value;
  };
  for (const std::string& name : entity_.json_attributes) {
    if (!kOwnAttributes.contains(name)) keep(name);
  }
  if (entity_.icon) keep("icon");
  if (entity_.picture) keep("entity_picture");
  thing.set_extra_attributes(std::move(extra));
}

void PolledEntity::withdraw() {
  if (thing_) const auto gone = environment_.entities.withdraw(entity_id());
  thing_ = nullptr;
}

void PolledEntity::complain(std::string_view what) {
  const base::LogScope own({.entity = entity_id()});
  const std::string line =
      base::without_secrets(fmt::format("{} ({}): {}", entity_id(), entity_.place, what), plan_.secrets);
  // The value in it may be another one each time.
  said_.log_as(what.substr(0, 40), line);
}

void PolledEntity::lose() {
  if (thing_) thing_->set_available(false);
}

void PolledEntity::repeat() {
  if (thing_) thing_->report({});
}

void PolledEntity::assume(const domains::Action& action, const json::object& data) {
  if (thing_) thing_->report(domains::outcome(thing_->kind(), action, data));
}

void PolledEntity::act(const domains::Action& action, const json::object& data) {
  calls_.command(action, data);
}

void PolledEntity::show(const Fetched& fetched, const std::string& text,
                        const std::shared_ptr<const json::value>& json) {
  if (!thing_) return;
  const automation::Moment moment = environment_.home.now();
  templates::Variables variables;
  variables.emplace_back("value", fetched.value ? templates::Value::from_json(*fetched.value) : templates::Value(text));
  if (json) variables.emplace_back("value_json", templates::Value::from_json(json, *json));
  variables.emplace_back("this", templates::state_value(moment.find(entity_id())));
  // Null after saying why it fails.
  const auto rendered = [&](const automation::Data& data, std::string_view key) -> std::optional<templates::Value> {
    auto value = data.render(moment.renderer(), variables);
    if (value) return std::move(*value);
    complain(fmt::format("{}: {}", key, value.error().message));
    return {};
  };
  if (entity_.availability) {
    const auto available = rendered(*entity_.availability, "availability");
    if (!available || !automation::counts_as_true(*available)) return thing_->set_available(false);
  }
  domains::Report report{.value = json::value()};
  json::object extra = attributes_of(json.get());
  for (const auto& each : fetched.attributes) {
    if (!kOwnAttributes.contains(each.key())) extra[each.key()] = each.value();
  }
  std::optional<templates::Value> value;
  if (fetched.value && fetched.value->is_null())
    value = templates::Value();
  else if (entity_.value_template)
    value = rendered(*entity_.value_template, "value_template");
  else if (!entity_.attributes_only || entity_.json_attributes.empty())
    value = templates::Value(text);
  if (value) {
    auto state = state_of(*value);
    if (!state) complain(fmt::format("the value: {}", state.error().message));
    if (state) report.value = std::move(*state);
  }
  if (entity_.domain == "cover" && report.value->is_number()) {
    const double position = report.value->to_number<double>();
    extra["current_position"] = static_cast<std::int64_t>(position);
    report.value = position > 0 ? "open" : "closed";
  }
  for (const auto& [key, data] : {std::pair("icon", &entity_.icon), std::pair("entity_picture", &entity_.picture)}) {
    if (!*data) continue;
    const auto shown = rendered(**data, key);
    if (std::string own = shown ? shown_text(*shown) : std::string(); !own.empty()) extra[key] = std::move(own);
  }
  thing_->set_extra_attributes(std::move(extra));
  // Before it is available, so that nobody sees its former value again.
  thing_->report(std::move(report));
  thing_->set_available(true);
}

base::Result<json::value> PolledEntity::state_of(const templates::Value& value) const {
  const std::string text = shown_text(value);
  if (text.empty() || text == core::kUnknown || base::equals_ignoring_case(text, "none")) return json::value();
  if (entity_.domain == "sensor") {
    if (const auto length = base::utf8_length(text); !length || *length > core::StateMachine::kMaxValueLength)
      return misfit(fmt::format("at most {} characters", core::StateMachine::kMaxValueLength), text);
    if (entity_.device_class == "timestamp") {
      auto time = templates::zoned_time(text);
      if (!time) return misfit(time.error(), text);
      return json::string(*time);
    }
    if (entity_.device_class == "date" && !is_date(text)) return misfit("a date such as 2026-04-20", text);
    const bool numeric = !entity_.unit_of_measurement.empty() || !entity_.state_class.empty();
    if (numeric && !base::parse_number(text)) return misfit("a number", text);
    return json::string(text);
  }
  if (entity_.domain == "cover") {
    const auto position = base::parse_number(text);
    if (!position || *position < 0 || *position > 100) return misfit("a position from 0 to 100", text);
    return json::value(std::round(*position));
  }
  if (!entity_.payload_on.empty()) {
    if (text == entity_.payload_on) return json::value(true);
    if (text == entity_.payload_off) return json::value(false);
    return misfit(fmt::format("{} or {}", entity_.payload_on, entity_.payload_off), text);
  }
  if (const auto number = base::parse_number(text)) return json::value(*number != 0);
  return json::value(kTrueWords.contains(core::lower_case(text)));
}

json::object PolledEntity::attributes_of(const json::value* json) {
  json::object extra;
  if (!entity_.has_state) extra["assumed_state"] = true;
  if (entity_.json_attributes.empty()) return extra;
  const json::value* part = json;
  if (part && entity_.json_attributes_path) part = entity_.json_attributes_path->find(*part);
  // A list stands for its first item.
  if (const json::array* const list = part ? part->if_array() : nullptr)
    part = list->empty() ? nullptr : &list->front();
  const json::object* const object = part ? part->if_object() : nullptr;
  if (!object) {
    complain(json ? "json_attributes: there is no object at their path in the JSON"
                  : "json_attributes: the text is no JSON");
    return extra;
  }
  for (const std::string& name : entity_.json_attributes) {
    const json::value* const value = object->if_contains(name);
    if (value && !kOwnAttributes.contains(name)) extra[name] = *value;
  }
  return extra;
}

}  // namespace hearth::building_blocks
