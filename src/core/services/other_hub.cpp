// SPDX-License-Identifier: Apache-2.0
#include "core/services/other_hub.h"

#include "base/random_id.h"

namespace hearth::core {

std::shared_ptr<OtherHubs> make_other_hubs() {
  return std::make_shared<OtherHubs>();
}

base::Handle OtherHubs::add(std::string name, OtherHub& hub) {
  {
    const base::MutexLock lock(mutex_);
    by_name_.emplace(name, Entry{&hub, hub.tells_past()});
  }
  return base::Handle([this, name = std::move(name)] {
    const base::MutexLock lock(mutex_);
    by_name_.erase(name);
    for (auto token = order_.begin(); token != order_.end();) {
      const auto lent = lent_.find(*token);
      if (lent->second.name != name) {
        ++token;
        continue;
      }
      lent_.erase(lent);
      token = order_.erase(token);
    }
  });
}

OtherHub* OtherHubs::find(std::string_view name) const {
  const base::MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second.hub;
}

bool OtherHubs::tells_past(std::string_view name) const {
  const base::MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  return found != by_name_.end() && found->second.tells_past;
}

std::string OtherHubs::lend(std::string_view name, std::string_view path, base::SteadyTime now) {
  const base::MutexLock lock(mutex_);
  for (auto& [token, lent] : lent_) {
    if (lent.name != name || lent.path != path || lent.until <= now) continue;
    lent.until = now + kLent;
    return token;
  }
  if (order_.size() >= kMostLent) {
    lent_.erase(order_.front());
    order_.pop_front();
  }
  std::string token = base::make_random_id();
  lent_.emplace(token, Lent{std::string(name), std::string(path), now + kLent});
  order_.push_back(token);
  return token;
}

std::optional<OtherHubs::Lent> OtherHubs::lent(std::string_view token, base::SteadyTime now) const {
  const base::MutexLock lock(mutex_);
  const auto found = lent_.find(token);
  if (found == lent_.end() || found->second.until <= now) return {};
  return found->second;
}

}  // namespace hearth::core
