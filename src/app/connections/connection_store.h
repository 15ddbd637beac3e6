// SPDX-License-Identifier: Apache-2.0
// The connections in home.db: those that pages made, what people changed of those in configuration.yaml, and what was
// found and is to be ignored. Secrets are in a table of their own, which no backup without a passphrase has.
//
// One thread at a time: open and read before the hub answers requests, the rest on the accounts' thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/values/connection.h"
#include "core/values/secret.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::app {

struct StoredConnection {
  core::Connection connection;
  core::Secrets secrets = {};
};

class ConnectionStore {
 public:
  // Of its tables.
  static storage::Schema schema();

  // Call once, before the others.
  base::Result<void> open(const std::filesystem::path& file);
  // In the order in which they were made. Leaves out, and logs, what cannot be read.
  base::Result<std::vector<StoredConnection>> read();
  // Titles, by integration and unique id.
  using Ignored = std::map<std::pair<std::string, std::string>, std::string>;
  base::Result<Ignored> read_ignored();

  // All of it or nothing. Adds the connection, or replaces it; null secrets stay as they are.
  base::Result<void> save(const core::Connection& connection, const core::Secrets* secrets);
  base::Result<void> remove(const std::string& entry_id);
  base::Result<void> ignore(const std::string& domain, const std::string& unique_id, const std::string& title);
  // No effect if it is not ignored.
  base::Result<void> heed(const std::string& domain, const std::string& unique_id);

 private:
  std::optional<storage::Database> database_;
};

}  // namespace hearth::app
