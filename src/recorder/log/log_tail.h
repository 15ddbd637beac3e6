// SPDX-License-Identifier: Apache-2.0
// Reads the recorded changes and events of a history file in the order of their numbers, from any number on: packed
// ones from segments, whose numbers the packer keeps while anybody follows (recorder.h, on_followed), the others from
// the log. It has a connection of its own, which writes nothing.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recorder/log/change.h"
#include "storage/database.h"

namespace hearth::recorder {

struct TailEntry {
  Change change;                          // with its number; of an event the time and the context
  std::int64_t entity = 0;                // its number in the file, which a rename keeps; 0 for an event
  std::string_view entity_id = {};        // as it is named now
  std::string_view type = {}, data = {};  // of an event; its data is a JSON object

  bool is_event() const { return entity == 0; }
};

struct TailPart {
  std::string history;                     // the file's name: numbers are valid within it only
  std::int64_t after = 0;                  // every entry after this number …
  std::vector<TailEntry> entries;          // by number
  std::int64_t until = 0;                  // … up to this one has been read
  bool at_end = false;                     // nothing more was committed
  std::shared_ptr<const void> texts = {};  // what the entries are views of
};

class LogTail {
 public:
  // Entries of segments that are unpacked together, and about how many bytes these may have.
  static constexpr std::int64_t kWindow = 65'536;
  static constexpr std::size_t kWindowBytes = 16 * 1024 * 1024;

  // Fails with unavailable if the file cannot be read.
  static base::Result<LogTail> open(const std::filesystem::path& file);
  LogTail(LogTail&&) noexcept;
  LogTail& operator=(LogTail&&) noexcept;
  ~LogTail();

  const std::string& history() const { return history_; }
  // The next entries after the number, at most `most`. Those of a damaged segment are left out, and the log says so.
  // Fails with unavailable if the file cannot be read.
  base::Result<TailPart> read(std::int64_t after, std::size_t most);
  // The highest number that is committed; 0 if there is none.
  base::Result<std::int64_t> last_number();

 private:
  struct Window;

  LogTail(storage::Database database, std::string history);
  base::Result<void> fill(std::int64_t after);
  base::Result<void> fill_from_segments(std::int64_t least, std::int64_t until);
  base::Result<void> fill_from_log(std::int64_t after);
  base::Result<void> add_events();
  base::Result<std::int64_t> number(std::string_view sql, std::int64_t parameter);

  storage::Database database_;
  std::string history_;
  std::unique_ptr<Window> window_;  // what was read ahead; null if nothing was
};

}  // namespace hearth::recorder
