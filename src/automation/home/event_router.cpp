// SPDX-License-Identifier: Apache-2.0
#include "automation/home/event_router.h"

#include "base/log/log.h"

namespace hearth::automation {

base::Handle EventRouter::listen(std::vector<std::string> types, Callback callback,
                                 std::optional<std::uint64_t> since) {
  const std::uint64_t number = ++last_number_;
  base::Handle handle([this, types, number] { end(types, number); });
  const auto shared =
      std::make_shared<const Listener>(Listener{std::move(callback), since.value_or(bus_.last_sequence())});
  for (const std::string& type : types) {
    Watched& watched = by_type_[type];
    if (watched.listeners.empty())
      watched.subscription = bus_.listen_since(shared->since, core::EventFilter{{type}}, *this);
    watched.listeners.emplace(number, shared);
  }
  return handle;
}

void EventRouter::end(const std::vector<std::string>& types, std::uint64_t number) {
  for (const std::string& type : types) {
    const auto found = by_type_.find(type);
    if (found == by_type_.end()) continue;
    found->second.listeners.erase(number);
    if (found->second.listeners.empty()) by_type_.erase(found);
  }
}

void EventRouter::on_event(const core::EventPtr& event) {
  const auto found = by_type_.find(event->type);
  if (found == by_type_.end()) return;
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const Listener>>> due(found->second.listeners.begin(),
                                                                             found->second.listeners.end());
  for (const auto& [number, listener] : due) {
    if (listener->since >= event->sequence) continue;
    const auto still = by_type_.find(event->type);
    if (still == by_type_.end() || !still->second.listeners.contains(number)) continue;
    try {
      listener->callback(*event);
    } catch (const std::exception& failure) {
      base::log_error("automation", "an event {} could not be handled: {}", event->type, failure.what());
    }
  }
}

}  // namespace hearth::automation
