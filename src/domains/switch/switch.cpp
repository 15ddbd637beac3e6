// SPDX-License-Identifier: Apache-2.0
#include "domains/switch/switch.h"

namespace hearth::domains {

void Switch::report(bool on, const core::Context* cause) {
  on_ = on;
  write(cause);
}

std::string Switch::value() const {
  if (!on_) return std::string(core::kUnknown);
  return *on_ ? "on" : "off";
}

void add_switch_services(DomainServices& services) {
  services.add<Switch>({"turn_on", "Turn on", "Turns switches on."},
                       [](Switch& target, const json::object&) -> DomainServices::Prepared {
                         return [&target] { target.device().turn_on(); };
                       });
  services.add<Switch>({"turn_off", "Turn off", "Turns switches off."},
                       [](Switch& target, const json::object&) -> DomainServices::Prepared {
                         return [&target] { target.device().turn_off(); };
                       });
  services.add<Switch>({"toggle", "Toggle", "Turns on what is off, and off what is on."},
                       [](Switch& target, const json::object&) -> DomainServices::Prepared {
                         return [&target] { target.is_on() ? target.device().turn_off() : target.device().turn_on(); };
                       });
}

}  // namespace hearth::domains
