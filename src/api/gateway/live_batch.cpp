// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/live_batch.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>

namespace hearth::api {

http::MessagePtr event_message(std::int64_t id, std::string_view event_json) {
  return std::make_shared<const http::Message>(fmt::format(R"({{"id":{},"type":"event","event":{}}})", id, event_json));
}

LiveBatch::LiveBatch(std::vector<core::EventPtr> events)
    : events_(std::move(events)),
      weight_(std::transform_reduce(events_.begin(), events_.end(), std::size_t(0), std::plus(),
                                    [](const core::EventPtr& event) { return event->weight(); })),
      changes_(events_) {}

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

LiveBatch::Messages LiveBatch::events_for(std::int64_t id, const core::EventFilter& filter, std::uint64_t start,
                                          const core::View& home) {
  Messages messages;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const core::Event& event = *events_[i];
    if (event.sequence <= start || !filter.matches(event.type) || !home.receives(event)) continue;
    const core::EventPtr shown = home.shown(events_[i]);
    if (shown == events_[i]) {
      messages.push_back(event_message(id, envelope(i)));
    } else {
      std::string text;
      core::write_json(text, *shown);
      messages.push_back(event_message(id, text));
    }
  }
  return messages;
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
