// SPDX-License-Identifier: Apache-2.0
// A link over a file descriptor that is no stream of TCP: the base of SerialLink and UdpLink. What is written must go
// at once: it is for protocols that ask and wait. Thread `net` only.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <optional>
#include <string>

#include "net/link/link.h"
#include "net/reactor/life.h"
#include "net/reactor/timer.h"

namespace hearth::net {

class DescriptorLink : public Link {
 public:
  State state() const override { return state_; }
  const Target& target() const override { return target_; }
  void write(std::string_view bytes) override;
  void set_ready() override;
  void fail(Failure why) override;
  void retry_now() override;
  void set_target(Target target) override { target_ = std::move(target); }
  void stop() override;
  void pause_reading() override { paused_ = true; }
  void resume_reading() override;

 protected:
  // Opens later. Both must outlive it; `handler` may own it.
  DescriptorLink(Reactor& reactor, Target target, std::string name, Handler& handler);

  // Begins an attempt: calls `opened` or `lose`, at once or later.
  virtual void open() = 0;
  // Ends an attempt that waits.
  virtual void give_up() {}

  // Takes the descriptor, which is non-blocking, and tells the handler last.
  void opened(int descriptor);
  // Tells the handler last: it may destroy this.
  void lose(Failure why);
  // "<name> <problem>: <the system's error>."
  void lose_with_errno(std::string_view problem);

  Reactor& reactor() { return reactor_; }
  const std::string& name() const { return name_; }  // for people

 private:
  void begin();
  void wait_to_read();
  void read();

  Reactor& reactor_;
  Target target_;
  const std::string name_;
  Handler& handler_;
  State state_ = State::connecting;
  Backoff backoff_;
  Timer timer_;  // until the next attempt, or for a failure that is on its way
  std::optional<boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>> descriptor_;
  bool paused_ = false, waits_ = false;
  Life life_;  // of the open descriptor
};

}  // namespace hearth::net
