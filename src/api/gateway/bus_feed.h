// SPDX-License-Identifier: Apache-2.0
// Carries the events of one subscription from the bus thread, which makes them, to its WebSocket.
//
// Bounds: kMaxWaiting events or kMaxWaitingBytes wait while the client reads others; further ones are dropped, and the
// client is told so.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "api/gateway/connection.h"
#include "core/bus/inbox.h"
#include "core/view.h"

namespace hearth::api {

class BusFeed : public std::enable_shared_from_this<BusFeed> {
 public:
  static constexpr std::size_t kMaxWaiting = 4'096;
  static constexpr std::size_t kMaxWaitingBytes = 4 * 1024 * 1024;

  // Makes the events: called on the bus thread with put(), it returns an owner that makes them until it is destroyed
  // there. Fails if it cannot.
  using Put = std::function<void(std::string event)>;
  using Begin = std::function<base::Result<std::shared_ptr<void>>(Put put)>;

  // Likewise, but it begins when `begun` is called with the result of the command; then events may come. With an error
  // none come.
  using Begun = std::function<void(CommandResult result)>;
  using BeginLater = std::function<std::shared_ptr<void>(Put put, Begun begun)>;

  // Answers the command when it has begun; the subscription counts as `bytes`. The connection's thread. REQUIRES:
  // may_subscribe.
  static void begin(const CommandCall& call, CommandReply reply, std::size_t bytes, Begin begin);
  static void begin_later(const CommandCall& call, CommandReply reply, std::size_t bytes, BeginLater begin);

  BusFeed(Connection& connection, core::View home, std::int64_t id);
  ~BusFeed();

 private:
  void put(std::string event);
  void post_deliver();
  void deliver();

  SocketHub& sockets_;
  const core::View home_;
  const std::weak_ptr<boost::asio::io_context>
      io_;  // the worker's, which is gone with it, and the hub of sockets after it
  const std::size_t worker_;
  const std::uint64_t session_;
  const std::int64_t id_;
  core::Inbox<std::string> inbox_{kMaxWaiting, kMaxWaitingBytes};
  std::shared_ptr<void> source_;  // the bus thread's
  bool draining_ = false;         // the connection's thread's: the client takes what it got
};

}  // namespace hearth::api
