// SPDX-License-Identifier: Apache-2.0
// Listens on addresses and distributes connections over workers. Started and stopped by its owner's thread.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "http/messages/handler.h"
#include "http/worker.h"

namespace hearth::http {

class Server {
 public:
  Server(ServerOptions options, Handler& handler);
  ~Server();

  // Binds and listens, so that clients can connect; nothing is answered before start. No hosts means all addresses of
  // this machine; port 0 a free port. Fails with unavailable; the message names the address and the reason.
  base::Result<void> listen(const std::vector<std::string>& hosts, std::uint16_t port, Port kind = Port::plain);
  std::uint16_t port() const { return port_; }  // of the last `listen`
  // The certificate of connections that begin from now on; the others keep theirs. Needed before `start` if a port
  // speaks TLS. Any thread.
  void use(std::shared_ptr<const TlsContext> tls) { commons_.tls.set(std::move(tls)); }

  void start();
  // Accepts no further connections, ends streams with their last chunk, closes idle connections; running requests are
  // still answered.
  void drain();
  // Waits at most `patience` for what drain left, then ends the rest and all threads.
  void stop(std::chrono::milliseconds patience);

  // Handles a non-blocking socket as if it had been accepted. The first worker's thread, or before start.
  void take(FileDescriptor socket, const boost::asio::ip::address& peer, Port port = Port::plain);

  const ServerOptions& options() const { return options_; }
  std::vector<std::unique_ptr<Worker>>& workers() { return workers_; }
  std::size_t connections() const;

 private:
  class Listener;

  // True if one more connection has a place. If nearly all are taken, those that are least needed are closed, soon.
  bool has_room();
  void request_room();

  ServerOptions options_;
  Commons commons_{options_.limits, options_.trusted_proxies};
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> turns_;  // the workers, in the order in which they take the next connections
  std::vector<std::unique_ptr<Listener>> listeners_;    // on the first worker's thread
  std::chrono::steady_clock::time_point next_warning_;  // about too few places
  std::uint16_t port_ = 0;
};

}  // namespace hearth::http
