// SPDX-License-Identifier: Apache-2.0
// subscribe_entities of a caller who may not read every entity. An entity that becomes readable, for example because it
// is put into a room, is added; one that ceases to be readable is removed. Worker thread only.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "api/gateway/command.h"
#include "core/values/entity_filter.h"

namespace hearth::api {

// Which entities a client wants.
struct WantedEntities {
  std::optional<core::EntityFilter::Rule> entity_ids;  // no others, where it is there
  core::EntityFilter filter;

  bool all() const { return !entity_ids && filter.all(); }
  std::size_t weight() const {
    return filter.include.weight() + filter.exclude.weight() + (entity_ids ? entity_ids->weight() : 0);
  }
  bool operator()(std::string_view entity_id) const {
    return (!entity_ids || entity_ids->names_id(entity_id)) && filter.matches(entity_id);
  }
};

// Answers the command and begins the subscription.
void subscribe_readable(const CommandCall& call, CommandReply reply, std::shared_ptr<const WantedEntities> wanted);

}  // namespace hearth::api
