// SPDX-License-Identifier: Apache-2.0
// Listens on addresses and spreads connections over workers. Started and stopped by the thread that owns it.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "http/handler.h"
#include "http/worker.h"

namespace hearth::http {

class Server {
 public:
  Server(ServerOptions options, Handler& handler);
  ~Server();

  // Binds and listens, so that a client may connect; nothing is answered before start. No hosts: all addresses of this
  // machine. Port 0 takes a free one. Fails with unavailable; the message names the address and why.
  base::Result<void> listen(const std::vector<std::string>& hosts, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  void start();
  // No new connection is taken, streams end with their last chunk, idle connections close; requests under way are
  // answered.
  void drain();
  // Waits for what drain left, at most `patience`, then ends the rest and all threads.
  void stop(std::chrono::milliseconds patience);

  // As for a connection that was accepted; the socket does not block. The first worker's thread, or before start.
  void take(FileDescriptor socket, const boost::asio::ip::address& peer);

  const ServerOptions& options() const { return options_; }
  std::vector<std::unique_ptr<Worker>>& workers() { return workers_; }
  std::size_t connections() const;

 private:
  class Listener;

  void ask_for_room();

  ServerOptions options_;
  Commons commons_{options_.limits, options_.trusted_proxies};
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Listener>> listeners_;  // on the first worker's thread
  std::size_t next_worker_ = 0;
  std::chrono::steady_clock::time_point next_warning_;  // that places are few
  std::uint16_t port_ = 0;
};

}  // namespace hearth::http
