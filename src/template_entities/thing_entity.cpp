// SPDX-License-Identifier: Apache-2.0
#include "template_entities/thing_entity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/timestamp.h"
#include "core/values/units.h"
#include "domains/entities/kinds.h"
#include "template_entities/thing_values.h"

namespace hearth::template_entities {
namespace {

constexpr std::string_view kForecast = "forecast_";

domains::Abilities abilities(const EntityPlan& plan) {
  domains::Abilities can;
  const domains::Kind& kind = *plan.form->kind;
  for (const Ability& ability : plan.form->abilities) {
    for (const std::string_view key : ability.keys) {
      if (plan.has(key)) can.feature_bits |= kind.features_of(ability.features);
    }
  }
  for (const auto& [name, value] : plan.fixed) {
    if (name == "percentage_step")
      can.attributes[name] = 100 / value.to_number<double>();  // the file says how many speeds there are
    else if (kind.find_attribute(name))
      can.attributes[name] = value;
  }
  if (&kind == &domains::kNumber)
    for (const auto& [name, value] : {std::pair("min", 0), std::pair("max", 100), std::pair("step", 1)})
      can.attributes[name] = value;
  if (&kind == &domains::kAlarmControlPanel && !can.attributes.contains("code_arm_required"))
    can.attributes["code_arm_required"] = true;
  return can;
}

// The state is in the unit that the user wants, the template gives another.
void keep_unit(const EntityPlan& plan, const core::State& last, domains::Report& report) {
  const json::value* const own = plan.fixed.if_contains("unit_of_measurement");
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains("unit_of_measurement");
  if (!own || !shown || !shown->is_string() || *own == *shown || !report.value || !report.value->is_string()) return;
  const auto converted =
      core::convert_unit_of(std::string(report.value->get_string()), shown->get_string(), own->get_string());
  report.value = converted ? domains::OptionalValue(*converted) : domains::OptionalValue();
}

// All attributes that the block's templates gave: they tell them again only when a trigger fires.
void keep_attributes(const EntityPlan& plan, const core::State& last, domains::Report& report) {
  const json::object attributes = last.attributes();
  for (const domains::Attribute& each : plan.form->kind->attributes) {
    const json::value* const kept = plan.reads(each.name) ? attributes.if_contains(each.name) : nullptr;
    if (!kept || kept->is_null()) continue;
    if (auto converted = domains::field::convert(each.type, *kept))
      report.attributes[each.name] = std::move(*converted);
  }
}

// 3 as 3.0
std::string pointed(std::string text) {
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::optional<bool> truth_of(std::string_view value) {
  if (value != "on" && value != "off") return {};
  return value == "on";
}

template <class Unwanted>
json::object without(const json::object& all, Unwanted unwanted) {
  json::object kept;
  for (const auto& [name, value] : all) {
    if (!unwanted(name)) kept[name] = value;
  }
  return kept;
}

templates::Variables variables_of(const json::object& data) {
  templates::Variables variables;
  for (const auto& [name, value] : data) variables.emplace_back(name, templates::Value::from_json(json::value(value)));
  return variables;
}

}  // namespace

ThingEntity::ThingEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
                         domains::EntityTable& entities)
    : TemplateEntity(std::move(plan), entity, home, entities) {
  if (!Delays::any(entity)) return;
  delays_.emplace(home, entity, [this](std::optional<bool> on) {
    if (thing_) thing_->report({.value = on ? json::value(*on) : json::value()});
  });
}

std::unique_ptr<domains::Entity> ThingEntity::make(domains::EntityInfo info, const core::State* last,
                                                   const Rendering*) {
  auto made = std::make_unique<domains::Thing>(*plan().form->kind, std::move(info), abilities(plan()), this);
  thing_ = made.get();
  if (last) restore(*last);
  return made;
}

void ThingEntity::restore(const core::State& last) {
  const domains::Kind& kind = thing_->kind();
  const bool told = plan().reads(kState) && !by_triggers() && !delays_;
  domains::Report report = domains::restored(kind, {}, last);
  keep_unit(plan(), last, report);
  if (told) report.value = {};
  if (by_triggers()) keep_attributes(plan(), last, report);
  // Values of templates are told now; events must not be told again.
  if (!by_triggers() && kind.stamped != domains::Stamped::when_reported)
    report.attributes = without(report.attributes, [&](std::string_view name) { return plan().reads(name); });
  if (&kind == &domains::kImage && last.attributes().contains("entity_picture"))
    report.attributes["entity_picture"] = last.attributes().at("entity_picture");
  thing_->report(std::move(report));
  if (by_triggers()) thing_->set_extra_attributes(extra_of(last));
  if (delays_) delays_->restore(truth_of(thing_->reported()));
}

void ThingEntity::apply(const Rendering& rendering, const templates::Variables& variables, const core::Context* cause,
                        const automation::Moment& moment) {
  const domains::Kind& kind = thing_->kind();
  domains::Report report;
  json::object extra = rendering.extra;
  for (const auto& [reading, value] : rendering.values) {
    if (kind.domain == "weather" && reading->sets.starts_with(kForecast)) {
      forecasts_[reading->sets.substr(kForecast.size())] = automation::json_of(value);
      continue;
    }
    if (reading->sets != kState) {
      const domains::Attribute* const attribute = kind.find_attribute(reading->sets);
      const bool lacking = attribute && thing_->lacks(attribute->needs);
      (lacking ? extra : report.attributes)[reading->sets] = attribute_of(kind, reading->sets, value);
      continue;
    }
    if (text_of(value) == core::kUnavailable) return thing_->set_available(false);
    auto state = state_of(plan(), *reading, value);
    if (!state) {
      complain(state.error().message);
      state = json::value();
    }
    report.value = std::move(*state);
  }
  if (&kind == &domains::kCover && !plan().reads(kState)) {
    const templates::Value* const position = rendering.find("current_position");
    const auto where = position ? templates::as_double(*position) : std::nullopt;
    if (plan().reads("current_position"))
      report.value = where ? json::value(*where > 0 ? "open" : "closed") : json::value();
  }
  if (&kind == &domains::kNumber && report.value && report.value->is_string())
    report.value = pointed(std::string(report.value->get_string()));
  if (delays_) take_delayed(variables, report, moment);
  const bool appears = !thing_->available();
  this->report(std::move(report), std::move(extra), cause);
  if (appears) thing_->set_available(true);
}

void ThingEntity::take_delayed(const templates::Variables& variables, domains::Report& report,
                               const automation::Moment& moment) {
  if (!report.value) return;
  const auto wanted = report.value->is_bool() ? std::optional(report.value->get_bool()) : std::nullopt;
  const auto present = truth_of(thing_->reported());
  // The clocks report it, now or later.
  report.value = {};
  if (const auto done = delays_->want(wanted, present, variables, by_triggers(), moment); !done)
    complain(done.error().message);
}

void ThingEntity::report(domains::Report report, json::object extra, const core::Context* cause) {
  const domains::Kind& kind = thing_->kind();
  bool same = true, told = kind.domain == "event" && by_triggers();
  for (const auto& [name, value] : report.attributes) {
    const domains::Attribute* const known = kind.find_attribute(name);
    const auto converted = known && !value.is_null() ? domains::field::convert(known->type, value) : std::nullopt;
    same = same && thing_->attribute(name) == (converted ? *converted : value);
  }
  if (kind.stamped == domains::Stamped::when_reported) {
    // Its value is the time of a change, not that of another attribute.
    if (!same || told)
      report.value = base::to_string(home().hub.clock.now());
    else
      report.value = thing_->reported() == core::kUnknown ? json::value() : json::value(thing_->reported());
    same = same && !told;
  } else if (report.value) {
    same = same && domains::value_text(kind, *report.value) == thing_->reported();
  }
  if (same && extra == thing_->extra_attributes() && !awaited()) return;
  thing_->set_extra_attributes(std::move(extra));
  thing_->report(std::move(report), cause_of_report(cause));
}

void ThingEntity::repeat() {
  cause_of_report(nullptr);
  thing_->report({});
}

void ThingEntity::obey(const domains::Order& order) {
  const std::string_view asked = order.asked ? order.asked->service : order.action->service;
  const bool turns_off = order.action->service == plan().form->kind->off;
  const std::string_view service = !turns_off && plan().form->as_asked.contains(asked) ? asked : order.action->service;
  if (plan().form->kind->stamped != domains::Stamped::when_done) commanded();
  for (const Sending& row : plan().form->sendings) {
    if (row.service != service || (!row.field.empty() && !order.data.contains(row.field))) continue;
    if (!row.instead_of.empty() && plan().steps.contains(row.instead_of)) continue;
    templates::Variables data = variables_of(order.data);
    if (row.number >= 0)
      data.emplace_back(std::string(row.variable), row.number);
    else if (!row.variable.empty() && !row.field.empty())
      data.emplace_back(std::string(row.variable), templates::Value::from_json(order.data.at(row.field)));
    if (plan().form->kind == &domains::kUpdate) {
      const json::value *const version = order.data.if_contains("version"), *const backup =
                                                                                order.data.if_contains("backup");
      data.emplace_back("specific_version", version ? templates::Value::from_json(*version) : templates::Value());
      if (!backup) data.emplace_back("backup", false);
    }
    run(row.key, std::move(data));
  }
  assume(*order.action, order.data);
}

void ThingEntity::act(const domains::Action& action, const json::object& data) {
  obey({.action = &action, .data = data});
}

void ThingEntity::assume(const domains::Action& action, const json::object& data) {
  const domains::Kind& kind = thing_->kind();
  if (kind.stamped != domains::Stamped::never) return;
  domains::Report done = domains::outcome(kind, action, data);
  const bool all = plan().optimistic;
  const bool placed = plan().reads("current_position") && &kind == &domains::kCover;
  if (!all && (plan().reads(kState) || placed)) done.value = {};
  if (!all) done.attributes = without(done.attributes, [&](std::string_view name) { return plan().reads(name); });
  if (&kind == &domains::kNumber && done.value && done.value->is_number())
    done.value = pointed(templates::number_text(done.value->to_number<double>()));
  if (const json::value* const position = done.attributes.if_contains("current_position"); position && !placed)
    done.value = position->to_number<double>() > 0 ? "open" : "closed";
  if (!done.value && done.attributes.empty()) return;
  thing_->report(std::move(done), cause_of_report(nullptr));
}

base::Result<json::object> ThingEntity::answer(const domains::Action&, const json::object& data) {
  const json::value* const forecast = forecasts_.if_contains(data.at("type").get_string());
  if (!forecast || !forecast->is_array())
    return base::fail(base::ErrorCode::unavailable, fmt::format("{} has no forecast now.", entity_id()));
  return json::object{{"forecast", *forecast}};
}

}  // namespace hearth::template_entities
