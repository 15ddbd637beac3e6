// SPDX-License-Identifier: Apache-2.0
// Answers a question about the history of some entities piece by piece: it holds one piece at most, however long the
// answer is.
//
// The reader's thread only.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recorder/history/entity_history.h"

namespace hearth::api {

constexpr std::chrono::milliseconds kQueryTurn{10};  // of a piece, then the reader's other questions have theirs

struct HistoryOptions {
  // Changes before the first ones here, which another hub has told; see earlier_changes.h.
  using Earlier = std::map<std::string, recorder::ChangeList, std::less<>>;

  std::vector<std::string> entity_ids;
  recorder::Span span;
  bool initial = true;       // begin with the state at the start
  bool significant = false;  // only changes of the value, but for domains that tell more in their attributes
  bool minimal = false;      // between the first and the last only value and time
  bool attributes = true;
  std::shared_ptr<const Earlier> earlier = nullptr;  // null if there are none
};

// True if a change is of the value, or of a domain that tells more in its attributes.
bool is_significant(std::string_view entity_id, const recorder::Change& change);

// {"s":…,"a":…,"lc":…,"lu":…}: `lc` only where it differs from `lu`; without `full` value and time alone.
void append_compressed(std::string& out, const recorder::Change& change, bool full, bool attributes);

class HistoryQuery {
 public:
  enum class Format {
    states,      // [[{"entity_id":…,"state":…},…],…], as GET /api/history/period has it
    compressed,  // {"light.kitchen":[{"s":…,"a":…,"lu":…},…],…}, as the WebSocket API has it
  };

  HistoryQuery(HistoryOptions options, Format format) : options_(std::move(options)), format_(format) {}

  // Appends until there are `bytes` of it, or some milliseconds have passed; false where that was all. What is appended
  // by all calls together is one JSON text; with `whole`, which compressed ones may ask for, each is one by itself.
  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes, bool whole = false);

 private:
  base::Result<void> read_piece(recorder::HistoryReader& reader, std::string& out);
  void take_earlier(std::string& out);
  void take(std::string& out, const recorder::Change& change, bool initial);
  void write(std::string& out, const recorder::Change& change, bool full);
  void write_state(std::string& out, const recorder::Change& change, bool full) const;
  void end_entity(std::string& out);
  void close_entity(std::string& out);

  const HistoryOptions options_;
  const Format format_;
  std::size_t next_ = 0;  // of entity_ids
  std::optional<recorder::EntityHistory> entity_;
  bool any_ = false;           // entities in the text
  bool open_ = false;          // the current one's list is
  bool first_ = true;          // nothing of the current one has been written
  std::string last_value_;     // of the current one
  recorder::ChangeList held_;  // its last change: whether it is written in full is known with the next one only
};

}  // namespace hearth::api
