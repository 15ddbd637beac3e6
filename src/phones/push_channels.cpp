// SPDX-License-Identifier: Apache-2.0
#include "phones/push_channels.h"

#include "base/random_id.h"

namespace hearth::phones {

std::shared_ptr<void> PushChannels::open(const std::string& webhook_id, bool confirms, Put put) {
  const std::uint64_t number = ++last_;
  if (const auto former = channels_.find(webhook_id); former != channels_.end())
    close(webhook_id, former->second.number);
  channels_.emplace(webhook_id, Channel{number, confirms, std::move(put)});
  return {static_cast<void*>(this), [this, alive = std::weak_ptr(alive_), webhook_id, number](void*) {
            if (!alive.expired()) close(webhook_id, number);
          }};
}

void PushChannels::close(const std::string& webhook_id, std::uint64_t number) {
  const auto found = channels_.find(webhook_id);
  if (found == channels_.end() || found->second.number != number) return;
  auto waiting = std::move(found->second.waiting);
  channels_.erase(found);
  for (auto& [id, each] : waiting) each.arrived(false);
}

void PushChannels::send(const std::string& webhook_id, const Notice& notice, Arrived arrived) {
  const auto found = channels_.find(webhook_id);
  if (found == channels_.end() || found->second.waiting.size() >= kMaxUnconfirmed) return arrived(false);
  Channel& channel = found->second;
  json::object message{{"message", notice.message}};
  if (!notice.title.empty()) message["title"] = notice.title;
  if (!notice.data.empty()) message["data"] = notice.data;
  if (!channel.confirms) {
    channel.put(base::to_json(message));
    return arrived(true);
  }
  const std::string id = base::make_random_id();
  message["hass_confirm_id"] = id;
  Waiting& waiting = channel.waiting[id];
  waiting.arrived = std::move(arrived);
  waiting.until = bus_.schedule(kConfirmWithin, [this, webhook_id, id] {
    const auto open = channels_.find(webhook_id);
    if (open == channels_.end()) return;
    if (auto late = open->second.waiting.extract(id)) late.mapped().arrived(false);
  });
  channel.put(base::to_json(message));
}

bool PushChannels::confirm(const std::string& webhook_id, const std::string& confirm_id) {
  const auto found = channels_.find(webhook_id);
  if (found == channels_.end()) return false;
  auto waiting = found->second.waiting.extract(confirm_id);
  if (!waiting) return false;
  waiting.mapped().arrived(true);
  return true;
}

}  // namespace hearth::phones
