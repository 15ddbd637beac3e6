// SPDX-License-Identifier: Apache-2.0
// For fuzzers: a worker that serves one client after the other over socket pairs, step by step: after each piece that
// the client sends, the worker finishes all its work. So the same pieces always give the same result.
//
// The client runs on the worker's thread, as its sessions do.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <functional>
#include <semaphore>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/testing/fuzz_check.h"
#include "http/server.h"
#include "http/worker.h"

namespace hearth::http {

// Runs the task on the worker's thread and waits for its end.
inline void run_on(Worker& worker, const std::function<void()>& task) {
  std::binary_semaphore done(0);
  worker.post([&] {
    task();
    done.release();
  });
  done.acquire();
}

// A server with one worker. H is made from the limits.
template <class H>
class FuzzServer {
 public:
  explicit FuzzServer(ServerOptions options) : options_(std::move(options)) { server_.start(); }
  Worker& worker() { return *server_.workers().front(); }
  H& handler() { return handler_; }

 private:
  const ServerOptions options_;
  H handler_{options_.limits};
  Server server_{options_, handler_};
};

class FuzzClient {
 public:
  explicit FuzzClient(Worker& worker, std::string_view address = "192.0.2.1") : worker_(worker) {
    int pair[2];
    base::must(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0, "there are sockets");
    socket_ = FileDescriptor(pair[0]);
    worker_.adopt(FileDescriptor(pair[1]), boost::asio::ip::make_address(address));
    settle();
  }
  // All that the client held is gone when this returns.
  ~FuzzClient() {
    socket_.close();
    settle();
    base::must(worker_.session_count() == 0, "a session ends with its connection");
  }
  FuzzClient(const FuzzClient&) = delete;
  FuzzClient& operator=(const FuzzClient&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty() && !ended_) {
      const auto sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0 && errno != EAGAIN) return settle();  // the hub has ended the connection
      settle();
    }
  }
  // Waits until the condition holds; false if the connection ends first, or after 20 s.
  bool wait_for(const std::function<bool()>& what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (settle(); !what(); settle()) {
      if (ended_ || std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return true;
  }
  const std::string& received() const { return received_; }
  bool ended() const { return ended_; }

 private:
  // Runs until the worker has nothing left to do and the client has received all answers.
  void settle() {
    for (int idle = 0; idle < 2;) {
      const bool worked = worker_.io().poll() > 0;
      idle = receive() || worked ? 0 : idle + 1;
    }
  }
  bool receive() {
    if (!socket_ || ended_) return false;
    char buffer[64 * 1024];
    const auto size = ::recv(socket_.number(), buffer, sizeof buffer, 0);
    if (size > 0) received_.append(buffer, static_cast<std::size_t>(size));
    if (size == 0 || (size < 0 && errno != EAGAIN)) ended_ = true;
    return size >= 0;
  }

  Worker& worker_;
  FileDescriptor socket_;
  std::string received_;
  bool ended_ = false;
};

// Ways to cut a client's bytes: not at all, at a few places that depend on the text, and into single bytes (a long text
// into 256 pieces).
inline std::vector<std::vector<std::string_view>> ways_to_split(std::string_view text) {
  std::vector<std::string_view> whole{text}, some, bytes;
  const std::size_t hash = std::hash<std::string_view>{}(text);
  std::string_view rest = text;
  for (unsigned i = 0; i < 4 && !rest.empty(); ++i) {
    const std::size_t size = (hash >> (16 * i) & 0xFFFF) % (rest.size() + 1);
    some.push_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  some.push_back(rest);
  const std::size_t piece = text.size() / 256 + 1;
  for (std::size_t at = 0; at < text.size(); at += piece) bytes.push_back(text.substr(at, piece));
  return {std::move(whole), std::move(some), std::move(bytes)};
}

// The server's answer to a client that sends these pieces.
inline std::string talk(Worker& worker, std::span<const std::string_view> pieces) {
  std::string said;
  run_on(worker, [&] {
    FuzzClient client(worker);
    for (const auto piece : pieces) client.send(piece);
    said = client.received();
  });
  return said;
}

// Without what depends on timing: the Date fields, and whether 100 Continue was sent.
inline std::string without_moments(std::string text) {
  constexpr std::string_view date = "\r\nDate: ", go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  for (std::size_t at = 0; (at = text.find(date, at)) != std::string::npos;) {
    text.erase(at, text.find("\r\n", at + 2) - at);
  }
  for (std::size_t at = 0; (at = text.find(go_on, at)) != std::string::npos;) text.erase(at, go_on.size());
  return text;
}

}  // namespace hearth::http
