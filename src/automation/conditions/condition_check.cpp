// SPDX-License-Identifier: Apache-2.0
#include "automation/conditions/condition_check.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/comparison.h"
#include "automation/conditions/purpose_check.h"
#include "automation/home/trace.h"
#include "automation/values/state_values.h"
#include "base/text/timestamp.h"
#include "template/values/moment.h"

namespace hearth::automation {
namespace {

using base::Result;
using templates::Value;

std::unexpected<base::Error> cannot_say(std::string message) {
  return base::fail(base::ErrorCode::invalid, std::move(message));
}

bool is_enabled(const Condition& condition, const Moment& moment) {
  if (!condition.enabled_if) return condition.enabled;
  const auto enabled = condition.enabled_if->render(moment.renderer(), {});
  return !enabled || counts_as_true(*enabled);
}

struct Checker {
  const Moment& moment;
  const templates::VariablesView& variables;
  const std::string& path;

  Result<bool> operator()(const LogicCondition& logic) const {
    using Kind = LogicCondition::Kind;
    std::optional<base::Error> error;
    for (std::size_t index = 0; index < logic.conditions.size(); ++index) {
      const Condition& each = logic.conditions[index];
      if (!is_enabled(each, moment)) continue;
      auto holds = check(each, moment, variables, fmt::format("{}/conditions/{}", path, index));
      // A condition that cannot be checked is not false: only `or` goes on to the others.
      if (!holds && logic.kind != Kind::any) return holds;
      if (!holds)
        error = std::move(holds.error());
      else if (logic.kind == Kind::all ? !*holds : *holds)
        return logic.kind == Kind::any;
    }
    if (error) return std::unexpected(std::move(*error));
    return logic.kind != Kind::any;
  }

  Result<bool> operator()(const StateCondition& condition) const {
    for (const std::string& id : condition.entity_ids) {
      const auto holds = state_holds(condition, id);
      if (!holds) return holds;
      if (*holds == condition.any_entity) return *holds;
    }
    return !condition.any_entity;
  }

  Result<bool> state_holds(const StateCondition& condition, const std::string& id) const {
    const core::StatePtr state = moment.find(moment.entity_id_of(id));
    if (!state) return cannot_say(fmt::format("there is no {}", id));
    // A missing attribute is not null.
    if (!condition.attribute.empty() && !state->attributes().contains(condition.attribute)) return false;
    const json::value value = value_of(state, condition.attribute);
    const auto is_wanted = [&](const json::value& wanted) {
      if (is_equal(value, wanted)) return true;
      const auto* const text = wanted.if_string();
      if (!text || !text->starts_with("input_")) return false;
      const core::StatePtr helper = moment.find(std::string_view(*text));
      return helper && value == json::value(json::string(helper->value()));
    };
    if (!std::ranges::any_of(condition.states, is_wanted)) return false;
    if (!condition.held) return true;
    const auto held = condition.held->evaluate(moment.renderer(), variables);
    if (!held) return std::unexpected(held.error());
    const auto since = condition.attribute.empty() ? state->last_changed() : state->last_updated();
    return moment.time() - since >= *held;
  }

  Result<bool> operator()(const DelegatedCondition& condition) const {
    const core::DeviceDelegate* const delegate = moment.delegate_of(condition.form.device_id);
    if (!delegate)
      return cannot_say(fmt::format("no hub is connected that knows the device {}", condition.form.device_id));
    auto holds = delegate->holds(condition.form.written);
    note("hub", json::string(delegate->hub_name()));
    return holds;
  }

  Result<bool> operator()(const NumericCondition& condition) const {
    for (const std::string& id : condition.entity_ids) {
      const core::StatePtr state = moment.find(moment.entity_id_of(id));
      if (!state) return cannot_say(fmt::format("there is no {}", id));
      std::string why;
      const Fit fit = compare(moment, {condition.above, condition.below, condition.attribute, condition.value_template},
                              state, variables, &why);
      if (fit == Fit::unclear) return cannot_say(std::move(why));
      if (fit == Fit::no) return false;
    }
    return true;
  }

  Result<bool> operator()(const TemplateCondition& condition) const {
    const auto value = condition.condition.render(moment.renderer(), variables);
    if (!value) return std::unexpected(value.error());
    return is_true(*value);
  }

  Result<bool> operator()(const TimeCondition& condition) const {
    const auto local = templates::at(moment.time().time_since_epoch().count(), moment.zone());
    if (!condition.weekdays.has(weekday_of(local))) return false;
    if (is_gone_side(condition.after) || is_gone_side(condition.before)) return false;
    const auto after = side(condition.after), before = side(condition.before);
    if (!after) return std::unexpected(after.error());
    if (!before) return std::unexpected(before.error());
    if (*after) note("wanted_time_after", time_text(**after));
    if (*before) note("wanted_time_before", time_text(**before));
    const std::int64_t now = (local.local % templates::kDay + templates::kDay) % templates::kDay;
    const bool is_after = !*after || now >= (*after)->count(), is_before = !*before || now < (*before)->count();
    // Over midnight; the same time twice is the whole day.
    if (*after && *before && **after >= **before) return is_after || is_before;
    return is_after && is_before;
  }

  // True if its entity tells no time now.
  bool is_gone_side(const TimeCondition::Side& side) const {
    const auto* const id = std::get_if<std::string>(&side);
    const core::StatePtr state = id ? moment.find(*id) : nullptr;
    return state && is_gone(json::string(state->value()));
  }

  // A time of day; null if there is none. A date alone is its last second, as in Home Assistant.
  Result<std::optional<base::Duration>> side(const TimeCondition::Side& side) const {
    if (const auto* const time = std::get_if<base::Duration>(&side)) return *time;
    const auto* const id = std::get_if<std::string>(&side);
    if (!id) return std::nullopt;
    const core::StatePtr state = moment.find(*id);
    if (!state) return cannot_say(fmt::format("there is no {}", *id));
    const std::string_view text = state->value();
    if (const auto time = parse_time_of_day(text)) return *time;
    if (state->domain() == "sensor" && !is_timestamp(*state))
      return cannot_say(fmt::format("{} is no sensor of the device class timestamp", *id));
    // A date and a time: of an input_datetime by the clocks of the home, of a sensor at an instant.
    const auto instant = base::parse_timestamp(text);
    if (!instant) return cannot_say(fmt::format("{} is {}: expected a time", *id, text));
    if (state->domain() != "sensor" && !text.contains(':')) return std::chrono::days(1) - std::chrono::seconds(1);
    std::int64_t local = instant->time_since_epoch().count();
    if (state->domain() == "sensor") local = templates::at(local, moment.zone()).local;
    return base::Duration((local % templates::kDay + templates::kDay) % templates::kDay);
  }

  // Adds to the trace the time that the present one is compared with.
  void note(std::string_view key, json::value value) const {
    Trace* const trace = moment.trace();
    if (!trace) return;
    trace->select(path);
    trace->add_result({{key, std::move(value)}});
  }

  static json::value time_text(base::Duration time) {
    return json::string(fmt::format("{:%T}", std::chrono::floor<std::chrono::seconds>(time)));
  }

  static json::value instant_text(const std::optional<base::Timestamp>& time) {
    return time ? json::value(json::string(base::to_string(*time))) : json::value();
  }

  // The event of the local day; null if there is none.
  std::optional<base::Timestamp> of_today(SunEvent event) const {
    const auto zone = moment.zone();
    const auto day_of = [&](base::Timestamp time) {
      const std::int64_t local = templates::at(time.time_since_epoch().count(), zone).local;
      return local - (local % templates::kDay + templates::kDay) % templates::kDay;
    };
    const std::int64_t today = day_of(moment.time());
    const auto time = next_sun_event(event, instant_of(today, zone) - base::Duration(1), moment.place());
    return time && day_of(*time) == today ? time : std::nullopt;
  }

  Result<bool> operator()(const SunCondition& condition) const {
    const auto now = moment.time();
    const auto shifted = [this](const std::optional<SunEvent>& event, base::Duration offset) {
      const auto time = event ? of_today(*event) : std::nullopt;
      return time ? std::optional(*time + offset) : std::nullopt;
    };
    const auto after = shifted(condition.after, condition.after_offset);
    const auto before = shifted(condition.before, condition.before_offset);
    if (condition.after) note("wanted_time_after", instant_text(after));
    if (condition.before) note("wanted_time_before", instant_text(before));
    // A day without the event, near the poles, fulfils nothing.
    if ((condition.after && !after) || (condition.before && !before)) return false;
    const bool is_after = !after || now >= *after;
    const bool is_before = !before || now <= *before;
    const bool night = condition.after == SunEvent::set && condition.before == SunEvent::rise;
    return night ? is_after || is_before : is_after && is_before;
  }

  Result<bool> operator()(const ZoneCondition& condition) const {
    for (const std::string& id : condition.entity_ids) {
      const core::StatePtr entity = moment.find(id);
      if (!entity) return cannot_say(fmt::format("there is no {}", id));
      bool in_any = false;
      for (const std::string& name : condition.zones) {
        const core::StatePtr zone = moment.find(name);
        if (!zone) return cannot_say(fmt::format("there is no {}", name));
        const auto inside = is_in_zone(*entity, *zone);
        if (!inside) return cannot_say(fmt::format("{} has no place", id));
        in_any = in_any || *inside;
      }
      if (!in_any) return false;
    }
    return true;
  }

  Result<bool> operator()(const PurposeCondition& condition) const {
    base::Duration held{0};
    if (condition.held) {
      const auto evaluated = condition.held->evaluate(moment.renderer(), variables);
      if (!evaluated) return std::unexpected(evaluated.error());
      held = *evaluated;
    }
    const PurposeCheck purpose(condition.use, moment);
    for (const std::string& id : purpose.entity_ids()) {
      const core::StatePtr state = moment.find(std::string_view(id));
      if (!purpose.counts(state)) continue;
      const bool holds = purpose.is_so(*state) && moment.time() - purpose.since(*state) >= held;
      if (holds != condition.all) return holds;
    }
    return condition.all;
  }

  Result<bool> operator()(const TriggerCondition& condition) const {
    const Value* const trigger = variables.find("trigger");
    if (!trigger || trigger->is_none()) return false;
    const Value id = templates::attribute_of(*trigger, "id");
    return id.is_text() && std::ranges::find(condition.ids, id.text()) != condition.ids.end();
  }
};

}  // namespace

Result<bool> check(const Condition& condition, const Moment& moment, const templates::VariablesView& variables,
                   const std::string& path) {
  if (!is_enabled(condition, moment)) return true;
  if (moment.trace()) moment.trace()->enter(path, moment.time());
  return check_entered(condition, moment, variables, path);
}

Result<bool> check_entered(const Condition& condition, const Moment& moment, const templates::VariablesView& variables,
                           const std::string& path) {
  Trace* const trace = moment.trace();
  const auto holds = std::visit(Checker{moment, variables, path}, condition.kind);
  if (!trace) return holds;
  trace->select(path);
  if (holds)
    trace->add_result({{"result", *holds}});
  else
    trace->add_error(holds.error().message);
  return holds;
}

Result<bool> all_hold(std::span<const Condition> conditions, const Moment& moment,
                      const templates::VariablesView& variables, const std::string& path) {
  for (std::size_t index = 0; index < conditions.size(); ++index) {
    auto holds = check(conditions[index], moment, variables, fmt::format("{}/{}", path, index));
    if (!holds || !*holds) return holds;
  }
  return true;
}

}  // namespace hearth::automation
