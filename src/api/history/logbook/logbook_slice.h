// SPDX-License-Identifier: Apache-2.0
// Holds the entries of one slice of a logbook's span, in about a hundred bytes each: their texts are packed, and a text
// that consecutive entries share is kept once. Entries are added in any order and returned by time.
//
// One thread. Bounds: full() says when to stop; further entries are added all the same.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/history/logbook/logbook_entry.h"
#include "base/clock.h"

namespace hearth::api {

class LogbookSlice {
 public:
  static constexpr std::size_t kMaxEntries = 20'000;
  static constexpr std::size_t kMaxBytes = 2 * 1024 * 1024;

  void add(const LogbookEntry& entry);
  std::size_t size() const { return entries_.size(); }
  // Of kMaxEntries or kMaxBytes, by what is nearer: 1 and more is full.
  double fill() const;
  bool full() const { return fill() >= 1; }
  void clear();
  // Makes room: keeps what is not later than the time that it returns, about half. Null, and nothing has changed, if
  // all are of one time.
  std::optional<base::Timestamp> drop_later_half();

  // Behind the last add, before what follows: by time, those of the same time by entity.
  void sort();
  // Valid until the slice is cleared.
  LogbookEntry at(std::size_t index) const;
  // The first change of state with this context; its index, or size() where there is none.
  std::size_t first_change_of(std::string_view context_id);

 private:
  struct Packed {
    base::Timestamp when;
    const char* subject;  // entity, name, domain
    const char* user;
    const char* texts;  // the others, behind a byte for the kind
  };

  template <class... Texts>
  const char* keep(char head, const Texts&... texts);

  std::deque<Packed> entries_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // within the last block
  std::size_t left_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_context_;  // hash and index, sorted; made when asked for
};

}  // namespace hearth::api
