// SPDX-License-Identifier: Apache-2.0
#include "base/task_thread.h"

#include <pthread.h>

#include <exception>
#include <utility>

#include "base/log.h"

namespace hearth::base {

TaskThread::TaskThread(std::string name, std::string component, std::vector<std::size_t> bounds, Between between)
    : name_(std::move(name)), component_(std::move(component)), between_(std::move(between)), lines_(bounds.size()) {
  for (std::size_t line = 0; line < bounds.size(); ++line) lines_[line].bound = bounds[line];
}

bool TaskThread::post(Task task, std::size_t line) {
  {
    MutexLock lock(mutex_);
    if (stopping_ || lines_.at(line).tasks.size() >= lines_[line].bound) return false;
    lines_[line].tasks.push_back(std::move(task));
    ++waiting_;
  }
  changed_.notify_one();
  return true;
}

void TaskThread::wake() {
  {
    MutexLock lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

bool TaskThread::idle() const {
  MutexLock lock(mutex_);
  return waiting_ == 0;
}

void TaskThread::start() {
  MutexLock lock(mutex_);
  if (!stopping_ && !thread_.joinable()) thread_ = std::thread([this] { run(); });
}

bool TaskThread::stop() {
  std::thread thread;
  std::vector<Line> left;  // destroyed without the lock, after the thread has ended
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    thread.swap(thread_);
    left.swap(lines_);
    waiting_ = 0;
  }
  changed_.notify_one();
  if (!thread.joinable()) return false;
  thread.join();
  return true;
}

void TaskThread::run() {
  pthread_setname_np(pthread_self(), name_.c_str());
  for (;;) {
    Duration pause = between_ ? kAfterFailure : kUntilWoken;
    if (between_) run_guarded([&] { pause = between_(); });
    std::optional<Task> task = next(pause);
    if (!task) return;
    if (*task) run_guarded(*task);
  }
}

std::optional<TaskThread::Task> TaskThread::next(Duration pause) {
  MutexLock lock(mutex_);
  if (waiting_ == 0 && !woken_ && !stopping_) {
    if (pause == kUntilWoken)
      changed_.wait(mutex_);
    else
      changed_.wait_for(mutex_, pause);
  }
  if (stopping_) return {};
  woken_ = false;
  if (waiting_ == 0) return Task();
  while (lines_[turn_].tasks.empty()) turn_ = (turn_ + 1) % lines_.size();
  auto& tasks = lines_[turn_].tasks;
  turn_ = (turn_ + 1) % lines_.size();
  Task task = std::move(tasks.front());
  tasks.pop_front();
  --waiting_;
  return task;
}

template <class Work>
void TaskThread::run_guarded(Work&& work) const {
  try {
    work();
  } catch (const std::exception& failure) {
    try {
      log_error(component_, "a task of the thread {} failed: {}", name_, failure.what());
    } catch (const std::exception&) {
      // Out of memory even for the log line.
    }
  }
}

}  // namespace hearth::base
