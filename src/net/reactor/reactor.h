// SPDX-License-Identifier: Apache-2.0
// The thread `net`: it serves the outgoing links of all integrations. It begins with the first task; a hub without
// links has neither the thread nor its memory. Nothing on it may block.
//
// Objects that live on it (links, clients, the protocols above them) need no lock. Others own them by OnNet
// (net/reactor/on_net.h), and get what arrives by BusQueue (net/reactor/bus_queue.h).
//
// Exceptions of tasks are logged, and the thread goes on.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "net/reactor/resolver.h"
#include "net/reactor/tls.h"

namespace hearth::net {

// An object that the reactor owns for somebody on another thread.
class Resident {
 public:
  virtual ~Resident() = default;
};

class Reactor {
 public:
  using Task = std::move_only_function<void()>;
  // Tasks that wait; further ones are refused.
  static constexpr std::size_t kMaxTasks = 65'536;
  static constexpr std::size_t kReadBuffer = 64 * 1024;

  Reactor() = default;
  ~Reactor() { stop(); }
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  // Before the first task: finds the addresses of names in the place of the system.
  void use(Lookup lookup) { lookup_ = std::move(lookup); }

  // Any thread. Runs the task on the thread, in the order of posting. False if too many wait, there is no memory, no
  // thread can be created, or it has stopped: the task is destroyed.
  [[nodiscard]] bool post(Task task) noexcept;
  // Not on the thread itself. Destroys all residents on the thread, and ends it. Tasks that wait are destroyed. It
  // cannot be restarted.
  void stop();
  // Any thread. True from the first task until stop.
  bool running() const { return running_.load(std::memory_order_relaxed); }

  // The rest is for the thread only, except as noted.
  boost::asio::io_context& io() { return *io_; }
  Resolver& resolver() { return *resolver_; }
  TlsContexts& tls() { return tls_; }
  // For one read: what is in it is gone after the callback.
  std::span<char> read_buffer();

  // For OnNet. `next_resident`, `release`: any thread.
  std::uint64_t next_resident() { return ++last_resident_; }
  void keep(std::uint64_t id, std::unique_ptr<Resident> resident) { residents_[id] = std::move(resident); }
  Resident* find(std::uint64_t id);
  void release(std::uint64_t id) noexcept;

 private:
  bool add(Task task, std::size_t bound) noexcept;
  void start() __attribute__((requires_capability(mutex_)));
  void run();
  void drain();

  Lookup lookup_;
  std::shared_ptr<boost::asio::io_context> io_;  // null until the start
  std::unique_ptr<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_;
  std::unique_ptr<Resolver> resolver_;
  TlsContexts tls_;
  std::unique_ptr<char[]> read_buffer_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Resident>> residents_;
  std::atomic<std::uint64_t> last_resident_{0};
  std::atomic<bool> running_{false};

  base::Mutex mutex_;
  std::vector<Task> tasks_ __attribute__((guarded_by(mutex_)));
  bool posted_ __attribute__((guarded_by(mutex_))) = false;  // the thread will take tasks_
  bool stopped_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::net
