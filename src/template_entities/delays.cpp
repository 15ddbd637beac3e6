// SPDX-License-Identifier: Apache-2.0
#include "template_entities/delays.h"

#include "base/log/log.h"

namespace hearth::template_entities {
namespace {

constexpr const char *kOn = "on", *kOff = "off", *kAutoOff = "auto_off";

}  // namespace

Delays::Delays(automation::Home& home, const EntityPlan& plan, Become become)
    : plan_(plan),
      become_(std::move(become)),
      clocks_(home, "template/" + plan.id(),
              [this](const std::string& clock, const automation::ForClocks::Clock&, const automation::Moment& moment) {
                ended(clock, moment);
              }) {}

base::Result<void> Delays::want(std::optional<bool> wanted, std::optional<bool> present,
                                const templates::Variables& variables, bool again, const automation::Moment& moment) {
  const bool first = !wanted_;
  const bool same = wanted_ == wanted;
  variables_ = variables;
  wanted_ = wanted;
  if (same && !again) return {};
  const char* const clock = wanted == true ? kOn : kOff;
  // After a restart its clocks go on, and what auto_off has ended stays so.
  const bool goes_on = first && restored_ && !again;
  if (goes_on && wanted && (clocks_.find(clock) || (plan_.auto_off && wanted == true && present == false))) return {};
  clocks_.end(kOn);
  clocks_.end(kOff);
  if (!wanted || wanted == present) {
    if (!goes_on || !clocks_.find(kAutoOff)) become(wanted, moment);
    return {};
  }
  const auto& delay = *wanted ? plan_.delay_on : plan_.delay_off;
  base::Duration time{0};
  if (delay) {
    const auto evaluated = delay->evaluate(moment.renderer(), variables);
    if (!evaluated) return std::unexpected(evaluated.error());
    time = *evaluated;
  }
  if (time.count() == 0)
    become(wanted, moment);
  else
    clocks_.begin(clock, {.from = nullptr, .to = nullptr, .time = time}, moment);
  return {};
}

void Delays::restore(std::optional<bool> present) {
  restored_ = present.has_value();
}

void Delays::ended(const std::string& clock, const automation::Moment& moment) {
  become(clock == kOn, moment);
}

void Delays::become(std::optional<bool> on, const automation::Moment& moment) {
  clocks_.end(kAutoOff);
  become_(on);
  if (on == true && plan_.auto_off) {
    const auto time = plan_.auto_off->evaluate(moment.renderer(), variables_);
    if (time)
      clocks_.begin(kAutoOff, {.from = nullptr, .to = nullptr, .time = *time}, moment);
    else
      base::log_warning("template", "{}: {}", plan_.place, time.error().message);
  }
}

}  // namespace hearth::template_entities
