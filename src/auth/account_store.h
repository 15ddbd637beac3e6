// SPDX-License-Identifier: Apache-2.0
// Users and their tokens, in home.db: what the command line and the hub's own pages change. A running hub sees each
// change within a second, whichever process made it.
//
// One thread at a time; open one for each. A user's name is found in any case. Failures: not_found where there is no
// such user or token, conflict where a name is taken, invalid where a value is wrong; the message says which.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/token.h"
#include "auth/user.h"
#include "base/clock.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::auth {

class AccountStore {
 public:
  // `clock` must outlive the store.
  static base::Result<AccountStore> open(const std::filesystem::path& file, const base::Clock& clock);

  base::Result<User> add_user(std::string_view name, Role role, std::string_view password);
  base::Result<User> find_user(std::string_view name);
  base::Result<std::vector<User>> users();  // by name
  base::Result<void> set_password(std::string_view name, std::string_view password);
  base::Result<void> set_role(std::string_view name, Role role);
  base::Result<void> set_active(std::string_view name, bool active);
  // Fails with unauthorized, always in the same words and time, where the user is unknown or inactive or the password
  // wrong.
  base::Result<User> verify_password(std::string_view name, std::string_view password);

  // Returns the token's text, which is kept nowhere. A lifetime of nothing is for ever.
  base::Result<std::string> create_token(std::string_view user, std::string_view name,
                                         std::optional<std::chrono::days> lifetime = kDefaultTokenLife);
  base::Result<std::vector<Token>> tokens(std::string_view user);  // by name
  base::Result<void> revoke_token(std::string_view user, std::string_view name);

 private:
  AccountStore(storage::Database database, const base::Clock& clock) : database_(std::move(database)), clock_(&clock) {}
  // `sql` changes one column, its first parameter, of the user whose folded name is the second.
  template <class Value>
  base::Result<void> change_user(std::string_view name, std::string_view sql, const Value& value);

  storage::Database database_;
  const base::Clock* clock_;
};

}  // namespace hearth::auth
