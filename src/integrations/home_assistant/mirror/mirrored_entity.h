// SPDX-License-Identifier: Apache-2.0
// An entity of the hub there as the mirror knows it. Kept small: a home has thousands. Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/text/optional_text.h"
#include "core/values/entity_id.h"
#include "integrations/home_assistant/mirror/listed.h"

namespace hearth::integrations::home_assistant {

// Fields that people there have set; areas and labels are those there.
struct ChosenThere {
  base::OptionalText name = {}, icon = {}, device_class = {}, area_id = {}, hidden_by = {};
  std::vector<std::string> labels = {}, aliases = {};
  json::object options = {};

  bool empty() const {
    return !name && !icon && !device_class && !area_id && !hidden_by && labels.empty() && aliases.empty() &&
           options.empty();
  }
};

struct MirroredEntity {
  std::string there;                         // the entity id there
  std::string integration, unique_id;        // its identity here, with its domain
  std::optional<core::EntityId> here = {};   // null if it has no entry here
  std::unique_ptr<ChosenThere> chosen = {};  // null if people there chose nothing
  base::OptionalText device_there = {};
  base::OptionalText detail = {};  // why it is not as it should be
  std::size_t digest = 0;          // of its entry there, as it was applied
  std::uint64_t version = 0;       // of the registry here when the next fields were read:
  std::uint32_t connection = 0;    // the number of the connection that its state is from
  std::uint32_t listing = 0;       // the number of the listing of the registry there that has it
  std::uint16_t waiting = 0;       // changes whose context is not known yet
  Fate fate = Fate::invalid;
  bool listed = false;      // it has an entry there
  bool shown = true;        // it is not disabled here
  bool overridden = false;  // people here have chosen a name, a class or the like
  bool refused = false;     // its last state was none that can be here
  bool lost = false;        // it is unavailable because the hub there cannot be reached
  bool absent = false;      // it has no state there

  // True if its entry here is the mirror's.
  bool held() const { return here && (mirrored() || fate == Fate::disabled_there || fate == Fate::disabled_here); }
  bool mirrored() const { return fate == Fate::mirrored || fate == Fate::collision; }
};

}  // namespace hearth::integrations::home_assistant
