// SPDX-License-Identifier: Apache-2.0
// States in the compressed form of subscribe_entities: `a` added, `c` changed, `r` removed, with s a c lc lu for the
// parts of a state, + and - for what a change set and removed. Times are seconds since 1970, with a fraction. Any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/event.h"
#include "core/view.h"
#include "http/messages/body_file.h"

namespace hearth::api {

using EntityPredicate = std::function<bool(std::string_view entity_id)>;

// {"a":{…}} of all that the predicate lets through, piece by piece.
http::BodySource entity_snapshot(core::ReadableStates states, EntityPredicate wanted);

// Entities that come into a client's sight and leave it, without a change: as few objects as there may be.
std::vector<std::string> entities_shown(const std::vector<core::StatePtr>& added,
                                        const std::vector<std::string>& removed);

// Changes by some events. Each is compared once, when it is first wanted, however many subscriptions want it.
// One thread; the events must outlive it.
class EntityChanges {
 public:
  explicit EntityChanges(const std::vector<core::EventPtr>& events) : events_(events) {}

  // Changes behind `start` to the wanted entities: as few objects as the client's order of applying them (a, then
  // r, then c) allows, each entity once in an object.
  std::vector<std::string> behind(std::uint64_t start, const EntityPredicate& wanted);
  // The same of those changes that are wanted. Each is asked about once, in order.
  using ChangePredicate = std::function<bool(const core::StateChange& change, std::uint64_t sequence)>;
  std::vector<std::string> behind(std::uint64_t start, const ChangePredicate& wanted);
  // How many events have been compared so far.
  std::size_t compared() const { return compared_; }

 private:
  const std::string& text_of(std::size_t index, const core::StateChange& change);

  const std::vector<core::EventPtr>& events_;
  std::vector<std::string> texts_;  // by event, without the braces around; empty until wanted
  std::size_t compared_ = 0;
};

}  // namespace hearth::api
