// SPDX-License-Identifier: Apache-2.0
// The state that a scene wants an entity to have, and the service calls that bring it about: they follow from the
// services of the entity's Kind. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/states/state.h"
#include "domains/entities/kind.h"

namespace hearth::domains {

struct DesiredState {
  std::string entity_id;
  std::string value;
  json::object attributes = {};

  // From "on", true, or {"state": "on", "brightness": 80}. Fails with invalid if no entity of the domain can have that
  // value.
  static base::Result<DesiredState> parse(std::string_view entity_id, const json::value& wanted);
  // The desired state that brings this state about later: the value, and the attributes that a service can set. Fails
  // with invalid if the domain has no services.
  static base::Result<DesiredState> of(const core::State& state);

  json::value to_json() const;  // the object that `parse` takes
};

// The desired states of a group's members, and of theirs; that of any other entity is itself. Members that
// cannot be in that state are left out, with a line in the log.
using FindState = std::function<core::StatePtr(std::string_view entity_id)>;
std::vector<DesiredState> spread(const DesiredState& desired, const FindState& find);

struct DesiredCall {
  std::string_view service;  // of the entity's domain
  json::object data;         // without the target
};

// In the order in which they are to be made; none if they would change nothing. Attributes that no service sets are
// ignored. Fails with invalid if no service brings about the value. `transition`: seconds, for services that take it.
base::Result<std::vector<DesiredCall>> calls_for(const DesiredState& desired, const core::State& now,
                                                 std::optional<double> transition = {});

}  // namespace hearth::domains
