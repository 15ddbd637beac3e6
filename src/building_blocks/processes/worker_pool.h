// SPDX-License-Identifier: Apache-2.0
// Runs work that blocks, some at a time, each on a thread that begins with the first work that needs it. Others wait in
// their order. Bus thread only, except where noted.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/threads/task_thread.h"
#include "core/bus/event_bus.h"

namespace hearth::building_blocks {

template <class T>
class WorkerPool {
 public:
  struct Options {
    std::string name;         // of the threads, and of what they do, for people: "commands"
    std::size_t running = 4;  // at most, at a time
    std::size_t waiting = 64;
  };
  // On a thread of the pool. `is_wanted` may be asked at any time: false means that the result is not needed any more.
  using Work = std::function<base::Result<T>(const std::function<bool()>& is_wanted)>;
  using Done = std::function<void(base::Result<T> result)>;
  using Bytes = std::size_t (*)(const T& result);  // how much the result keeps alive

  // The bus must outlive it.
  WorkerPool(core::EventBus& bus, Options options, Bytes bytes)
      : bus_(bus), options_(std::move(options)), bytes_(bytes) {}
  ~WorkerPool() { join(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls `done` once, on the bus thread: with what the work returns, or at once with full if too many wait. Not after
  // stop().
  void run(Work work, Done done) {
    if (stopping_) return;
    if (Worker* const worker = idle_worker()) return start(*worker, {std::move(work), std::move(done)});
    if (waiting_.size() == options_.waiting)
      return done(base::fail(base::ErrorCode::full, fmt::format("{} {} run and {} wait, which is the maximum",
                                                                options_.running, options_.name, options_.waiting)));
    waiting_.push_back({std::move(work), std::move(done)});
  }

  // Nothing that runs is wanted any more, and what waits is forgotten.
  void stop() {
    stopping_ = true;
    waiting_.clear();
  }
  // Waits for the threads. While the bus does not run.
  void join() {
    stopping_ = true;
    for (Worker& worker : workers_) worker.thread.stop();
  }

 private:
  struct Waiting {
    Work work;
    Done done;
  };
  struct Worker {
    explicit Worker(const std::string& name) : thread(name, name, {1}) {}

    base::TaskThread thread;
    bool busy = false;
    Done done = {};  // of the work that runs; stays on the bus thread
  };

  Worker* idle_worker() {
    for (Worker& worker : workers_) {
      if (!worker.busy) return &worker;
    }
    return workers_.size() < options_.running ? &workers_.emplace_back(options_.name) : nullptr;
  }

  void start(Worker& worker, Waiting next) {
    worker.busy = true;
    worker.done = std::move(next.done);
    worker.thread.start();
    const bool posted = worker.thread.post([this, alive = std::weak_ptr(alive_), &worker, work = std::move(next.work)] {
      auto result = work([this] { return !stopping_; });
      const std::size_t weight = core::EventBus::kSmallTask + (result ? bytes_(*result) : 0);
      bus_.post(weight, [this, alive, &worker, result = std::move(result)]() mutable {
        if (!alive.expired()) finish(worker, std::move(result));
      });
    });
    if (!posted) finish(worker, base::fail(base::ErrorCode::unavailable, "cannot be started: its thread has ended"));
  }

  void finish(Worker& worker, base::Result<T> result) {
    const Done done = std::exchange(worker.done, {});
    worker.busy = false;
    if (stopping_) return;
    if (!waiting_.empty()) {
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      start(worker, std::move(next));
    }
    done(std::move(result));
  }

  core::EventBus& bus_;
  const Options options_;
  const Bytes bytes_;
  std::atomic<bool> stopping_ = false;
  std::deque<Waiting> waiting_;
  std::list<Worker> workers_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // for tasks that wait on the bus
};

}  // namespace hearth::building_blocks
