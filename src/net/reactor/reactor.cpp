// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/reactor.h"

#include <pthread.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <exception>
#include <limits>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"

namespace hearth::net {
namespace {

constexpr std::string_view kReactorLog = "net";

}  // namespace

bool Reactor::post(Task task) noexcept {
  return add(std::move(task), kMaxTasks);
}

bool Reactor::add(Task task, std::size_t bound) noexcept {
  try {
    std::shared_ptr<boost::asio::io_context> io;
    {
      const base::MutexLock lock(mutex_);
      if (stopped_ || tasks_.size() >= bound) return false;
      if (!thread_.joinable()) start();
      tasks_.push_back(std::move(task));
      if (posted_) return true;
      posted_ = true;
      io = io_;
    }
    try {
      boost::asio::post(*io, [this] { drain(); });
    } catch (const std::exception&) {
      const base::MutexLock lock(mutex_);
      posted_ = false;  // the next task tries again
    }
    return true;
  } catch (const std::exception& failure) {
    base::log_error(kReactorLog, "the thread of outgoing links cannot take a task: {}", failure.what());
    return false;
  }
}

void Reactor::start() {
  auto io = std::make_shared<boost::asio::io_context>(1);
  work_ =
      std::make_unique<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>>(io->get_executor());
  resolver_ = std::make_unique<Resolver>(io, lookup_);
  io_ = std::move(io);
  thread_ = std::thread([this] { run(); });
  running_ = true;
}

void Reactor::run() {
  pthread_setname_np(pthread_self(), "net");
  // A peer that has gone must give an error code, also to OpenSSL's writes.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    try {
      io_->run();
      break;
    } catch (const std::exception& failure) {
      // Links and tasks catch what is theirs; what gets here is a defect, but no reason to cut all others.
      base::log_error(kReactorLog, "the thread of outgoing links: {}", failure.what());
    } catch (...) {
      base::log_error(kReactorLog, "the thread of outgoing links: unknown exception");
    }
  }
  // Each may use another one until it is gone itself.
  while (!residents_.empty()) {
    const auto gone = residents_.extract(residents_.begin());
  }
}

void Reactor::drain() {
  std::vector<Task> tasks;
  {
    const base::MutexLock lock(mutex_);
    tasks.swap(tasks_);
    posted_ = false;
  }
  for (Task& task : tasks) {
    if (io_->stopped()) return;
    base::run_guarded(kReactorLog, "a task of outgoing links", task);
    task = nullptr;
  }
}

void Reactor::stop() {
  std::thread thread;
  {
    const base::MutexLock lock(mutex_);
    stopped_ = true;
    thread.swap(thread_);
  }
  if (!thread.joinable()) return;
  work_.reset();
  io_->stop();
  thread.join();
  running_ = false;
  std::vector<Task> tasks;
  const base::MutexLock lock(mutex_);
  tasks.swap(tasks_);  // destroyed after the lock: they may own handles that post
}

std::span<char> Reactor::read_buffer() {
  if (!read_buffer_) read_buffer_.reset(new char[kReadBuffer]);
  return {read_buffer_.get(), kReadBuffer};
}

Resident* Reactor::find(std::uint64_t id) {
  const auto found = residents_.find(id);
  return found == residents_.end() ? nullptr : found->second.get();
}

void Reactor::release(std::uint64_t id) noexcept {
  // Beyond the bound, too: otherwise it would live until the stop.
  add([this, id] { const auto gone = residents_.extract(id); }, std::numeric_limits<std::size_t>::max());
}

}  // namespace hearth::net
