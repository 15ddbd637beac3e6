// SPDX-License-Identifier: Apache-2.0
#include "auth/failed_login.h"

#include <utility>

namespace hearth::auth {

std::string_view to_string(LoginPurpose purpose) {
  switch (purpose) {
    case LoginPurpose::login:
      return "login";
    case LoginPurpose::password_change:
      return "password_change";
    case LoginPurpose::api:
      return "api";
    case LoginPurpose::websocket:
      return "websocket";
    case LoginPurpose::first_user:
      return "first_user";
    case LoginPurpose::second_factor:
      return "second_factor";
    case LoginPurpose::passkey:
      return "passkey";
    case LoginPurpose::invitation:
      return "invitation";
  }
  return "login";
}

void FailedLogins::note(const Address& address, std::string_view account, LoginPurpose purpose, base::Timestamp now) {
  std::string from = unmapped(address).to_string();
  Key key{from, account, purpose};
  base::MutexLock lock(mutex_);
  if (const auto found = waiting_.find(key); found != waiting_.end()) {
    found->second.last = now;
    ++found->second.failures;
    return;
  }
  if (waiting_.size() >= kMaxWaiting) return;
  waiting_.emplace(std::move(key),
                   FailedLogin{0, now, now, std::move(from), std::string(account), std::string(to_string(purpose)), 1});
}

std::vector<FailedLogin> FailedLogins::drain() {
  std::map<Key, FailedLogin> taken;
  {
    base::MutexLock lock(mutex_);
    taken.swap(waiting_);
  }
  std::vector<FailedLogin> list;
  list.reserve(taken.size());
  for (auto& [key, failed] : taken) list.push_back(std::move(failed));
  return list;
}

}  // namespace hearth::auth
