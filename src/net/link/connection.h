// SPDX-License-Identifier: Apache-2.0
// An established connection: delivers what arrives, and sends what is written, in order. Thread `net` only.
//
// The handler is called from the reactor, never within a call of this. It may destroy this within its calls. What it
// throws ends the connection.
//
// Bound: kMaxUnsent bytes wait for a peer that does not read; beyond, the connection is cut, and says so.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/link/stream.h"
#include "net/reactor/life.h"
#include "net/reactor/reactor.h"

namespace hearth::net {

class Connection {
 public:
  static constexpr std::size_t kMaxUnsent = 1024 * 1024;

  class Handler {
   public:
    virtual ~Handler() = default;
    // The bytes that have arrived; gone after the call.
    virtual void on_bytes(std::string_view bytes) = 0;
    // The system has taken all that was written.
    virtual void on_sent() {}
    // Once, the last call. Null if the peer has closed it. The message is without the host.
    virtual void on_end(const std::optional<Failure>& why) = 0;
  };

  // Begins to read.
  Connection(Reactor& reactor, std::unique_ptr<Stream> stream, Handler& handler);
  // Sends at once what the system takes of the rest, and closes.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sent with all that is written in the same turn. No effect after the end.
  void write(std::string_view bytes);
  std::size_t unsent() const { return out_.size() - gone_; }
  // While it is paused, the peer has to wait as soon as the system's buffers are full.
  void pause_reading() { paused_ = true; }
  void resume_reading();

 private:
  static constexpr std::size_t kKeptOut = 16 * 1024;  // memory of out_ that an idle connection keeps

  void wait_to_read();
  void wait_to_write();
  void turn_soon();
  // Reads and writes what can be; the handler's callbacks are within.
  void turn();
  void read();
  void write_out();
  void end(std::optional<Failure> why);

  Reactor& reactor_;
  const std::unique_ptr<Stream> stream_;
  Handler& handler_;
  std::string out_;       // goes out, from gone_ on
  std::size_t gone_ = 0;  // bytes
  std::optional<Failure> cut_;
  bool paused_ = false;
  bool ended_ = false;
  bool waits_to_read_ = false, waits_to_write_ = false, turn_waits_ = false;
  Life life_;
};

}  // namespace hearth::net
