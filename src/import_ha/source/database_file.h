// SPDX-License-Identifier: Apache-2.0
// An SQLite file and its write-ahead log as bytes, without SQLite ("Database File Format" and "WAL-mode File Format" on
// sqlite.org).
//
// Any thread. None may be used on a file that this process has open by SQLite: closing it would release the locks.
// Fails with unavailable if a file cannot be read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace hearth::import_ha {

struct DatabaseHeader {
  std::uint64_t page_size = 0;  // bytes
  std::uint32_t changes = 0;    // the change counter
  std::uint32_t pages = 0;      // 0 if the header does not say it
  std::uint64_t file_size = 0;  // bytes
};

// Fails with invalid if it is empty, or no SQLite file; the message begins with `name`.
base::Result<DatabaseHeader> read_database_header(const std::filesystem::path& file, const std::string& name);

// Two are equal if nothing but frames at the end of the log was written meanwhile. Then a copy of the file, and after
// it one of its log, belong together.
struct DatabaseMoment {
  std::uint32_t changes = 0;
  std::uint32_t pages = 0;
  std::array<std::uint8_t, 8> salts{};  // of the log; zeros without one
  bool operator==(const DatabaseMoment&) const = default;
};
base::Result<DatabaseMoment> read_moment(const std::filesystem::path& file, const std::string& name);

// Bytes of the log (`-wal`) or the journal (`-journal`) beside it; 0 if there is none.
std::uint64_t size_beside(const std::filesystem::path& file, std::string_view ending);

// Fails with unavailable, "NAME: the copy is incomplete: 620 of 745 MiB", if pages are neither in the file nor in its
// log.
base::Result<void> check_complete(const std::filesystem::path& file, const std::string& name);

// True if another process of this machine has the database open with a write-ahead log.
bool is_open_elsewhere(const std::filesystem::path& file);
// True if the file lies on another machine, or where locks and shared memory of SQLite cannot be relied upon.
bool is_remote(const std::filesystem::path& file);

}  // namespace hearth::import_ha
