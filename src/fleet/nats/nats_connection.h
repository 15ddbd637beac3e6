// SPDX-License-Identifier: Apache-2.0
// A connection to one of several NATS servers, which a thread of its own makes, and makes again for ever after a loss.
// It sends questions and receives messages; questions that wait for an answer fail when the connection breaks.
//
// Queue: none. A message that cannot be sent at once fails.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "fleet/nats/nats_session.h"

namespace hearth::fleet {

class NatsConnection {
 public:
  using Answered = std::function<void(base::Result<NatsMessage> answer)>;
  // Returns at once and may be called on any thread, or never.
  using Reply = std::function<void(std::string answer)>;
  using Heard = std::function<void(NatsMessage message, Reply reply)>;
  using Deadline = std::chrono::steady_clock::time_point;

  struct Options {
    LinkOptions link;
    std::vector<NatsAddress> addresses;
    std::string name;   // for people who look at the server
    std::string inbox;  // where its answers come: _INBOX_hearth.kitchen
    std::string heard;  // the subject for `hear`
  };

  // `look` runs on the connection's thread once it is connected, and each minute; it must not wait.
  NatsConnection(const NatsLibrary& library, Options options, std::function<void()> look = {});
  ~NatsConnection();
  NatsConnection(const NatsConnection&) = delete;
  NatsConnection& operator=(const NatsConnection&) = delete;

  // Any thread.

  // Nobody says whether it has arrived. Fails with unavailable, invalid.
  base::Result<void> publish(const std::string& subject, std::string_view payload);
  // Waits for a connection, and then for one answer; asks each second again, because a server that has no leader right
  // now drops what it is asked. Fails with unavailable, forbidden, invalid.
  base::Result<NatsMessage> request(NatsSession::Outgoing message, std::chrono::milliseconds patience);
  // `answered` is called once: by this call if there is no connection.
  void request(NatsSession::Outgoing message, std::chrono::microseconds patience, Answered answered);
  // Null: no more, and none runs after the return.
  void hear(Heard heard);
  // `look` runs again after two seconds, then after twice as many: what it asked was not answered.
  void look_again();
  // Waiting questions fail soon, and so does everything after.
  void cancel();
  // How often it has been connected.
  std::uint64_t times() const;
  // Where to, now; empty if it is not.
  std::string server() const;

 private:
  friend class NatsQuestion;
  struct Shared;

  const std::shared_ptr<Shared> shared_;  // the thread's, too: while it looks for a server nobody waits for it
  std::thread thread_;
};

// A question with several answers. What JetStream hands out has the subject that it was published to, and says nothing
// of the question: the connection's last one gets it. One thread.
class NatsQuestion {
 public:
  // Waits for a connection for two seconds. Fails as request does.
  static base::Result<NatsQuestion> ask(NatsConnection& connection, NatsSession::Outgoing message);
  NatsQuestion(NatsQuestion&& other) noexcept
      : shared_(std::move(other.shared_)), token_(other.token_), subject_(std::move(other.subject_)) {}
  NatsQuestion& operator=(NatsQuestion&&) = delete;
  ~NatsQuestion();

  // The same again: the answers to both come. Fails with unavailable, invalid.
  base::Result<void> repeat(NatsSession::Outgoing message);
  // Fails with unavailable if none comes in time, if the connection breaks, or after cancel; with forbidden.
  base::Result<NatsMessage> next(NatsConnection::Deadline deadline);

 private:
  NatsQuestion(std::shared_ptr<NatsConnection::Shared> shared, std::uint64_t token, std::string subject)
      : shared_(std::move(shared)), token_(token), subject_(std::move(subject)) {}

  std::shared_ptr<NatsConnection::Shared> shared_;
  std::uint64_t token_;
  std::string subject_;
};

}  // namespace hearth::fleet
