// SPDX-License-Identifier: Apache-2.0
// One attempt to connect: finds the host's addresses, tries them by turns of IPv6 and IPv4, each next one kNext after
// the one before or when that has failed (RFC 8305), and agrees on TLS with the first that answers. Uses no proxy.
// Thread `net` only.
#pragma once

#include <chrono>
#include <deque>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "net/link/stream.h"
#include "net/link/target.h"
#include "net/reactor/life.h"
#include "net/reactor/reactor.h"
#include "net/reactor/timer.h"

namespace hearth::net {

class Connector {
 public:
  static constexpr std::chrono::seconds kLimit{10};  // for all of it
  static constexpr std::chrono::milliseconds kNext{250};
  static constexpr std::size_t kMostAddresses = 16;

  using Done = std::move_only_function<void(std::expected<std::unique_ptr<Stream>, Failure> result)>;

  // Begins at once. Calls `done` once, later; it may destroy this. Not after the end of this.
  Connector(Reactor& reactor, Target target, Done done, std::chrono::milliseconds limit = kLimit);
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

 private:
  using Sockets = std::list<Stream::Socket>;

  void begin(std::expected<Addresses, Failure> found);
  void try_next();
  void connected(Sockets::iterator socket, const Address& address, const boost::system::error_code& error);
  void shake_hands();
  void fail(Failure failure);
  void end(std::expected<std::unique_ptr<Stream>, Failure> result);
  // Work of a callback: what it throws is the attempt's failure.
  template <class Work>
  void guarded(Work work);

  Reactor& reactor_;
  const Target target_;
  Done done_;
  Timer limit_, next_;
  std::deque<Address> waiting_;
  Sockets trying_;
  std::optional<Failure> first_failure_;
  std::unique_ptr<Stream> stream_;  // during the handshake
  base::Handle lookup_;
  Life life_;
};

}  // namespace hearth::net
