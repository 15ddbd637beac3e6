// SPDX-License-Identifier: Apache-2.0
#include "auth/login_flows.h"

namespace hearth::auth {

std::string LoginFlows::begin(Flow flow, const Address& from) {
  std::string id = make_id();
  const AddressPrefix prefix(from);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  forget_old(prefix, now);
  flows_.emplace(id, Entry{std::move(flow), prefix, now + kLife, ++begun_});
  return id;
}

void LoginFlows::forget_old(const AddressPrefix& from, base::SteadyTime now) {
  std::erase_if(flows_, [&](const auto& entry) { return entry.second.expires_at <= now; });
  std::size_t of_prefix = 0;
  auto oldest = flows_.end(), oldest_of_prefix = flows_.end();
  for (auto it = flows_.begin(); it != flows_.end(); ++it) {
    if (oldest == flows_.end() || it->second.number < oldest->second.number) oldest = it;
    if (it->second.from != from) continue;
    ++of_prefix;
    if (oldest_of_prefix == flows_.end() || it->second.number < oldest_of_prefix->second.number) oldest_of_prefix = it;
  }
  if (of_prefix >= kMaxFlowsOfPrefix) {
    flows_.erase(oldest_of_prefix);
  } else if (flows_.size() >= kMaxFlows) {
    flows_.erase(oldest);
  }
}

std::optional<LoginFlows::Flow> LoginFlows::find(std::string_view id) {
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const auto found = flows_.find(id);
  if (found == flows_.end() || found->second.expires_at <= now) return {};
  return found->second.flow;
}

bool LoginFlows::end(std::string_view id) {
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const auto found = flows_.find(id);
  if (found == flows_.end()) return false;
  const bool alive = found->second.expires_at > now;
  flows_.erase(found);
  return alive;
}

}  // namespace hearth::auth
