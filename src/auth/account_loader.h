// SPDX-License-Identifier: Apache-2.0
// The hub's side of the tables of users, tokens and sessions: reads them when somebody changed them, and writes down
// when they were used. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "auth/identity.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::auth {

class AccountLoader {
 public:
  static base::Result<AccountLoader> open(const std::filesystem::path& file);

  // The tokens and sessions of active users, expired ones included; nothing where no account changed since the last
  // call. The first call always loads. Costs microseconds where nothing changed.
  base::Result<std::optional<KnownAccounts>> load_if_changed();

  // Tokens and sessions revoked meanwhile are left out. Changes nothing that load_if_changed sees.
  base::Result<void> note_uses(std::span<const TokenUse> uses);

 private:
  explicit AccountLoader(storage::Database database) : database_(std::move(database)) {}

  storage::Database database_;
  std::optional<std::int64_t> seen_version_;   // of the file: changes with whatever another connection commits to it
  std::optional<std::int64_t> seen_revision_;  // of the accounts
};

}  // namespace hearth::auth
