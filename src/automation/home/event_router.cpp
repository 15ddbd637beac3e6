// SPDX-License-Identifier: Apache-2.0
#include "automation/home/event_router.h"

#include "base/log/log.h"

namespace hearth::automation {

EventRouter::Listening& EventRouter::Listening::operator=(Listening&& other) noexcept {
  if (this == &other) return *this;
  if (router_) router_->end(*this);
  router_ = std::exchange(other.router_, nullptr);
  number_ = other.number_;
  types_ = std::move(other.types_);
  return *this;
}

EventRouter::Listening::~Listening() {
  if (router_) router_->end(*this);
}

EventRouter::Listening EventRouter::listen(std::vector<std::string> types, Callback callback,
                                           std::optional<std::uint64_t> since) {
  Listening listening;
  listening.router_ = this;
  listening.number_ = ++last_number_;
  listening.types_ = std::move(types);
  const auto shared =
      std::make_shared<const Listener>(Listener{std::move(callback), since.value_or(bus_.last_sequence())});
  for (const std::string& type : listening.types_) {
    Watched& watched = by_type_[type];
    if (watched.listeners.empty())
      watched.subscription = bus_.listen_since(shared->since, core::EventFilter{{type}}, *this);
    watched.listeners.emplace(listening.number_, shared);
  }
  return listening;
}

void EventRouter::end(const Listening& listening) {
  for (const std::string& type : listening.types_) {
    const auto found = by_type_.find(type);
    if (found == by_type_.end()) continue;
    found->second.listeners.erase(listening.number_);
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
