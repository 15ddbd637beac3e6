// SPDX-License-Identifier: Apache-2.0
// For tests: an HTTP client that sends what the test gives it, byte by byte, and reads what comes. It blocks, and gives
// up after a time that no test should need. One thread at a time.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::http {

class TestClient {
 public:
  struct Answer {
    int status = 0;  // 0 if the connection ended first
    std::string head;
    std::string body;  // without the chunked coding

    bool has(std::string_view header_line) const {
      return head.find("\r\n" + std::string(header_line) + "\r\n") != std::string::npos;
    }
  };

  // `receive_buffer` in bytes, for clients that read slowly; 0 for the system's default.
  explicit TestClient(std::uint16_t port, int receive_buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const timeval patience{30, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  ~TestClient() { close(); }

  bool connected() const { return connected_; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void finish() { ::shutdown(socket_, SHUT_WR); }

  // False if the server did not take everything.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Everything up to and including the marker; less if the connection ends first.
  std::string read_until(std::string_view marker) {
    std::size_t found;
    while ((found = received_.find(marker)) == std::string::npos && receive()) {
    }
    return take(found == std::string::npos ? received_.size() : found + marker.size());
  }
  std::string read_bytes(std::size_t size) {
    while (received_.size() < size && receive()) {
    }
    return take(std::min(size, received_.size()));
  }
  std::string read_to_end() {
    while (receive()) {
    }
    return take(received_.size());
  }
  // True if there is something to read now.
  bool readable() const {
    char byte;
    return !received_.empty() || ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  }
  // True if the server ended the connection without sending anything more.
  bool ended() { return read_to_end().empty() && !timed_out_; }

  Answer read_answer(bool head_only = false) {
    Answer answer;
    answer.head = read_until("\r\n\r\n");
    if (!answer.head.ends_with("\r\n\r\n")) return answer;
    answer.status = std::stoi(answer.head.substr(9, 3));
    if (head_only || answer.status == 100) return answer;
    constexpr std::string_view length = "\r\nContent-Length: ";
    if (const auto at = answer.head.find(length); at != std::string::npos) {
      answer.body = read_bytes(std::stoul(answer.head.substr(at + length.size())));
    } else if (answer.has("Transfer-Encoding: chunked")) {
      for (std::string chunk; !(chunk = read_chunk()).empty();) answer.body += chunk;
    } else {
      answer.body = read_to_end();
    }
    return answer;
  }
  Answer get(std::string_view target, std::string_view fields = "") {
    send("GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n");
    return read_answer();
  }
  // A chunk's payload; empty for the last chunk, or if the connection ends.
  std::string read_chunk() {
    const std::string line = read_until("\r\n");
    if (line.empty()) return {};
    std::string chunk = read_bytes(std::stoul(line, nullptr, 16) + 2);
    chunk.resize(chunk.size() - std::min<std::size_t>(2, chunk.size()));
    return chunk;
  }

 private:
  bool receive() {
    char buffer[16 * 1024];
    const auto size = ::recv(socket_, buffer, sizeof buffer, 0);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) timed_out_ = true;
    if (size <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(size));
    return true;
  }
  std::string take(std::size_t size) {
    std::string text = received_.substr(0, size);
    received_.erase(0, size);
    return text;
  }

  int socket_;
  bool connected_ = false;
  bool timed_out_ = false;
  std::string received_;
};

}  // namespace hearth::http
