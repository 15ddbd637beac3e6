// SPDX-License-Identifier: Apache-2.0
#include "base/threads/task_thread.h"

#include <pthread.h>

#include <utility>

#include "base/log/guarded.h"

namespace hearth::base {

TaskThread::TaskThread(std::string name, std::string component, std::vector<std::size_t> bounds, Between between)
    : name_(std::move(name)),
      component_(std::move(component)),
      work_("a task of the thread " + name_),
      between_(std::move(between)),
      queues_(bounds.size()) {
  for (std::size_t queue = 0; queue < bounds.size(); ++queue) queues_[queue].bound = bounds[queue];
}

bool TaskThread::post(Task task, std::size_t queue) {
  {
    MutexLock lock(mutex_);
    if (stopping_ || queues_.at(queue).tasks.size() >= queues_[queue].bound) return false;
    queues_[queue].tasks.push_back(std::move(task));
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
  std::vector<Queue> left;  // destroyed without the lock, after the thread has ended
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    thread.swap(thread_);
    left.swap(queues_);
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
    if (between_) run_guarded(component_, work_, [&] { pause = between_(); });
    std::optional<Task> task = next(pause);
    if (!task) return;
    if (*task) run_guarded(component_, work_, *task);
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
  while (queues_[turn_].tasks.empty()) turn_ = (turn_ + 1) % queues_.size();
  auto& tasks = queues_[turn_].tasks;
  turn_ = (turn_ + 1) % queues_.size();
  Task task = std::move(tasks.front());
  tasks.pop_front();
  --waiting_;
  return task;
}

}  // namespace hearth::base
