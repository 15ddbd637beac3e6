// SPDX-License-Identifier: Apache-2.0
// A person, located by their device trackers: at home if a router sees one of them; otherwise at the newest position;
// otherwise as the newest of the others says. Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/helpers/helper_entity.h"

namespace hearth::domains {

class PersonHelper final : public HelperEntity {
 public:
  using HelperEntity::HelperEntity;

  void act(const Action&, const json::object&) override {}

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void show() override;

  void listen();
  Report report() const;
  // The trackers' word; null if none of them has any.
  core::StatePtr source() const;

  std::vector<std::string> trackers_;
  std::optional<core::EntityListeners::Listening> listening_;
};

}  // namespace hearth::domains
