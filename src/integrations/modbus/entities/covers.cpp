// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/covers.h"

#include <fmt/format.h>

#include "base/log/log.h"

namespace hearth::integrations::modbus {

CoverEntity::CoverEntity(HubHome& home, Poller& poller, Channel& channel, const CoverOptions& options)
    : options_(options),
      thing_(home.add(domains::kCover, options.common, 0, {.features = "open close"}, this)),
      position_(channel, Commanded::Status{options_.common.unit, options_.status_table, options_.status_address},
                [this](std::uint16_t value) { show(value); }) {
  if (thing_) position_.watch(*thing_, poller, options_.common.scan_interval);
}

void CoverEntity::set_connected(bool connected) {
  if (thing_ && !connected && thing_->available()) thing_->set_available(false);
}

void CoverEntity::act(const domains::Action& action, const json::object&) {
  const bool opens = std::string_view(action.service) == "open_cover";
  position_.write({.unit = options_.common.unit,
                   .table = options_.table,
                   .address = options_.common.address,
                   .values = {opens ? options_.open : options_.closed}},
                  [this, opens](const Answer& answer) {
                    if (answer) {
                      position_.read();
                      return;
                    }
                    base::log_warning("modbus", "{} cannot be {}: {}", thing_->entity_id(), opens ? "opened" : "closed",
                                      answer.error().message);
                    thing_->report({});
                  });
}

void CoverEntity::show(std::uint16_t value) {
  const std::pair<std::uint16_t, std::string_view> states[] = {{options_.closed, "closed"},
                                                               {options_.open, "open"},
                                                               {options_.opening, "opening"},
                                                               {options_.closing, "closing"}};
  const auto* const found = std::ranges::find(states, value, &std::pair<std::uint16_t, std::string_view>::first);
  if (found == std::end(states)) {
    position_.not_understood(fmt::format("Its state is {}, which means nothing.", value));
    thing_->report({.value = nullptr});
  } else {
    position_.understood();
    thing_->report({.value = found->second});
  }
}

}  // namespace hearth::integrations::modbus
