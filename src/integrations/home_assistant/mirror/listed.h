// SPDX-License-Identifier: Apache-2.0
// The entities of the hub there as the mirror lists them for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

enum class Fate {
  mirrored,
  collision,       // mirrored, under another id than wanted, because something else has that
  moved,           // an integration here, or another hub, provides it now
  shadowed,        // this hub has one of its own: local wins
  excluded,        // by `include` and `exclude`
  disabled_there,  // it has no state
  disabled_here,
  mirrored_there,  // the hub there has it from another one
  left_out,        // of those that never come, such as sun.sun
  invalid,         // its id or its state is none here; `detail` says why
};
// As GET /api/home_assistant/entities?why=… names it.
std::string_view to_string(Fate fate);

struct Listed {
  std::string entity_id_there;
  std::string entity_id_here;  // empty if it is not here
  Fate fate = Fate::mirrored;
  std::string detail = {};  // a sentence for people, or empty
};

struct Counts {
  // `mirrored` includes collisions.
  std::size_t mirrored = 0, collisions = 0, moved = 0, shadowed = 0, excluded = 0, disabled = 0, mirrored_there = 0,
              left_out = 0, invalid = 0;
};

// A field that people own here and that is another there: see Mirror::differences.
struct Difference {
  std::string id;     // the entity id or the device id here
  std::string field;  // name, icon, device_class, area_id, labels, aliases or options
  json::value here, there;
};

}  // namespace hearth::integrations::home_assistant
