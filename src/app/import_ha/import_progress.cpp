// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/import_progress.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace hearth::app {
namespace {

constexpr std::array<std::string_view, 6> kStates{"idle", "looking", "working", "ready", "restarting", "failed"};

bool is_of_the_past(std::string_view step) {
  return step == "history" || step == "statistics";
}

}  // namespace

bool ImportProgress::begin(State state, const std::string& source) {
  const base::MutexLock lock(mutex_);
  if (state_ == State::looking || state_ == State::working || state_ == State::restarting) return false;
  state_ = state;
  source_ = source;
  error_.clear();
  step_.clear();
  done_ = of_ = 0;
  return true;
}

void ImportProgress::step(const std::string& step, std::uint64_t done, std::uint64_t of) {
  json::object event;
  {
    const base::MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool is_new = step != step_;
    if (is_new) {
      step_ = step;
      step_began_ = now;
    }
    done_ = done;
    of_ = of;
    if (!is_new && now - told_at_ < kBetweenEvents) return;
    told_at_ = now;
    event = step_json(now);
  }
  tell(event);
}

void ImportProgress::end(State state, const std::string& error, const std::optional<json::object>& last) {
  {
    const base::MutexLock lock(mutex_);
    state_ = state;
    error_ = error;
    step_.clear();
  }
  if (last) tell(*last);
}

ImportProgress::State ImportProgress::state() const {
  const base::MutexLock lock(mutex_);
  return state_;
}

json::object ImportProgress::step_json(std::chrono::steady_clock::time_point now) const {
  json::object object{{"step", step_},
                      {"done", done_},
                      {"of", of_},
                      {"rows", is_of_the_past(step_) ? done_ : 0},
                      {"seconds_left", nullptr}};
  const auto spent = now - step_began_;
  if (of_ > 0 && done_ > 0 && spent >= kNoEstimateBefore) {
    const double rest = static_cast<double>(of_ - std::min(done_, of_)) / static_cast<double>(done_);
    object["seconds_left"] = static_cast<std::int64_t>(std::chrono::duration<double>(spent).count() * rest + 0.5);
  }
  return object;
}

json::object ImportProgress::to_json() {
  const base::MutexLock lock(mutex_);
  json::object object{{"state", kStates[static_cast<std::size_t>(state_)]}};
  if (state_ != State::idle && !source_.empty()) object["source"] = source_;
  if (!error_.empty()) object["error"] = error_;
  if (state_ == State::restarting) told_restart_ = true;
  if (step_.empty()) return object;
  for (auto& [key, value] : step_json(std::chrono::steady_clock::now())) object[key] = std::move(value);
  return object;
}

bool ImportProgress::told_restart() const {
  const base::MutexLock lock(mutex_);
  return told_restart_;
}

std::shared_ptr<void> ImportProgress::follow(api::Imports::Put put) {
  std::uint64_t number = 0;
  {
    const base::MutexLock lock(followers_->mutex);
    number = ++followers_->last;
    followers_->all.emplace(number, std::move(put));
  }
  // The follower that it ends may be gone by then.
  return std::shared_ptr<void>(nullptr, [weak = std::weak_ptr(followers_), number](void*) {
    const auto followers = weak.lock();
    if (!followers) return;
    const base::MutexLock lock(followers->mutex);
    followers->all.erase(number);
  });
}

void ImportProgress::tell(const json::object& event) {
  std::vector<api::Imports::Put> all;
  {
    const base::MutexLock lock(followers_->mutex);
    for (const auto& [number, put] : followers_->all) all.push_back(put);
  }
  for (const auto& put : all) put(event);
}

}  // namespace hearth::app
