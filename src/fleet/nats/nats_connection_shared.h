// SPDX-License-Identifier: Apache-2.0
// Shared by a NatsConnection, its questions and its thread.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <map>
#include <optional>

#include "base/mutex.h"
#include "base/random_id.h"
#include "fleet/nats/nats_connection.h"

namespace hearth::fleet {

struct NatsConnection::Shared {
  struct Call {
    std::string subject = {};
    Deadline deadline = Deadline::max();
    Answered answered = {};  // null: a NatsQuestion waits
    std::deque<NatsMessage> arrived = {};
    std::optional<base::Error> failure = {};
  };

  Shared(const NatsLibrary& used, Options chosen, std::function<void()> to_look)
      : library(used),
        options(std::move(chosen)),
        look(std::move(to_look)),
        inbox(fmt::format("{}.{}", options.inbox, base::make_random_id())) {}

  void run();
  // Returns when the connection has ended; false if there was none.
  bool connect_and_serve(const NatsAddress& address);
  void serve(const std::shared_ptr<NatsSession>& opened);
  base::Result<std::unique_ptr<NatsSubscription>> open(std::shared_ptr<NatsSession>& opened,
                                                       const NatsAddress& address);
  // False if it was cancelled.
  bool pause(std::chrono::milliseconds time);

  base::Result<std::shared_ptr<NatsSession>> connected(std::chrono::milliseconds patience);
  std::uint64_t add(Call call);
  void remove(std::uint64_t token);
  std::string reply_to(std::uint64_t token) const { return fmt::format("{}.{}", inbox, token); }
  void arrive(NatsMessage message);
  void heard(const std::weak_ptr<NatsSession>& from, NatsMessage message);
  // All, or those whose time is over.
  void fail_calls(const base::Error& error, Deadline until = Deadline::max());

  const NatsLibrary& library;
  const Options options;
  const std::function<void()> look;
  const std::string inbox;

  mutable base::Mutex mutex;
  base::ConditionVariable changed;
  std::shared_ptr<NatsSession> session __attribute__((guarded_by(mutex)));
  std::string server __attribute__((guarded_by(mutex)));
  base::Error failure
      __attribute__((guarded_by(mutex))){base::ErrorCode::unavailable, "The NATS server is still being connected to."};
  std::map<std::uint64_t, Call> calls __attribute__((guarded_by(mutex)));
  std::uint64_t tokens __attribute__((guarded_by(mutex))) = 0;
  std::uint64_t last_question __attribute__((guarded_by(mutex))) = 0;
  std::uint64_t times __attribute__((guarded_by(mutex))) = 0;
  std::shared_ptr<const Heard> hearer __attribute__((guarded_by(mutex)));
  int hearing __attribute__((guarded_by(mutex))) = 0;
  bool cancelled __attribute__((guarded_by(mutex))) = false;
  bool lost __attribute__((guarded_by(mutex))) = false;
  bool looks_again __attribute__((guarded_by(mutex))) = false;
  // The thread looks for a server, without the library: it may be left alone with this. What the library and OpenSSL do
  // must have ended when the program ends.
  bool searching __attribute__((guarded_by(mutex))) = false;
};

}  // namespace hearth::fleet
