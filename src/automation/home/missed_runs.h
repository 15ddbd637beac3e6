// SPDX-License-Identifier: Apache-2.0
// Remembers runs that did not happen: times that came while the hub was down or that the clock was set over, runs that
// the mode dropped, and runs that would have resumed too late. The last kMost survive a restart. Bus thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "core/journal.h"

namespace hearth::automation {

struct MissedRun {
  std::string item;  // automation.<unique id>
  base::Timestamp at;
  std::string trigger;  // its id; empty if there is none
  std::string why;      // down, expired, dropped, late
};

class MissedRuns {
 public:
  static constexpr std::size_t kMost = 1'000;

  void use(core::Journal* journal) { journal_ = journal; }
  void restore(const std::string& key, const json::object& entry);
  void add(MissedRun run);
  // Oldest first.
  const std::deque<MissedRun>& all() const { return all_; }

 private:
  core::Journal* journal_ = nullptr;
  std::deque<MissedRun> all_;
  std::uint64_t next_ = 1;  // number of the next one; those in all_ precede it without gaps
};

}  // namespace hearth::automation
