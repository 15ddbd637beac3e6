// SPDX-License-Identifier: Apache-2.0
// States in the compressed form of subscribe_entities: `a` added, `c` changed, `r` removed, with s a c lc lu for the
// parts of a state, + and - for what a change brought and took. Times are seconds since 1970, with a fraction.
// Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/event.h"
#include "core/state_table.h"

namespace hearth::api {

using EntityPredicate = std::function<bool(std::string_view entity_id)>;

// {"a":{…}} of all that the predicate lets through.
std::string entity_snapshot(const core::StateTable& states, const EntityPredicate& wanted);

// What the events behind `start` changed: as few objects as the client's order of applying them (a, then r, then c)
// allows, each entity once in an object.
std::vector<std::string> entity_changes(const std::vector<core::EventPtr>& events, std::uint64_t start,
                                        const EntityPredicate& wanted);

}  // namespace hearth::api
