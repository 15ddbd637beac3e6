// SPDX-License-Identifier: Apache-2.0
#include "recorder/history.h"

#include "base/memory_use.h"

namespace hearth::recorder {

bool History::post(Task task) {
  return thread_.post([this, task = std::move(task)] { task(*reader_); });
}

bool History::ask(QuestionPlaces::Begin begin) {
  if (!places_.ask(std::move(begin))) return false;
  thread_.wake();  // if questions wait, somebody has to check for clients that do not read
  return true;
}

void History::stop() {
  places_.close();
  reader_->cancel();
  thread_.stop();
}

// Checks on questions from time to time while they run, and after.
base::Duration History::between_tasks() {
  if (thread_.idle()) reader_->rest();
  if (places_.waiting() > 0) places_.reclaim(std::chrono::steady_clock::now());
  if (places_.taken() > 0) {
    memory_used_ = true;
  } else if (const auto now = std::chrono::steady_clock::now(); memory_used_ && now >= next_return_) {
    constexpr std::chrono::seconds kBetweenReturns{2};
    base::return_memory();
    memory_used_ = false;
    next_return_ = now + kBetweenReturns;
  }
  constexpr std::chrono::seconds kLook{1};
  return memory_used_ || places_.waiting() > 0 ? kLook : base::TaskThread::kUntilWoken;
}

}  // namespace hearth::recorder
