// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/recent_messages.h"

#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::integrations::mqtt {

void RecentMessages::note(const core::MqttMessage& message) {
  if (!messages_.empty()) {
    const Kept& last = messages_.back();
    if (last.time == message.received() && last.topic == message.topic() && last.retain == message.retain() &&
        message.payload().starts_with(last.payload))
      return;
  }
  messages_.push_back(
      {message.topic(), message.payload().substr(0, kMaxPayload), message.qos(), message.retain(), message.received()});
  bytes_ += messages_.back().topic.size() + messages_.back().payload.size();
  while (messages_.size() > kMaxMessages || bytes_ > kMaxBytes) {
    bytes_ -= messages_.front().topic.size() + messages_.front().payload.size();
    messages_.pop_front();
  }
}

json::array RecentMessages::of_topic(std::string_view topic) const {
  json::array list;
  for (const Kept& each : messages_) {
    if (each.topic != topic) continue;
    list.push_back(json::object{{"topic", each.topic},
                                {"payload", base::utf8_repaired(each.payload)},
                                {"qos", each.qos},
                                {"retain", each.retain},
                                {"time", base::to_string(each.time)}});
  }
  return list;
}

}  // namespace hearth::integrations::mqtt
