// SPDX-License-Identifier: Apache-2.0
// Finds the addresses of names. Thread `net` only.
//
// The system is asked on up to kThreads threads of its own, because it may take a minute; they begin when they are
// needed, and end after kIdle. A thread that still waits for a name server when the hub ends is left behind. One
// question at a time for each name; up to kMaxWaiting names wait.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/handle.h"
#include "net/reactor/failure.h"

namespace hearth::net {

using Address = boost::asio::ip::address;
using Addresses = std::vector<Address>;

// On a thread of the resolver: it may take its time. Not empty.
using Lookup = std::function<std::expected<Addresses, Failure>(const std::string& host)>;
// The system's: /etc/hosts, DNS and whatever else it has.
std::expected<Addresses, Failure> look_up(const std::string& host);

class Resolver {
 public:
  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kMaxWaiting = 1'024;
  static constexpr std::chrono::seconds kIdle{10};

  using Done = std::move_only_function<void(std::expected<Addresses, Failure> found)>;

  // Answers are posted to `io`, on whose thread all calls of this are. `lookup`: none means the system's.
  Resolver(std::shared_ptr<boost::asio::io_context> io, Lookup lookup);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // `host`: a name, or an address in digits, which needs no thread. Calls `done` later, unless the handle has ended
  // before. Fails with invalid_host if there is no such name, with busy if too many names wait, with cannot_connect if
  // no name server answers.
  [[nodiscard]] base::Handle resolve(const std::string& host, Done done);

 private:
  struct Pool;
  // A question is open while it has its `done`.
  struct Questions {
    std::unordered_map<std::string, std::vector<std::uint64_t>> by_host;
    std::unordered_map<std::uint64_t, Done> open;
    std::uint64_t last = 0;
  };

  // Null if the pool will answer, otherwise why it does not.
  std::optional<Failure> ask_pool(const std::string& host);
  void answer_later(const std::string& host, std::expected<Addresses, Failure> found);
  static void answer(Questions& questions, const std::string& host, const std::expected<Addresses, Failure>& found);

  const std::shared_ptr<boost::asio::io_context> io_;
  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Questions> questions_;
};

// An address in digits, perhaps in brackets or with a zone (fe80::1%eth0). Null if it is a name.
std::optional<Address> parse_address(std::string_view host);
// The order in which to try them (RFC 8305 §4): as the system sorted them, the two families by turns.
Addresses in_order_of_attempts(const Addresses& found);

}  // namespace hearth::net
