// SPDX-License-Identifier: Apache-2.0
// Reads the history in which habits can be found. One thread.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "core/hub.h"
#include "domains/sky/sun_times.h"
#include "recorder/history/history_reader.h"
#include "suggestions/past.h"

namespace hearth::app {

class SuggestionPast {
 public:
  // Of all that is looked at; of what is kept, in all and of one entity, beyond which it is left out: what changes so
  // often is no habit.
  static constexpr std::size_t kMostRead = 10'000'000, kMostKept = 2'000'000, kMostOfOne = 20'000;
  static constexpr std::size_t kMostValues = 12;  // of an entity; one with more is measured
  static constexpr std::size_t kMostRuns = 1'000'000;

  // All must outlive it.
  SuggestionPast(const core::Hub& hub, recorder::HistoryReader& reader, suggestions::Stopped stopped,
                 std::function<void(double share)> progress)
      : hub_(hub), reader_(reader), stopped_(std::move(stopped)), progress_(std::move(progress)) {}

  // History of these weeks, without entities that the home does not have any more; of the rest nothing if it is
  // stopped. Fails as the reader does.
  base::Result<suggestions::Past> read(base::Timestamp from, base::Timestamp until);

 private:
  std::vector<base::Timestamp> sun_events(domains::SunEvent event, base::Timestamp from, base::Timestamp until) const;
  base::Result<void> read_runs(base::Timestamp from, base::Timestamp until);
  base::Result<void> read_entity(suggestions::PastEntity entity, suggestions::Past& past);

  const core::Hub& hub_;
  recorder::HistoryReader& reader_;
  const suggestions::Stopped stopped_;
  const std::function<void(double share)> progress_;
  std::unordered_set<std::size_t> runs_;  // of automations: the hashes of their contexts
  std::size_t read_ = 0, kept_ = 0;
};

}  // namespace hearth::app
