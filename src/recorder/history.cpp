// SPDX-License-Identifier: Apache-2.0
#include "recorder/history.h"

#include <pthread.h>

#include "base/log.h"
#include "base/memory_use.h"

namespace hearth::recorder {

bool History::post(Task task) {
  {
    base::MutexLock lock(mutex_);
    if (stopping_ || tasks_.size() >= kMaxTasks) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

bool History::ask(QuestionPlaces::Begin begin) {
  if (!places_.ask(std::move(begin))) return false;
  wake_.notify_one();  // where it waits, somebody has to look after those who do not read
  return true;
}

void History::start() {
  thread_ = std::thread([this] { run(); });
}

void History::stop() {
  std::deque<Task> left;
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
    left.swap(tasks_);
  }
  wake_.notify_one();
  places_.close();
  if (thread_.joinable()) thread_.join();
}

// Where questions are at work, or have been, it looks after them now and then.
void History::wait_for_task() {
  constexpr std::chrono::seconds kLook{1};
  if (memory_used_ || places_.waiting() > 0)
    wake_.wait_for(mutex_, kLook);
  else
    wake_.wait(mutex_);
}

void History::between_tasks() {
  if (places_.waiting() > 0) places_.take_back(std::chrono::steady_clock::now());
  if (places_.taken() > 0) {
    memory_used_ = true;
  } else if (const auto now = std::chrono::steady_clock::now(); memory_used_ && now >= next_return_) {
    constexpr std::chrono::seconds kBetweenReturns{2};
    base::return_memory();
    memory_used_ = false;
    next_return_ = now + kBetweenReturns;
  }
}

void History::run() {
  pthread_setname_np(pthread_self(), "history");
  for (;;) {
    Task task;
    {
      base::MutexLock lock(mutex_);
      if (tasks_.empty() && !stopping_) wait_for_task();
      if (stopping_) return;
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
    }
    try {
      if (task) task(reader_);
    } catch (const std::exception& failure) {
      base::log_error("recorder", "reading history failed: {}", failure.what());
    }
    task = nullptr;
    bool idle;
    {
      base::MutexLock lock(mutex_);
      idle = tasks_.empty();
    }
    if (idle) reader_.rest();
    between_tasks();
  }
}

}  // namespace hearth::recorder
