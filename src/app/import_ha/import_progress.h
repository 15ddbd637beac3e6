// SPDX-License-Identifier: Apache-2.0
// How far the import is, for all who ask or follow. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/imports/imports.h"
#include "base/json/json.h"
#include "base/mutex.h"

namespace hearth::app {

class ImportProgress {
 public:
  enum class State { idle, looking, working, ready, restarting, failed };

  // Nothing else may be under way: false if something is.
  bool begin(State state, const std::string& source);
  // A step of what is under way; tells those who follow, at most every kBetweenEvents.
  void step(const std::string& step, std::uint64_t done, std::uint64_t of);
  // It has ended, in this state; `error` of failed. `last` goes to those who follow.
  void end(State state, const std::string& error, const std::optional<json::object>& last);

  State state() const;
  // As api::Imports has it.
  json::object to_json();
  // The answer that the hub restarts has gone out.
  bool told_restart() const;
  std::shared_ptr<void> follow(api::Imports::Put put);

 private:
  static constexpr std::chrono::milliseconds kBetweenEvents{200};
  static constexpr std::chrono::seconds kNoEstimateBefore{1};

  struct Followers {
    base::Mutex mutex;
    std::map<std::uint64_t, api::Imports::Put> all __attribute__((guarded_by(mutex)));
    std::uint64_t last __attribute__((guarded_by(mutex))) = 0;
  };
  void tell(const json::object& event);
  json::object step_json(std::chrono::steady_clock::time_point now) const __attribute__((requires_capability(mutex_)));

  mutable base::Mutex mutex_;
  State state_ __attribute__((guarded_by(mutex_))) = State::idle;
  std::string source_ __attribute__((guarded_by(mutex_))), error_ __attribute__((guarded_by(mutex_)));
  std::string step_ __attribute__((guarded_by(mutex_)));
  std::uint64_t done_ __attribute__((guarded_by(mutex_))) = 0, of_ __attribute__((guarded_by(mutex_))) = 0;
  std::chrono::steady_clock::time_point step_began_ __attribute__((guarded_by(mutex_))),
      told_at_ __attribute__((guarded_by(mutex_)));
  bool told_restart_ __attribute__((guarded_by(mutex_))) = false;
  const std::shared_ptr<Followers> followers_ = std::make_shared<Followers>();
};

}  // namespace hearth::app
