// SPDX-License-Identifier: Apache-2.0
// A connection that is kept: it is made, and made again after it is lost, after pauses that grow (net/link/backoff.h).
// Thread `net` only.
//
//   connecting → connected → ready      the protocol says when the peer has greeted
//        └──────── waiting ←─┘          after a failure, until the pause is over or retry_now
//
// The handler is called from the reactor, never within a call of the link; it may destroy the link, or call anything of
// it. What it throws is logged, and fails the present connection. A protocol that is tested without a network uses
// testing::FakeLink.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/link/backoff.h"
#include "net/link/connection.h"
#include "net/link/target.h"
#include "net/reactor/failure.h"
#include "net/reactor/reactor.h"

namespace hearth::net {

class Link {
 public:
  enum class State {
    connecting,
    connected,  // TCP, and TLS if the target has it
    ready,      // the protocol works
    waiting,    // for the next attempt
    stopped,    // it does not try again by itself
  };

  class Handler {
   public:
    virtual ~Handler() = default;
    // Connected: send the first bytes.
    virtual void on_connected() = 0;
    // The bytes that have arrived; gone after the call. Frames may be split at any byte, or joined.
    virtual void on_bytes(std::string_view bytes) = 0;
    // An attempt has failed, or the connection is lost. The link is waiting, and tries again in `retry_in`.
    virtual void on_lost(const Failure& why, std::chrono::milliseconds retry_in) = 0;
  };

  virtual ~Link() = default;

  virtual State state() const = 0;
  virtual const Target& target() const = 0;

  // Sent with all that is written in the same turn. Ignored unless connected or ready. If more than
  // Connection::kMaxUnsent bytes wait, the connection is cut.
  virtual void write(std::string_view bytes) = 0;
  // The protocol works: the next pause is the shortest, if this lasts as long as Pauses has it.
  virtual void set_ready() = 0;
  // Ends the present attempt or connection for that reason, as if it were lost: on_lost comes later.
  virtual void fail(Failure why) = 0;
  // Tries at once if it is waiting or stopped; mDNS says that the device is back, or a person wants it.
  virtual void retry_now() = 0;
  // For the next attempt.
  virtual void set_target(Target target) = 0;
  // Sends at once what the system takes of the rest, and closes. Nothing is called until retry_now.
  virtual void stop() = 0;
  // The peer has to wait, because the bus is behind.
  virtual void pause_reading() = 0;
  virtual void resume_reading() = 0;
};

struct LinkOptions {
  Target target;
  std::chrono::milliseconds connect_limit = std::chrono::seconds(10);
  // From connected to ready; 0: the protocol has a limit of its own.
  std::chrono::milliseconds greeting_limit = std::chrono::seconds(10);
  Pauses pauses = {};
};

// Begins at once. The reactor and the handler must outlive it; `handler` may own it.
std::unique_ptr<Link> make_link(Reactor& reactor, LinkOptions options, Link::Handler& handler);

}  // namespace hearth::net
