// SPDX-License-Identifier: Apache-2.0
// What pages keep for a user has changed: for that user's subscriptions, and nobody else's. Immutable once sent.
#pragma once

#include <memory>
#include <string>

namespace hearth::api {

struct UserDataChange {
  std::string user_id;
  std::string key;
  std::string value;  // JSON
  std::string all;    // of the user, as a JSON object

  std::size_t weight() const { return user_id.size() + key.size() + value.size() + all.size(); }
};

using UserDataChangePtr = std::shared_ptr<const UserDataChange>;

}  // namespace hearth::api
