// SPDX-License-Identifier: Apache-2.0
// The parts that follow the home's history as it is recorded: the archive, a fleet. If one cannot start, the hub starts
// without it.
//
// Construction, open, start and stop: one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/settings/settings.h"
#include "core/repairs.h"
#include "recorder/follower.h"
#include "recorder/recorder.h"

namespace hearth::app {

class Followers {
 public:
  static constexpr std::size_t kMost = 2'000;                          // changes delivered at once
  static constexpr base::Duration kBehind = std::chrono::minutes(10);  // a repair says so from then on

  explicit Followers(const base::Clock& clock) : clock_(clock) {}

  // `target` of the follower of that name; what it cannot be keeps the numbers until it can. All before listen_to.
  base::Result<void> add(const std::filesystem::path& folder, const std::string& name,
                         base::Result<std::unique_ptr<recorder::FollowerTarget>> target,
                         base::Duration longest_pause = std::chrono::minutes(1));
  // Null if there is none.
  const recorder::Follower* find(std::string_view name) const;
  // The recorder is not started yet, and outlives this.
  void listen_to(recorder::Recorder& recorder);
  void start();
  void stop();

  // Any thread. What is behind, or cannot work at all.
  std::vector<core::Issue> issues() const;

 private:
  std::int64_t followed(std::string_view history) const;

  const base::Clock& clock_;
  std::vector<std::unique_ptr<recorder::Follower>> followers_;  // constant after open
  std::vector<core::Issue> missing_;                            // likewise
};

// `1 h`, `3 days`: how far something is behind, in the largest unit that fits.
std::string in_words(base::Duration duration);
std::vector<core::Issue> issues_of(const std::string& follower, const recorder::Follower::Status& status,
                                   base::Timestamp now);

}  // namespace hearth::app
