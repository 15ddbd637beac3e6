// SPDX-License-Identifier: Apache-2.0
// The registries of the hub there, as its WebSocket lists them. What is missing or of another type is empty; an entry
// without an id is left out. Any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

// Longer lists are cut.
constexpr std::size_t kMaxEntries = 100'000;

// Of `config/…_registry/list`. An empty list if the text is none.
std::vector<OtherFloor> read_floors(std::string_view list);
std::vector<OtherLabel> read_labels(std::string_view list);
std::vector<OtherArea> read_areas(std::string_view list);
std::vector<OtherDevice> read_devices(std::string_view list);
std::vector<OtherEntity> read_entities(std::string_view list);

// Replaces each of these entities by the whole entry that `config/entity_registry/get_entries` has of it: by its
// entity id there. `entries`: an object.
void read_whole_entries(std::string_view entries, std::span<OtherEntity> entities);
// Of `config/entity_registry/get`: old hubs have no others.
void read_whole_entry(std::string_view entry, OtherEntity& entity);

}  // namespace hearth::integrations::home_assistant
