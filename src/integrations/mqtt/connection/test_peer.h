// SPDX-License-Identifier: Apache-2.0
// For unit tests: a server on this machine that plays a broker, one connection after the other.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace hearth::integrations::mqtt {

// One connection, seen from the broker.
class PeerConnection {
 public:
  explicit PeerConnection(int socket) : socket_(socket) {}

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // The next packet of the hub, without its length; empty at the end of the connection.
  std::string receive() {
    std::string packet = some(1);
    std::size_t size = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      const std::string part = some(1);
      if (part.empty()) return {};
      size |= static_cast<std::size_t>(static_cast<unsigned char>(part[0]) & 0x7F) << shift;
      if (static_cast<unsigned char>(part[0]) < 0x80) break;
    }
    return packet + some(size);
  }
  // The next one of this type.
  std::string receive(int type) {
    for (;;) {
      std::string packet = receive();
      if (packet.empty() || static_cast<unsigned char>(packet[0]) >> 4 == type) return packet;
    }
  }

 private:
  std::string some(std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const ssize_t more = ::recv(socket_, bytes.data() + got, size - got, 0);
      if (more <= 0) return {};
      got += static_cast<std::size_t>(more);
    }
    return bytes;
  }

  const int socket_;
};

class TestPeer {
 public:
  // `act` plays the broker on its own thread; the connection ends when it returns.
  explicit TestPeer(std::function<void(PeerConnection& connection)> act) : act_(std::move(act)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("there is no port for the peer");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~TestPeer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  TestPeer(const TestPeer&) = delete;
  TestPeer& operator=(const TestPeer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void run() {
    for (;;) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      PeerConnection connection(socket);
      act_(connection);
      ::close(socket);
    }
  }

  std::function<void(PeerConnection& connection)> act_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace hearth::integrations::mqtt
