// SPDX-License-Identifier: Apache-2.0
#include "automation/event_router.h"

#include "base/log.h"

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

EventRouter::Listening EventRouter::listen(std::vector<std::string> types, Callback callback) {
  Listening listening;
  listening.router_ = this;
  listening.number_ = ++last_number_;
  listening.types_ = std::move(types);
  const auto shared = std::make_shared<const Callback>(std::move(callback));
  bool is_new = false;
  for (const std::string& type : listening.types_) {
    Callbacks& callbacks = by_type_[type];
    is_new = is_new || callbacks.empty();
    callbacks.emplace(listening.number_, shared);
  }
  if (is_new) subscribe();
  return listening;
}

void EventRouter::end(const Listening& listening) {
  bool left = false;
  for (const std::string& type : listening.types_) {
    const auto found = by_type_.find(type);
    if (found == by_type_.end()) continue;
    found->second.erase(listening.number_);
    if (!found->second.empty()) continue;
    by_type_.erase(found);
    left = true;
  }
  if (left) subscribe();
}

void EventRouter::subscribe() {
  core::EventFilter filter;
  for (const auto& [type, callbacks] : by_type_) filter.types.insert(type);
  // The new one before the old one ends, so that nothing is missed between.
  core::Subscription former = std::move(subscription_);
  if (!filter.types.empty()) subscription_ = bus_.listen(std::move(filter), *this);
}

void EventRouter::on_event(const core::EventPtr& event) {
  const auto found = by_type_.find(event->type);
  if (found == by_type_.end()) return;
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const Callback>>> due(found->second.begin(),
                                                                             found->second.end());
  for (const auto& [number, callback] : due) {
    const auto still = by_type_.find(event->type);
    if (still == by_type_.end() || !still->second.contains(number)) continue;
    try {
      (*callback)(*event);
    } catch (const std::exception& failure) {
      base::log_error("automation", "an event {} could not be handled: {}", event->type, failure.what());
    }
  }
}

}  // namespace hearth::automation
