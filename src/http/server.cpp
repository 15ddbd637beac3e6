// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>

#include "base/log/log.h"

namespace hearth::http {
namespace {

using boost::asio::ip::tcp;
using Acceptor = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;

// A peer that vanishes without closing is noticed after this time.
constexpr int kUserTimeoutMilliseconds = 120'000;

// While all places are taken, new connections wait for one so many times so long, in the system's queue: workers need a
// moment to end what is least needed.
constexpr int kLooksForRoom = 500;
constexpr std::chrono::milliseconds kLookAgain(2);

// The cores this process may run on: a container or taskset may allow fewer than the machine has.
std::size_t usable_cores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<std::size_t>(CPU_COUNT(&usable));
  return std::max(1u, std::thread::hardware_concurrency());
}

void prepare(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUserTimeoutMilliseconds, sizeof kUserTimeoutMilliseconds);
}

}  // namespace

// Accepts on the first worker's thread and distributes sockets to all workers.
class Server::Listener {
 public:
  Listener(Server& server, Acceptor acceptor, Port kind)
      : server_(server), acceptor_(std::move(acceptor)), kind_(kind) {}

  void wait() {
    acceptor_.async_wait(Acceptor::wait_read, [this](const boost::system::error_code& error) {
      if (!error && acceptor_.is_open()) accept();  // it may have been closed since the event was queued
    });
  }

  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
  }

 private:
  void accept() {
    if (server_.has_room()) {
      looks_ = kLooksForRoom;
    } else if (looks_ > 0) {
      --looks_;
      return accept_after(kLookAgain);
    }
    tcp::endpoint peer;
    ::socklen_t size = static_cast<::socklen_t>(peer.capacity());
    FileDescriptor socket(::accept4(acceptor_.native_handle(), peer.data(), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      peer.resize(size);
      prepare(socket.number());
      server_.take(std::move(socket), peer.address(), kind_);
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED && errno != EPROTO) {
      // Most likely out of file descriptors: some may be free a moment later.
      base::log_warning("http", "cannot accept a connection: {}",
                        boost::system::error_code(errno, boost::system::system_category()).message());
      return accept_after(std::chrono::milliseconds(200));
    }
    wait();
  }

  void accept_after(std::chrono::milliseconds pause) {
    retry_.expires_after(pause);
    retry_.async_wait([this](const boost::system::error_code& ended) {
      if (!ended && acceptor_.is_open()) accept();
    });
  }

  Server& server_;
  Acceptor acceptor_;
  const Port kind_;
  int looks_ = kLooksForRoom;  // that are left before a connection is refused
  boost::asio::basic_waitable_timer<std::chrono::steady_clock> retry_{server_.workers_.front()->io()};
};

Server::Server(ServerOptions options, Handler& handler) : options_(std::move(options)) {
  const std::size_t count = options_.workers > 0 ? options_.workers : usable_cores();
  for (std::size_t i = 0; i < count; ++i) {
    workers_.push_back(std::make_unique<Worker>(i, options_, commons_, handler));
    turns_.push_back(workers_.back().get());
  }
}

Server::~Server() {
  stop(std::chrono::milliseconds(0));
}

base::Result<void> Server::listen(const std::vector<std::string>& hosts, std::uint16_t port, Port kind) {
  std::vector<tcp::endpoint> endpoints;
  boost::system::error_code error;
  for (const auto& host : hosts) {
    const auto address = boost::asio::ip::make_address(host, error);
    if (error) {
      return base::fail(base::ErrorCode::invalid, fmt::format("Cannot listen on {}: that is not an IP address.", host));
    }
    endpoints.emplace_back(address, port);
  }
  // All addresses: an IPv6 socket accepts IPv4, too, if the machine has IPv6.
  const bool everywhere = endpoints.empty();
  if (everywhere) endpoints.emplace_back(tcp::v6(), port);

  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    tcp::endpoint endpoint = endpoints[i];
    if (i > 0) endpoint.port(port_);
    Acceptor acceptor(workers_.front()->io());
    acceptor.open(endpoint.protocol(), error);
    if (error && everywhere && endpoint.address().is_v6()) {
      endpoint = tcp::endpoint(tcp::v4(), port);
      acceptor.open(endpoint.protocol(), error);
    }
    if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
    if (!error && endpoint.address().is_v6()) acceptor.set_option(boost::asio::ip::v6_only(!everywhere), error);
    if (!error) acceptor.non_blocking(true, error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(1024, error);
    if (error) {
      const std::string where =
          everywhere ? fmt::format("port {}", port) : fmt::format("{} port {}", endpoint.address().to_string(), port);
      const std::string_view hint =
          error == boost::asio::error::address_in_use ? " Is another hub running? --port N takes another port." : "";
      return base::fail(base::ErrorCode::unavailable,
                        fmt::format("Cannot listen on {}: {}.{}", where, error.message(), hint));
    }
    port_ = acceptor.local_endpoint().port();
    listeners_.push_back(std::make_unique<Listener>(*this, std::move(acceptor), kind));
  }
  return {};
}

void Server::take(FileDescriptor socket, const boost::asio::ip::address& peer, Port port) {
  const Limits& limits = options_.limits;
  auto place = commons_.connections.take(peer);
  if (!place) {
    if (commons_.about_connections.is_new(peer)) {
      base::log_warning("http",
                        "refusing connections from {}: {} are open from there already (http: limits: "
                        "prefix_connections)",
                        base::AddressPrefix(peer).str(), limits.prefix_connections);
    }
    return;
  }
  if (connections() >= limits.connections) return;
  Worker* const fewest = *std::ranges::min_element(turns_, {}, &Worker::session_count);
  std::ranges::rotate(turns_, turns_.begin() + 1);
  fewest->adopt(std::move(socket), peer, std::move(*place), port);
}

bool Server::has_room() {
  const std::size_t open = connections(), most = options_.limits.connections;
  if (open >= most - most / 10) request_room();
  return open < most;
}

void Server::request_room() {
  // Workers that have fewer sessions than others may have only new ones: they are asked if the others have nothing to
  // end.
  const std::size_t share = connections() / workers_.size();
  bool soon = false;
  for (auto& worker : workers_) {
    if (worker->session_count() >= share && worker->request_room()) soon = true;
  }
  if (!soon) {
    for (auto& worker : workers_) worker->request_room();
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_warning_) return;
  next_warning_ = now + std::chrono::minutes(1);
  base::log_warning("http",
                    "{} of {} connections are open (http: max_connections): ending those that are idle or not "
                    "logged in",
                    connections(), options_.limits.connections);
}

void Server::start() {
  for (auto& worker : workers_) worker->start();
  workers_.front()->post([this] {
    for (auto& listener : listeners_) listener->wait();
  });
}

void Server::drain() {
  workers_.front()->post([this] {
    for (auto& listener : listeners_) listener->close();
  });
  for (auto& worker : workers_) worker->drain();
}

void Server::stop(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (connections() > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (auto& worker : workers_) worker->stop();
  listeners_.clear();
}

std::size_t Server::connections() const {
  std::size_t count = 0;
  for (const auto& worker : workers_) count += worker->session_count();
  return count;
}

}  // namespace hearth::http
