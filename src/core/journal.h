// SPDX-License-Identifier: Apache-2.0
// Stores work that is under way, as texts by key, with the states that belong to it. An entry survives a kill of the
// process from the moment it is written; that takes less than a millisecond, and only a caller who asks waits for it.
//
// Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/states/state.h"

namespace hearth::core {

class Journal {
 public:
  using Entries = std::map<std::string, std::string>;
  static constexpr std::size_t kMaxEntryBytes = 4 * 1024 * 1024;
  // Entries whose key begins so are many: they are read one by one, not at the start.
  static constexpr std::string_view kArchive = "archive/";

  virtual ~Journal() = default;

  // Replaces the text of that key. What is put and removed is written soon, together and all or nothing.
  virtual void put(std::string key, std::string text) = 0;
  virtual void remove(std::string_view key) = 0;
  // The entity has this state, at the latest when what is put after this is written: what is under way was caused by
  // it, or has caused it.
  virtual void keep(StatePtr state) = 0;
  // Calls `read` in a task of the bus with the text of that key; null if there is none, or if it cannot be read.
  virtual void read(std::string key, std::function<void(std::optional<std::string> text)> read) = 0;
  // Calls `written` in a task of the bus, after everything before is in the file, or could not be written, which the
  // log says.
  virtual void when_written(std::function<void()> written) = 0;
  // True if some of what was put, removed or kept is not in the file yet.
  virtual bool has_unwritten() const = 0;
};

}  // namespace hearth::core
