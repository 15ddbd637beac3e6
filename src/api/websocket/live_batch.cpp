// SPDX-License-Identifier: Apache-2.0
#include "api/websocket/live_batch.h"

#include <fmt/format.h>

namespace hearth::api {

http::MessagePtr event_message(std::int64_t id, std::string_view event_json) {
  return std::make_shared<const http::Message>(fmt::format(R"({{"id":{},"type":"event","event":{}}})", id, event_json));
}

const std::string& LiveBatch::envelope(std::size_t index) {
  envelopes_.resize(events_.size());
  std::string& text = envelopes_[index];
  if (text.empty()) {
    std::string whole;
    core::write_json(whole, *events_[index]);
    text = std::move(whole);
  }
  return text;
}

const LiveBatch::Messages& LiveBatch::events_for(std::int64_t id, const core::EventFilter& filter,
                                                 std::uint64_t start) {
  start = effective(start);
  // Subscriptions are to one type, or to all.
  const std::tuple key(id, start, filter.all() ? std::string() : *filter.types.begin());
  if (const auto found = event_messages_.find(key); found != event_messages_.end()) return found->second;
  Messages messages;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i]->sequence <= start || !filter.matches(events_[i]->type)) continue;
    messages.push_back(event_message(id, envelope(i)));
  }
  return event_messages_.emplace(key, std::move(messages)).first->second;
}

const LiveBatch::Messages& LiveBatch::changes_for(std::int64_t id, std::uint64_t start) {
  start = effective(start);
  const std::pair key(id, start);
  if (const auto found = change_messages_.find(key); found != change_messages_.end()) return found->second;
  auto made = all_changes_.find(start);
  if (made == all_changes_.end()) {
    made = all_changes_.emplace(start, changes_.behind(start, [](std::string_view) { return true; })).first;
  }
  Messages messages;
  for (const std::string& text : made->second) messages.push_back(event_message(id, text));
  return change_messages_.emplace(key, std::move(messages)).first->second;
}

}  // namespace hearth::api
