// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/switches.h"

#include "base/log/log.h"

namespace hearth::integrations::demo {

Relay::Relay(World& world, domains::EntityInfo info, double watts, base::Duration radio_delay)
    : world_(world),
      watts_(watts),
      radio_delay_(radio_delay),
      switch_(world.add(domains::kSwitch, world.remembered(domains::kSwitch, info, {.value = false}), info, {}, this)),
      on_(switch_.reported() == "on") {}

void Relay::act(const domains::Action& action, const json::object&) {
  const bool on = on_ = action.value == "on";
  if (radio_delay_ == base::Duration(0)) return switch_.report({.value = on});
  const int number = ++last_report_;
  under_way_[number] = world_.bus().schedule(radio_delay_, [this, number, on, cause = switch_.command_context()] {
    under_way_.erase(number);
    switch_.report({.value = on}, &cause);
  });
}

MotorLock::MotorLock(World& world, domains::EntityInfo info, domains::Abilities can, std::string code)
    : world_(world),
      code_(std::move(code)),
      lock_(world.add(domains::kLock, world.remembered(domains::kLock, info, {.value = "locked"}), info, std::move(can),
                      this)) {}

void MotorLock::act(const domains::Action& action, const json::object& data) {
  const json::value* const code = data.if_contains("code");
  if (!code_.empty() && (!code || code->get_string() != code_)) {
    base::log_warning("demo", "{} refuses a wrong code", lock_.entity_id());
    return lock_.report({});
  }
  const std::string then(action.value);
  if (lock_.reported() == then || world_.still()) return lock_.report({.value = then});
  const std::string_view meanwhile = then == "locked" ? "locking" : then == "unlocked" ? "unlocking" : "opening";
  lock_.report({.value = meanwhile});
  motor_ = world_.after(std::chrono::milliseconds(600), [this, then] { lock_.report({.value = then}); });
}

}  // namespace hearth::integrations::demo
