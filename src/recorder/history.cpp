// SPDX-License-Identifier: Apache-2.0
#include "recorder/history.h"

#include <pthread.h>

#include "base/log.h"

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
  if (thread_.joinable()) thread_.join();
}

void History::run() {
  pthread_setname_np(pthread_self(), "history");
  for (;;) {
    Task task;
    {
      base::MutexLock lock(mutex_);
      while (tasks_.empty() && !stopping_) wake_.wait(mutex_);
      if (stopping_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    try {
      task(reader_);
    } catch (const std::exception& failure) {
      base::log_error("recorder", "reading history failed: {}", failure.what());
    }
    task = {};
    bool idle;
    {
      base::MutexLock lock(mutex_);
      idle = tasks_.empty();
    }
    if (idle) reader_.rest();
  }
}

}  // namespace hearth::recorder
