// SPDX-License-Identifier: Apache-2.0
#include "api/websocket/live_batch.h"

#include <fmt/format.h>

#include "api/websocket/entity_changes.h"

namespace hearth::api {

http::MessagePtr event_message(std::int64_t id, std::string_view event_json) {
  return std::make_shared<const http::Message>(fmt::format(R"({{"id":{},"type":"event","event":{}}})", id, event_json));
}

const std::string& LiveBatch::envelope(std::size_t index) {
  envelopes_.resize(events_.size());
  std::string& text = envelopes_[index];
  if (text.empty()) core::write_json(text, *events_[index]);
  return text;
}

const LiveBatch::Messages& LiveBatch::events_for(std::int64_t id, const core::EventFilter& filter,
                                                 std::uint64_t start) {
  start = effective(start);
  // Subscriptions are to one type, or to all.
  const auto [place, first] =
      event_messages_.try_emplace({id, start, filter.all() ? std::string() : *filter.types.begin()});
  Messages& messages = place->second;
  if (!first) return messages;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i]->sequence <= start || !filter.matches(events_[i]->type)) continue;
    messages.push_back(event_message(id, envelope(i)));
  }
  return messages;
}

const LiveBatch::Messages& LiveBatch::changes_for(std::int64_t id, std::uint64_t start) {
  start = effective(start);
  const auto [place, first] = change_messages_.try_emplace({id, start});
  Messages& messages = place->second;
  if (!first) return messages;
  const auto [made, missing] = changes_.try_emplace(start);
  if (missing) made->second = entity_changes(events_, start, [](std::string_view) { return true; });
  for (const std::string& text : made->second) messages.push_back(event_message(id, text));
  return messages;
}

}  // namespace hearth::api
