// SPDX-License-Identifier: Apache-2.0
#include "recorder/question_places.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "base/log/log.h"
#include "base/mutex.h"

namespace hearth::recorder {

struct QuestionPlaces::Shared {
  explicit Shared(std::size_t places) : most(places) {}

  // Takes a place for the next one that waits, if there is one. Its callback is called without the mutex.
  Begin next() __attribute__((requires_capability(mutex))) {
    if (waiting.empty() || taken >= most) return {};
    ++taken;
    Begin begin = std::move(waiting.front());
    waiting.pop_front();
    return begin;
  }

  const std::size_t most;
  mutable base::Mutex mutex;
  std::size_t taken __attribute__((guarded_by(mutex))) = 0;
  std::unordered_map<const Place*, std::chrono::steady_clock::time_point> resting __attribute__((guarded_by(mutex)));
  std::unordered_set<const Place*> lost __attribute__((guarded_by(mutex)));
  std::deque<Begin> waiting __attribute__((guarded_by(mutex)));
  bool closed __attribute__((guarded_by(mutex))) = false;
};

namespace {

// If the callback throws, what it owns notifies the asker.
void start(const QuestionPlaces::Begin& begin, QuestionPlaces::PlacePtr place) {
  try {
    begin(std::move(place));
  } catch (const std::exception& failure) {
    base::log_error("recorder", "a question cannot begin: {}", failure.what());
  }
}

}  // namespace

QuestionPlaces::QuestionPlaces(std::size_t places) : shared_(std::make_shared<Shared>(places)) {}

bool QuestionPlaces::ask(Begin begin) {
  {
    base::MutexLock lock(shared_->mutex);
    if (shared_->closed) return false;
    if (shared_->taken >= shared_->most) {
      if (shared_->waiting.size() >= kMaxWaiting) return false;
      shared_->waiting.push_back(std::move(begin));
      return true;
    }
    ++shared_->taken;
  }
  begin(std::make_unique<Place>(shared_));
  return true;
}

QuestionPlaces::Place::~Place() {
  Begin next;
  {
    base::MutexLock lock(shared_->mutex);
    shared_->resting.erase(this);
    if (shared_->lost.erase(this) > 0) return;
    --shared_->taken;
    next = shared_->next();
  }
  if (next) start(next, std::make_unique<Place>(shared_));
}

void QuestionPlaces::Place::rest(std::chrono::steady_clock::time_point now) {
  base::MutexLock lock(shared_->mutex);
  shared_->resting[this] = now;
}

bool QuestionPlaces::Place::go_on() {
  base::MutexLock lock(shared_->mutex);
  shared_->resting.erase(this);
  return !shared_->lost.contains(this);
}

void QuestionPlaces::reclaim(std::chrono::steady_clock::time_point now) {
  std::deque<Begin> begins;
  {
    base::MutexLock lock(shared_->mutex);
    std::size_t wanted = shared_->waiting.size();
    for (auto one = shared_->resting.begin(); one != shared_->resting.end() && wanted > 0;) {
      if (now < one->second + kPatience) {
        ++one;
        continue;
      }
      shared_->lost.insert(one->first);
      one = shared_->resting.erase(one);
      --shared_->taken;
      --wanted;
    }
    while (Begin begin = shared_->next()) begins.push_back(std::move(begin));
  }
  for (const Begin& begin : begins) start(begin, std::make_unique<Place>(shared_));
}

void QuestionPlaces::close() {
  std::deque<Begin> dropped;  // destroyed outside the lock
  base::MutexLock lock(shared_->mutex);
  shared_->closed = true;
  dropped.swap(shared_->waiting);
}

std::size_t QuestionPlaces::taken() const {
  base::MutexLock lock(shared_->mutex);
  return shared_->taken;
}

std::size_t QuestionPlaces::waiting() const {
  base::MutexLock lock(shared_->mutex);
  return shared_->waiting.size();
}

}  // namespace hearth::recorder
