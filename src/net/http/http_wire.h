// SPDX-License-Identifier: Apache-2.0
// A connection of the HTTP client, which serves one exchange after another, and those that wait for the next one.
// Thread `net` only.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/link/connection.h"
#include "net/link/target.h"
#include "net/reactor/timer.h"

namespace hearth::net {

class HttpWire final : private Connection::Handler {
 public:
  // `key`: the same for targets that may share a connection.
  HttpWire(Reactor& reactor, std::unique_ptr<Stream> stream, std::string key)
      : key_(std::move(key)), connection_(reactor, std::move(stream), static_cast<Connection::Handler&>(*this)) {}

  static std::string key_of(const Target& target);

  const std::string& key() const { return key_; }
  // Whose the next callbacks are; they may destroy this.
  void serve(Connection::Handler& user) { user_ = &user; }
  void write(std::string_view bytes) { connection_.write(bytes); }
  std::size_t unsent() const { return connection_.unsent(); }

 private:
  void on_bytes(std::string_view bytes) override {
    if (user_) user_->on_bytes(bytes);
  }
  void on_sent() override {
    if (user_) user_->on_sent();
  }
  void on_end(const std::optional<Failure>& why) override {
    if (user_) user_->on_end(why);
  }

  const std::string key_;
  Connection::Handler* user_ = nullptr;
  Connection connection_;  // last: it uses the others
};

// Connections that wait for a request: at most kMost, each at most kTime. One that its server closes goes at once.
class HttpPool {
 public:
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kMostOfAKey = 2;
  static constexpr std::chrono::seconds kTime{45};

  explicit HttpPool(Reactor& reactor) : timer_(reactor) {}

  // Null if there is none.
  std::unique_ptr<HttpWire> take(const std::string& key);
  void put(std::unique_ptr<HttpWire> wire);
  std::size_t size() const { return idle_.size(); }

 private:
  struct Idle final : Connection::Handler {
    explicit Idle(HttpPool& owner) : pool(owner) {}
    // A server that speaks without being asked is of no use any more.
    void on_bytes(std::string_view) override { pool.drop(*this); }
    void on_end(const std::optional<Failure>&) override { pool.drop(*this); }

    HttpPool& pool;
    std::unique_ptr<HttpWire> wire = nullptr;
    std::chrono::steady_clock::time_point until = {};
  };

  void drop(const Idle& one);
  void sweep();

  std::list<Idle> idle_;  // the oldest first
  Timer timer_;
};

}  // namespace hearth::net
