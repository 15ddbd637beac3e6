// SPDX-License-Identifier: Apache-2.0
// A batch of events for the subscriptions of one worker. A message for several subscriptions is made once, and a change
// is compared once for all of them; a message that could not be made is not kept. Worker thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/states/entity_changes.h"
#include "core/view.h"
#include "http/websocket/message.h"

namespace hearth::api {

class LiveBatch {
 public:
  using Messages = std::vector<http::MessagePtr>;

  // In the order of their sequence numbers; at least one.
  explicit LiveBatch(std::vector<core::EventPtr> events);
  LiveBatch(const LiveBatch&) = delete;
  LiveBatch& operator=(const LiveBatch&) = delete;

  const std::vector<core::EventPtr>& events() const { return events_; }
  // About how many bytes the events keep alive.
  std::size_t weight() const { return weight_; }
  // For the memory of the next batch; this one is over.
  std::vector<core::EventPtr> take_events() { return std::move(events_); }

  // For a subscription with this id: the events behind `start` that the filter lets through, each in its envelope.
  const Messages& events_for(std::int64_t id, const core::EventFilter& filter, std::uint64_t start);
  // The same for a caller who may not hear all of them; it is kept for nobody else.
  Messages events_for(std::int64_t id, const core::EventFilter& filter, std::uint64_t start, const core::View& home);
  // The changes of all entities behind `start`, compressed.
  const Messages& changes_for(std::int64_t id, std::uint64_t start);
  // The same for those who want some entities only.
  EntityChanges& changes() { return changes_; }

 private:
  // A start before the first event is like any other.
  std::uint64_t effective(std::uint64_t start) const { return std::max(start, events_.front()->sequence - 1); }
  const std::string& envelope(std::size_t index);

  std::vector<core::EventPtr> events_;
  const std::size_t weight_;
  std::vector<std::string> envelopes_;
  EntityChanges changes_;
  std::map<std::uint64_t, std::vector<std::string>> all_changes_;  // by start
  std::map<std::tuple<std::int64_t, std::uint64_t, std::string>, Messages> event_messages_;
  std::map<std::pair<std::int64_t, std::uint64_t>, Messages> change_messages_;
};

// {"id":…,"type":"event","event":…}
http::MessagePtr event_message(std::int64_t id, std::string_view event_json);

}  // namespace hearth::api
