// SPDX-License-Identifier: Apache-2.0
// For tests: a server on the loopback of this machine that plays a script, once for each connection.
//
//   ScriptedServer server([&](ScriptedPeer& peer) {
//     peer.expect("hello");
//     ready.wait();                 // until a fact
//     peer.send("welcome");
//     peer.expect_end();
//   });
//
// The script runs on a thread of each connection, which ends when it returns. If an expectation does not hold, the test
// fails. Whatever waits for the hub's bytes ends when the connection does, at the latest with the server.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/testing/certificate.h"

namespace hearth::net::testing {

// One connection, seen from the peer. One thread.
class ScriptedPeer {
 public:
  explicit ScriptedPeer(int socket) : socket_(socket) {}
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  // False if the hub does not agree.
  bool secure(::SSL_CTX* context) {
    tls_ = {SSL_new(context), SSL_free};
    SSL_set_fd(tls_.get(), socket_);
    return SSL_accept(tls_.get()) == 1;
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                                : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Exactly so many; fewer at the end of the connection.
  std::string receive(std::size_t bytes) {
    std::string all(bytes, '\0');
    std::size_t got = 0;
    while (got < bytes) {
      const std::size_t more = some(all.data() + got, bytes - got);
      if (more == 0) break;
      got += more;
    }
    all.resize(got);
    return all;
  }
  // Up to and with this text; all that has come if the connection ends before.
  std::string receive_until(std::string_view text) {
    std::string all;
    while (!all.ends_with(text)) {
      const std::string next = receive(1);
      if (next.empty()) break;
      all += next;
    }
    return all;
  }
  // The next bytes are these.
  void expect(std::string_view bytes) { EXPECT_EQ(receive(bytes.size()), bytes); }
  // The hub closes the connection, and sends nothing before.
  void expect_end() { EXPECT_EQ(receive(1), ""); }
  // Drops all that comes, until the end. Returns how many bytes.
  std::size_t drain() {
    char buffer[4096];
    std::size_t all = 0;
    for (std::size_t more; (more = some(buffer, sizeof buffer)) > 0;) all += more;
    return all;
  }
  // The hub meets "connection reset". Nothing more can be done.
  void reset() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    tls_.reset();
    is_reset_ = true;
  }

 private:
  std::size_t some(char* into, std::size_t size) {
    if (is_reset_) return 0;
    const ssize_t got = tls_ ? SSL_read(tls_.get(), into, static_cast<int>(size)) : ::recv(socket_, into, size, 0);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  const int socket_;
  std::unique_ptr<::SSL, void (*)(::SSL*)> tls_{nullptr, nullptr};
  bool is_reset_ = false;
};

class ScriptedServer {
 public:
  using Script = std::function<void(ScriptedPeer& peer)>;

  struct Options {
    const Certificate* certificate = nullptr;  // speaks TLS if it has one; only read by the constructor
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  // 0: any
  };

  explicit ScriptedServer(Script script) : ScriptedServer(std::move(script), Options{}) {}
  ScriptedServer(Script script, const Options& options) : script_(std::move(script)) {
    if (options.certificate) {
      context_ = {SSL_CTX_new(TLS_server_method()), SSL_CTX_free};
      if (SSL_CTX_use_certificate_chain_file(context_.get(), options.certificate->certificate_file().c_str()) != 1 ||
          SSL_CTX_use_PrivateKey_file(context_.get(), options.certificate->key_file().c_str(), SSL_FILETYPE_PEM) != 1)
        throw std::runtime_error("the server cannot use its certificate");
    }
    listen(options);
    thread_ = std::thread([this] { run(); });
  }
  // Cuts all connections, and waits for their scripts' ends.
  ~ScriptedServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    {
      const base::MutexLock lock(mutex_);
      for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    }
    for (std::thread& each : scripts_) each.join();
    ::close(listener_);
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }
  // Connections so far.
  int connections() const { return connections_; }

 private:
  void listen(const Options& options) {
    sockaddr_storage address{};
    socklen_t size = 0;
    if (options.address.contains(':')) {
      auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
      v6.sin6_family = AF_INET6;
      v6.sin6_port = htons(options.port);
      ::inet_pton(AF_INET6, options.address.c_str(), &v6.sin6_addr);
      size = sizeof v6;
    } else {
      auto& v4 = reinterpret_cast<sockaddr_in&>(address);
      v4.sin_family = AF_INET;
      v4.sin_port = htons(options.port);
      ::inet_pton(AF_INET, options.address.c_str(), &v4.sin_addr);
      size = sizeof v4;
    }
    const int on = 1;
    listener_ = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, place, size) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, place, &size) != 0)
      throw std::runtime_error("there is no port for the server");
    port_ = ntohs(options.address.contains(':') ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                                : reinterpret_cast<sockaddr_in&>(address).sin_port);
  }

  void run() {
    sigset_t broken_pipe;  // of OpenSSL's writes; inherited by the scripts
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    for (int socket; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      ++connections_;
      {
        const base::MutexLock lock(mutex_);
        sockets_.insert(socket);
      }
      scripts_.emplace_back([this, socket] { play(socket); });
    }
  }
  void play(int socket) {
    {
      ScriptedPeer peer(socket);
      if (!context_ || peer.secure(context_.get())) script_(peer);
    }
    const base::MutexLock lock(mutex_);
    sockets_.erase(socket);
    ::close(socket);
  }

  const Script script_;
  std::unique_ptr<::SSL_CTX, void (*)(::SSL_CTX*)> context_{nullptr, nullptr};
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  base::Mutex mutex_;
  std::set<int> sockets_ __attribute__((guarded_by(mutex_)));
  std::vector<std::thread> scripts_;  // of the thread, until its end
  std::thread thread_;
};

}  // namespace hearth::net::testing
