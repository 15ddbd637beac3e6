// SPDX-License-Identifier: Apache-2.0
// People's phones and browsers, in home.db. All of it is secret: no backup without a passphrase
// has it. One thread at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::phones {

struct StoredRow {
  std::string kind;   // phone, browser, key or choice
  std::string id;     // within the kind
  std::string value;  // JSON, or a key
};

class PhoneStore {
 public:
  // Of its tables.
  static storage::Schema schema();

  // Call once, before the others.
  base::Result<void> open(const std::filesystem::path& file);
  base::Result<std::vector<StoredRow>> read();
  // Adds or replaces it.
  base::Result<void> save(const StoredRow& row);
  base::Result<void> remove(std::string_view kind, std::string_view id);

 private:
  std::optional<storage::Database> database_;
};

}  // namespace hearth::phones
