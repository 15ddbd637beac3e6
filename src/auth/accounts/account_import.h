// SPDX-License-Identifier: Apache-2.0
// Accounts from elsewhere, added as they were there: users with their ids and stored passwords, tokens and sessions by
// the hashes of their texts, so that what people have goes on working.
//
// The caller begins a write transaction on the database and ends it; other rows may be written in it, too. A call adds
// all of what it is given or, if it fails, nothing, and the transaction goes on: a failed one may be reported and left
// out. A running hub sees what was added within a second of the commit. One thread at a time.
//
// Failures: invalid for a wrong value, conflict for an id, name or hash that is there already, not_found for an unknown
// user, internal without a transaction. Messages name the value and what was expected; they show no hash.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "auth/token.h"
#include "auth/user.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::auth {

struct ImportedUser {
  std::string id;  // 32 hexadecimal digits in lower case, as all ids here
  std::string name;
  std::string display_name = {};  // empty means the name
  Role role = Role::user;
  core::PolicyPtr policy = nullptr;  // null: the role alone decides; an administrator has none
  bool active = true;
  std::optional<std::string> bcrypt = {};  // the stored password; null: nobody can log in until one is set
  std::string totp_secret = {};            // of the app that shows codes, 10 to 64 bytes; empty: none
  base::Timestamp created_at;              // the first administrator is the owner
};

struct ImportedToken {
  std::string id;
  std::string user_id;
  std::string name;                    // no other token of the user has it
  std::vector<TokenHash> hashes = {};  // 1 to AccountImport::kMaxTokenHashes, of each text that it may have
  base::Timestamp created_at;
  std::optional<base::Timestamp> expires_at = {};  // null: never
  std::optional<base::Timestamp> used_at = {};
  std::string used_from = {};  // the address; empty if it is not known
  std::optional<std::string> icon = {};
};

struct ImportedSession {
  std::string id;
  std::string user_id;
  std::string client_id;  // a URL
  TokenHash hash;         // of the refresh token
  base::Timestamp created_at;
  base::Timestamp used_at;
  base::Timestamp expires_at;  // unless it is used before
  std::string used_from = {};  // the address; empty if it is not known
};

class AccountImport {
 public:
  static constexpr std::size_t kMaxTokenHashes = 8;

  // REQUIRES: the tables of AccountStore::schema. `database` must outlive this.
  explicit AccountImport(storage::Database& database) : database_(database) {}

  base::Result<void> add_user(const ImportedUser& user);
  // Also beyond the number of tokens that a user may make.
  base::Result<void> add_token(const ImportedToken& token);
  // Also beyond the number of sessions that a user may have: the next login ends the least recently used ones.
  base::Result<void> add_session(const ImportedSession& session);
  // A value that clients keep for the user under a key. Fails with conflict if there is something, with invalid beyond
  // AccountStore's bounds.
  base::Result<void> add_user_data(std::string_view user_id, std::string_view key, const json::value& value);

 private:
  base::Result<void> insert_user(const ImportedUser& user);
  base::Result<void> insert_token(const ImportedToken& token);
  base::Result<void> insert_session(const ImportedSession& session);
  base::Result<void> insert_user_data(std::string_view user_id, std::string_view key, const json::value& value);
  // Undoes what `add` has written if it fails.
  template <class Add>
  base::Result<void> whole(Add&& add);
  // Fails with conflict or not_found, in the words of `what`.
  base::Result<void> check_owner_and_id(std::string_view what, std::string_view id, std::string_view user_id);
  base::Result<bool> exists(std::string_view sql, std::string_view id);
  base::Result<bool> hash_exists(std::string_view sql, const TokenHash& hash);

  storage::Database& database_;
};

}  // namespace hearth::auth
