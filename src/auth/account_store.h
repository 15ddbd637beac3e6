// SPDX-License-Identifier: Apache-2.0
// Users, their long-lived tokens, their sessions and what pages keep for them, in home.db: what the command line and
// the hub's own pages change. A running hub sees each change within a second, whichever process made it.
//
// One thread at a time; open one for each. A user's name is found in any case. Failures: not_found where there is no
// such user or token, conflict where a name is taken or the last administrator would be lost, invalid where a value is
// wrong; the message says which.
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

struct NewUser {
  std::string name;
  std::string display_name = {};  // empty: the name
  Role role = Role::user;
  std::optional<std::string> password = {};  // nothing: nobody can log in until one is set
};

// What to change of a user; nothing leaves it as it is.
struct UserChanges {
  std::optional<std::string> name = {};
  std::optional<std::string> display_name = {};
  std::optional<Role> role = {};
  std::optional<bool> active = {};
};

// What one user may have.
struct AccountLimits {
  std::size_t tokens = 200;    // long-lived ones
  std::size_t sessions = 200;  // beyond, the least recently used ends
};

// What a changed password ends: the user's sessions and, if asked, the long-lived tokens.
struct PasswordChange {
  std::string_view kept_token_id = {};  // the session or token of who changes it, which stays
  bool revoke_tokens = false;
};

class AccountStore {
 public:
  // Access tokens of one session that are valid at the same time; beyond, the oldest ends.
  static constexpr int kMaxAccessTokens = 64;

  static constexpr std::size_t kMaxDataKey = 255;          // code points
  static constexpr std::size_t kMaxUserData = 256 * 1024;  // bytes, of all of a user's as one JSON object

  // `clock` must outlive the store.
  static base::Result<AccountStore> open(const std::filesystem::path& file, const base::Clock& clock,
                                         AccountLimits limits = {});

  base::Result<User> add_user(const NewUser& user);
  base::Result<User> add_user(std::string_view name, Role role, std::string_view password);
  // Of any number of callers, in any number of processes, one succeeds, once in the life of a home that has no user
  // yet. The others fail with forbidden.
  base::Result<User> add_first_administrator(NewUser user);
  base::Result<User> find_user(std::string_view name);
  base::Result<User> find_user_by_id(std::string_view id);
  base::Result<std::vector<User>> users();  // by name
  // Fails with conflict where no active administrator would be left, as delete_user does.
  base::Result<User> change_user(std::string_view id, const UserChanges& changes);
  base::Result<void> delete_user(std::string_view id);
  base::Result<void> set_password(std::string_view name, std::string_view password, const PasswordChange& change = {});
  // Another name and password to log in with, both or neither.
  base::Result<void> set_login(std::string_view id, std::string_view name, std::string_view password,
                               const PasswordChange& change = {});
  // By who knows the old one. Fails with unauthorized.
  base::Result<void> change_password(std::string_view id, std::string_view old_password, std::string_view password,
                                     const PasswordChange& change = {});
  // For the command line, which may take the last administrator away: it can make another.
  base::Result<void> set_role(std::string_view name, Role role);
  base::Result<void> set_active(std::string_view name, bool active);
  // What the user may see and do, in place of everything that the role allows; null lifts all limits. Fails with
  // conflict for an administrator, who has none.
  base::Result<void> set_policy(std::string_view name, const core::PolicyPtr& policy);
  // Fails with unauthorized, always in the same words and time, where the user is unknown or inactive or the password
  // wrong.
  base::Result<User> verify_password(std::string_view name, std::string_view password);

  // Returns the token's text, which is kept nowhere. A lifetime of nothing is for ever. Fails with invalid also if the
  // user has as many as there may be.
  base::Result<std::string> create_token(std::string_view user, std::string_view name,
                                         std::optional<std::chrono::days> lifetime = kDefaultTokenLife,
                                         std::optional<std::string_view> icon = {});
  base::Result<std::vector<Token>> tokens(std::string_view user);  // by name
  base::Result<void> revoke_token(std::string_view user, std::string_view name);

  // A session, with its first access token, for a client that logged in from the address; the least recently used ends
  // if the user has as many as there may be. Fails with forbidden if the user is inactive, with invalid if the password
  // is no longer the one of that version.
  base::Result<IssuedTokens> create_session(std::string_view user_id, std::string_view client_id,
                                            std::string_view address,
                                            std::optional<std::int64_t> password_version = {});
  // Another access token; the session's life starts anew. Fails with invalid where the refresh token is unknown or has
  // expired, or belongs to another client; with forbidden where the user is inactive.
  base::Result<IssuedTokens> refresh_session(std::string_view refresh_token, std::string_view client_id,
                                             std::string_view address);
  // Ends the session, if there is one of this refresh token.
  base::Result<void> end_session(std::string_view refresh_token);

  // Sessions and long-lived tokens of a user, oldest first.
  base::Result<std::vector<RefreshToken>> refresh_tokens(std::string_view user_id);
  base::Result<void> delete_refresh_token(std::string_view user_id, std::string_view token_id);
  // All of a user's, or all of one type, but the one to keep.
  base::Result<void> delete_refresh_tokens(std::string_view user_id, std::optional<TokenType> type,
                                           std::string_view kept_token_id = {});
  // Forgets sessions and access tokens whose time is over.
  base::Result<void> purge_expired();

  // What pages keep for a user, JSON by key: all as one object; one value, null where there is none.
  base::Result<std::string> user_data(std::string_view user_id);
  base::Result<std::string> user_data(std::string_view user_id, std::string_view key);
  // REQUIRES: JSON, where null takes the key away. Returns all as one object.
  base::Result<std::string> set_user_data(std::string_view user_id, std::string_view key, std::string_view value_json);

  std::uintmax_t database_size() const { return database_.size(); }  // bytes

  // From where tokens were used last: a user's name in lower case, and an address.
  struct KnownPlace {
    std::string folded_name;
    std::string address;
  };
  base::Result<std::vector<KnownPlace>> known_places();

 private:
  AccountStore(storage::Database database, const base::Clock& clock, AccountLimits limits)
      : database_(std::move(database)), clock_(&clock), limits_(limits) {}
  base::Result<void> check_token_fits(const User& user);
  base::Result<User> select_user(std::string_view column, std::string_view value);
  base::Result<User> insert_user(const NewUser& user, std::string_view folded_name, std::string_view password);
  base::Result<void> check_administrator_left(const User& user);
  base::Result<User> change_within(std::string_view id, const UserChanges& changes);
  base::Result<void> delete_all(std::string_view user_id, TokenType type, std::string_view kept_token_id);
  base::Result<void> replace_password(const User& user, std::string_view password, std::optional<std::string_view> name,
                                      const PasswordChange& change);
  base::Result<std::string> add_access_token(std::string_view session_id);
  // `sql` changes one column, its first parameter, of the user whose folded name is the second.
  template <class Value>
  base::Result<void> change_column(std::string_view name, std::string_view sql, const Value& value);

  storage::Database database_;
  const base::Clock* clock_;
  AccountLimits limits_;
};

}  // namespace hearth::auth
