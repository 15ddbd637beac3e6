// SPDX-License-Identifier: Apache-2.0
// The audit log's file, audit.db: rows are appended, read and checked, and the oldest cut off; nothing else changes.
// Several processes may append, such as the hub and `hearth user add`: each continues the chain where the other ended.
//
// One thread at a time for each object. Failures: unavailable if the file cannot be read or written; the message names
// it.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/entry.h"
#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::audit {

constexpr std::string_view kFileName = "audit.db";

class AuditFile {
 public:
  // Of its tables.
  static storage::Schema schema();

  // Makes the file if there is none, 0600. What is appended survives a power failure.
  static base::Result<AuditFile> open(const std::filesystem::path& file);
  static base::Result<AuditFile> open_to_read(const std::filesystem::path& file);

  // All in one transaction, on the disk when this returns. Returns the new head. Texts are cut to Entry::kMaxText.
  base::Result<Head> append(std::span<const Entry> entries, base::Timestamp now);
  base::Result<Head> head();
  // True if this token or session, the row's subject, has been at this address: kNewAddress or kSessionCreated.
  base::Result<bool> has_been(std::string_view id, std::string_view address);

  // Rows with smaller numbers than `before`, the latest first.
  base::Result<std::vector<Row>> rows_before(std::int64_t before, std::size_t limit);
  // Calls `take` for each row, the oldest first, until it returns false.
  base::Result<void> for_each(const std::function<bool(const Row&)>& take);
  struct Extent {
    std::int64_t rows = 0;
    base::Timestamp oldest = {};
    std::uintmax_t bytes = 0;
  };
  base::Result<Extent> extent();

  // Removes the rows from before that time, but not the last one, and adds a row that says so. Returns how many went.
  base::Result<std::int64_t> cut(base::Timestamp before, base::Timestamp now);

  struct Verdict {
    std::int64_t rows = 0;               // that were checked
    Head head;                           // the last of them that is good
    std::optional<std::string> problem;  // the first one found; null: the chain is whole
  };
  // Reads all rows at one moment. `expected`: a head that was written down earlier, whose row must still be there,
  // unless it was cut off since.
  base::Result<Verdict> verify(const std::optional<Head>& expected = {}, const storage::GoOn& go_on = {});

 private:
  explicit AuditFile(storage::Database database) : database_(std::move(database)) {}
  base::Result<Head> append_within(std::span<const Entry> entries, base::Timestamp now);
  base::Result<std::int64_t> text_id(std::string_view text);
  base::Result<Head> start();

  storage::Database database_;
};

// The head of the log in this folder; empty if there is no log, or it cannot be read.
std::string head_text(const std::filesystem::path& folder);

}  // namespace hearth::audit
