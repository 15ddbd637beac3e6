// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/template_watch.h"

#include <algorithm>

#include "automation/conditions/comparison.h"
#include "base/log/log.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

using templates::Value;

bool counts(const base::Result<Value>& value) {
  return value && counts_as_true(*value);
}

}  // namespace

TemplateWatch::TemplateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place,
                             Fire fire)
    : trigger_(trigger),
      kind_(std::get<TemplateTrigger>(trigger.kind)),
      home_(home),
      variables_(variables),
      fire_(std::move(fire)),
      kept_(home.store, place),
      clocks_(
          home, std::move(place),
          [this](const std::string&, const ForClocks::Clock& clock, const Moment& moment) {
            if (was_true_ == true) this->fire(clock.from, clock.to, clock.time, clock.cause, moment);
          },
          [this](std::string_view) { return is_away(home_.now()); }),
      live_(home, kind_.condition, std::move(variables),
            [this](const base::Result<Value>& value, const core::Event* event, const Moment& moment) {
              on_value(value, event, moment);
            }) {
  const Moment now = home.now();
  if (!is_away(now)) was_true_ = counts(live_.value());
  if (const auto kept = kept_.find(""); kept && (is_away(now) || !live_.value())) was_true_ = kept;
  if (!live_.value()) tell(live_.value().error().message);
}

bool TemplateWatch::is_away(const Moment& moment) const {
  return trigger_.gap && std::ranges::any_of(live_.seen().entities,
                                             [&](const std::string& id) { return is_no_real_state(moment.find(id)); });
}

void TemplateWatch::on_value(const base::Result<Value>& value, const core::Event* event, const Moment& moment) {
  if (!value) {  // neither fires nor disarms
    kept_.keep("", was_true_, false);
    return tell(value.error().message);
  }
  told_.clear();
  if (is_away(moment)) {
    kept_.keep("", was_true_, {});
    if (!away_) away_ = home_.hub.bus.schedule(*trigger_.gap, [this] { clocks_.stop(""); });
    return;
  }
  away_.reset();
  const bool is_true = counts(value);
  const auto was_true = std::exchange(was_true_, is_true);
  kept_.keep("", is_true, is_true);
  if (!is_true) clocks_.end_all();
  if (is_true && was_true == true) clocks_.go_on("", moment);
  if (!is_true || was_true != false) return;
  const core::StateChange none, *const change = event ? event->state_change() : nullptr;
  const auto& [from, to] = change ? *change : none;
  const auto cause = event ? std::optional(event->context) : std::nullopt;
  if (!kind_.held) return fire(from, to, {}, cause, moment);
  const auto held = held_time(home_, moment, *kind_.held, variables_, trigger_value(trigger_, facts(from, to, {})));
  if (!held) return;
  clocks_.begin("", {from, to, *held, cause}, moment);
}

void TemplateWatch::tell(const std::string& failure) {
  if (std::exchange(told_, failure) == failure) return;
  base::log_warning("automation", "{} cannot be rendered: {}", trigger_name(variables_), failure);
}

FiringFacts TemplateWatch::facts(const core::StatePtr& from, const core::StatePtr& to,
                                 std::optional<base::Duration> held) const {
  const core::StatePtr& known = to ? to : from;
  return {{"entity_id", known ? Value(known->entity_id()) : Value()},
          {"from_state", templates::state_value(from)},
          {"to_state", templates::state_value(to)},
          {"for", held ? Value(templates::TimeDelta{held->count()}) : Value()}};
}

void TemplateWatch::fire(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held,
                         const std::optional<core::Context>& cause, const Moment& moment) const {
  fire_({trigger_value(trigger_, facts(from, to, held)), "template", cause, to}, moment);
}

}  // namespace hearth::automation
