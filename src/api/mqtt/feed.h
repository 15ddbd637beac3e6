// SPDX-License-Identifier: Apache-2.0
// The messages of one mqtt/subscribe on their way from the bus thread to its WebSocket.
//
// Bounds: kMaxWaiting messages or kMaxWaitingBytes wait while the client takes others; further ones are left out, and
// the client is told so. Of a payload beyond kMaxPayload the client gets the beginning.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "api/gateway/connection.h"
#include "core/inbox.h"
#include "core/mqtt.h"
#include "core/view.h"

namespace hearth::api {

class MqttFeed : public std::enable_shared_from_this<MqttFeed> {
 public:
  static constexpr std::size_t kMaxWaiting = 4'096;
  static constexpr std::size_t kMaxWaitingBytes = 4 * 1024 * 1024;
  static constexpr std::size_t kMaxPayload = 1024 * 1024;

  // The connection's thread. REQUIRES: the caller is an administrator.
  MqttFeed(Connection& connection, core::View home, std::int64_t id);
  ~MqttFeed();

  // The bus thread; once. Fails with invalid, and with unavailable if the home has no broker.
  base::Result<void> subscribe(const std::string& filter, int qos);

 private:
  void receive(const core::MqttMessage& message);
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
  core::MqttHandle subscription_;  // the bus thread's
  bool draining_ = false;          // the connection's thread's: the client takes what it got
};

}  // namespace hearth::api
