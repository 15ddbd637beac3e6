// SPDX-License-Identifier: Apache-2.0
// One connection to one NATS server, from its handshake until it breaks; the library does not reconnect. No callback
// refers to an object that may be destroyed before it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/link.h"
#include "fleet/nats/nats_library.h"

namespace hearth::fleet {

struct NatsAddress {
  std::string host;  // an IPv6 address without its brackets
  std::string port;
  std::string url;  // nats://host:4222
  bool secure = false;
};

// Fails with invalid.
base::Result<std::vector<NatsAddress>> parse_nats_servers(const LinkOptions& options);
// True if the files are there and good, and all that is needed for a user. Fails with invalid.
base::Result<void> check_nats_options(const NatsLibrary& library, const LinkOptions& options);

// True if somebody listens there. Waits for some seconds at most, without the library. Fails with unavailable.
base::Result<void> probe_nats_server(const NatsAddress& address);

struct NatsMessage {
  std::string subject;
  std::string reply;  // empty: none is asked for
  std::string payload;
  int status = 0;           // of the server, instead of a message: 503 if nobody hears the subject
  std::string description;  // of the status
};

// Any thread.
class NatsSession {
 public:
  // Waits for some seconds at most. `name` is for people who look at the server. Fails with unavailable, with forbidden
  // for credentials that the server does not accept, with invalid for options that are no good any more.
  static base::Result<std::shared_ptr<NatsSession>> connect(const NatsLibrary& library, const LinkOptions& options,
                                                            const NatsAddress& address, const std::string& name);
  explicit NatsSession(const NatsLibrary& library, natsConnection* connection)
      : library_(library), connection_(connection) {}
  ~NatsSession();
  NatsSession(const NatsSession&) = delete;
  NatsSession& operator=(const NatsSession&) = delete;

  struct Outgoing {
    std::string subject;
    std::string reply = {};  // where the answer goes; empty: none
    std::string_view payload = {};
    std::string id = {};      // JetStream keeps a message with the same one once
    std::string stream = {};  // that must keep it
  };
  // Returns when it is on its way. Fails with unavailable, or with invalid if it is larger than the server takes.
  base::Result<void> publish(const Outgoing& message);
  // Waits until the server has seen everything so far.
  base::Result<void> flush(std::chrono::milliseconds patience);
  // The server's words if it refused to let this user publish there or subscribe to it.
  std::optional<std::string> refusal(std::string_view subject) const;

 private:
  friend class NatsSubscription;

  const NatsLibrary& library_;
  natsConnection* const connection_;
};

class NatsSubscription {
 public:
  using Heard = std::function<void(NatsMessage message)>;
  using Ended = std::function<void()>;

  // Both run on a thread of the library. `ended`, if it is there, runs once, when the connection is broken. Fails with
  // unavailable.
  static base::Result<std::unique_ptr<NatsSubscription>> create(std::shared_ptr<NatsSession> session,
                                                                const std::string& subject, Heard heard,
                                                                Ended ended = {});
  // Not within `heard` or `ended`: it waits for them.
  ~NatsSubscription();
  NatsSubscription(const NatsSubscription&) = delete;
  NatsSubscription& operator=(const NatsSubscription&) = delete;

 private:
  struct Delivery;

  NatsSubscription(std::shared_ptr<NatsSession> session, std::shared_ptr<Delivery> delivery,
                   natsSubscription* subscription);

  std::shared_ptr<NatsSession> session_;
  std::shared_ptr<Delivery> delivery_;
  natsSubscription* subscription_;
};

}  // namespace hearth::fleet
