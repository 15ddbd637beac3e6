// SPDX-License-Identifier: Apache-2.0
// The hub's access to the tables of users, tokens and sessions: reads them after changes, and writes when tokens were
// used. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "auth/identity.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::auth {

class AccountLoader {
 public:
  static base::Result<AccountLoader> open(const std::filesystem::path& file);

  // The tokens and sessions of active users, including expired ones; null if no account changed since the last call.
  // Returns everything on the first call, after a change of users, and if there were more changes than are kept;
  // otherwise what changed. Takes microseconds if nothing changed.
  base::Result<std::optional<KnownAccounts>> load_if_changed();

  // Skips tokens and sessions revoked meanwhile. Changes nothing that load_if_changed sees.
  base::Result<void> note_uses(std::span<const TokenUse> uses);

 private:
  using Users = std::map<std::string, std::shared_ptr<const User>, std::less<>>;

  explicit AccountLoader(storage::Database database) : database_(std::move(database)) {}
  base::Result<KnownAccounts> read_everything();
  base::Result<KnownAccounts> read_changes(std::int64_t after);

  storage::Database database_;
  std::optional<std::int64_t> seen_version_;   // of the file: changes with each commit of another connection
  std::optional<std::int64_t> seen_revision_;  // of the accounts
  Users users_;                                // the active ones
};

}  // namespace hearth::auth
