// SPDX-License-Identifier: Apache-2.0
// Calls a function once, after a time. Thread `net` only. After its end, or a cancel, nothing is called.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "base/log/guarded.h"
#include "net/reactor/life.h"
#include "net/reactor/reactor.h"

namespace hearth::net {

class Timer {
 public:
  explicit Timer(Reactor& reactor) : timer_(reactor.io()) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Instead of a call that is due already. The function may end the timer, or start it again; what it throws is logged.
  void start(std::chrono::steady_clock::duration time, std::move_only_function<void()> function) {
    life_.renew();
    running_ = true;
    timer_.expires_after(time);
    timer_.async_wait(
        life_.guard([this, function = std::move(function)](const boost::system::error_code& error) mutable {
          if (error) return;
          running_ = false;
          auto called = std::move(function);
          base::run_guarded("net", "a timer of an outgoing link", called);
        }));
  }
  void cancel() {
    if (!std::exchange(running_, false)) return;
    life_.renew();
    timer_.cancel();
  }
  bool running() const { return running_; }

 private:
  boost::asio::steady_timer timer_;
  bool running_ = false;
  Life life_;
};

}  // namespace hearth::net
