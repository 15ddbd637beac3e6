// SPDX-License-Identifier: Apache-2.0
// A change of the data that pages store for a user; only that user's subscriptions get it. Immutable once sent.
#pragma once

#include <memory>
#include <string>

#include "base/id.h"

namespace hearth::api {

struct UserDataChange {
  base::Id user_id;
  std::string key;
  std::string value;  // JSON
  std::string all;    // of the user, as a JSON object

  std::size_t weight() const { return user_id.str().size() + key.size() + value.size() + all.size(); }
};

using UserDataChangePtr = std::shared_ptr<const UserDataChange>;

}  // namespace hearth::api
