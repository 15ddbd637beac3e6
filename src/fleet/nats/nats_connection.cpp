// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats/nats_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/log/guarded.h"
#include "base/log/log.h"
#include "fleet/nats/nats_connection_shared.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;
using Steady = std::chrono::steady_clock;

constexpr auto kConnectPatience = 2s;  // of what waits for a connection
constexpr auto kAskAgain = 1s;
constexpr auto kRefusalInterval = 100ms;  // between two looks whether the server refused what waits

base::Error cancelled_error() {
  return {ErrorCode::unavailable, "The link to the fleet is being closed."};
}

}  // namespace

Result<std::shared_ptr<NatsSession>> NatsConnection::Shared::connected(std::chrono::milliseconds patience) {
  const auto until = Steady::now() + patience;
  base::MutexLock lock(mutex);
  while (!session && !cancelled && Steady::now() < until) changed.wait_until(mutex, until);
  if (cancelled) return std::unexpected(cancelled_error());
  if (!session) return std::unexpected(failure);
  return session;
}

std::uint64_t NatsConnection::Shared::add(Call call) {
  base::MutexLock lock(mutex);
  if (!call.answered) last_question = tokens + 1;
  calls.emplace(++tokens, std::move(call));
  return tokens;
}

void NatsConnection::Shared::remove(std::uint64_t token) {
  base::MutexLock lock(mutex);
  calls.erase(token);
}

void NatsConnection::Shared::arrive(NatsMessage message) {
  std::uint64_t token = 0;
  const bool to_inbox = message.subject.starts_with(inbox);
  if (to_inbox) {
    const std::string_view digits = std::string_view(message.subject).substr(message.subject.rfind('.') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), token);
  }
  Answered answered;
  {
    base::MutexLock lock(mutex);
    if (!to_inbox) token = last_question;
    const auto found = calls.find(token);
    if (found == calls.end()) return;
    if (!found->second.answered) {
      found->second.arrived.push_back(std::move(message));
      changed.notify_all();
      return;
    }
    answered = std::move(found->second.answered);
    calls.erase(found);
  }
  answered(std::move(message));
}

void NatsConnection::Shared::heard(const std::weak_ptr<NatsSession>& from, NatsMessage message) {
  std::shared_ptr<const Heard> hears;
  {
    base::MutexLock lock(mutex);
    if (!hearer) return;
    hears = hearer;
    ++hearing;
  }
  try {
    Reply reply = [to = message.reply, way = from](std::string answer) {
      const auto alive = way.lock();
      if (!alive || to.empty()) return;
      const auto sent = alive->publish({.subject = to, .payload = answer});
      if (!sent) base::log_warning("fleet", "an answer is lost: {}", sent.error().message);
    };
    (*hears)(std::move(message), std::move(reply));
  } catch (const std::exception& failed) {
    base::log_error("fleet", "a request is lost: {}", failed.what());
  }
  hears.reset();
  base::MutexLock lock(mutex);
  --hearing;
  changed.notify_all();
}

void NatsConnection::Shared::fail_calls(const base::Error& error, Deadline until) {
  std::vector<Answered> failed;
  {
    base::MutexLock lock(mutex);
    for (auto next = calls.begin(); next != calls.end();) {
      const auto call = next++;
      if (call->second.answered && call->second.deadline <= until) {
        failed.push_back(std::move(call->second.answered));
        calls.erase(call);
      } else if (until == Deadline::max()) {
        call->second.failure = error;
      }
    }
    changed.notify_all();
  }
  for (const Answered& answered : failed)
    base::run_guarded("fleet", "what waited for NATS", [&] { answered(std::unexpected(error)); });
}

NatsConnection::NatsConnection(const NatsLibrary& library, Options options, std::function<void()> look)
    : shared_(std::make_shared<Shared>(library, std::move(options), std::move(look))) {
  thread_ = std::thread([shared = shared_] { shared->run(); });
}

NatsConnection::~NatsConnection() {
  hear(nullptr);
  cancel();
  bool searching;
  {
    base::MutexLock lock(shared_->mutex);
    searching = shared_->searching;
  }
  if (searching)
    thread_.detach();
  else
    thread_.join();
}

Result<void> NatsConnection::publish(const std::string& subject, std::string_view payload) {
  const auto session = shared_->connected(0ms);
  if (!session) return std::unexpected(session.error());
  return (*session)->publish({.subject = subject, .payload = payload});
}

Result<NatsMessage> NatsConnection::request(NatsSession::Outgoing message, std::chrono::milliseconds patience) {
  const auto deadline = Steady::now() + patience;
  auto question = NatsQuestion::ask(*this, message);
  if (!question) return std::unexpected(std::move(question.error()));
  while (true) {
    const auto again = std::min(deadline, Steady::now() + kAskAgain);
    auto answer = question->next(again);
    if (answer || again == deadline || Steady::now() < again) return answer;
    if (auto sent = question->repeat(message); !sent) return std::unexpected(std::move(sent.error()));
  }
}

void NatsConnection::request(NatsSession::Outgoing message, std::chrono::microseconds patience, Answered answered) {
  const auto session = shared_->connected(0ms);
  if (!session) return answered(std::unexpected(session.error()));
  const auto token = shared_->add({message.subject, Steady::now() + patience, answered});
  message.reply = shared_->reply_to(token);
  auto sent = (*session)->publish(message);
  {
    // The taker of the call answers it.
    base::MutexLock lock(shared_->mutex);
    shared_->changed.notify_all();
    const auto call = shared_->calls.find(token);
    if (call == shared_->calls.end() || (sent && shared_->session == *session && !shared_->cancelled)) return;
    if (sent) sent = std::unexpected(shared_->cancelled ? cancelled_error() : shared_->failure);
    shared_->calls.erase(call);
  }
  answered(std::unexpected(std::move(sent.error())));
}

void NatsConnection::hear(Heard heard) {
  base::MutexLock lock(shared_->mutex);
  shared_->hearer = heard ? std::make_shared<const Heard>(std::move(heard)) : nullptr;
  shared_->changed.notify_all();
  while (!shared_->hearer && shared_->hearing > 0) shared_->changed.wait(shared_->mutex);
}

void NatsConnection::look_again() {
  base::MutexLock lock(shared_->mutex);
  shared_->looks_again = true;
  shared_->changed.notify_all();
}

void NatsConnection::cancel() {
  {
    base::MutexLock lock(shared_->mutex);
    shared_->cancelled = true;
  }
  shared_->fail_calls(cancelled_error());
}

std::uint64_t NatsConnection::times() const {
  base::MutexLock lock(shared_->mutex);
  return shared_->times;
}

std::string NatsConnection::server() const {
  base::MutexLock lock(shared_->mutex);
  return shared_->server;
}

Result<NatsQuestion> NatsQuestion::ask(NatsConnection& connection, NatsSession::Outgoing message) {
  auto& shared = connection.shared_;
  const auto session = shared->connected(kConnectPatience);
  if (!session) return std::unexpected(session.error());
  NatsQuestion question(shared, shared->add({.subject = message.subject}), message.subject);
  message.reply = shared->reply_to(question.token_);
  if (auto sent = (*session)->publish(message); !sent) return std::unexpected(std::move(sent.error()));
  // A failure before the question was added has told nobody.
  base::MutexLock lock(shared->mutex);
  if (shared->session != *session) return std::unexpected(shared->failure);
  return question;
}

Result<void> NatsQuestion::repeat(NatsSession::Outgoing message) {
  std::shared_ptr<NatsSession> session;
  {
    base::MutexLock lock(shared_->mutex);
    // A question does not outlive the connection that it was asked on.
    if (const auto& failure = shared_->calls.at(token_).failure) return std::unexpected(*failure);
    session = shared_->session;
  }
  if (!session) return base::fail(ErrorCode::unavailable, "The connection to the NATS server is broken.");
  message.reply = shared_->reply_to(token_);
  return session->publish(message);
}

NatsQuestion::~NatsQuestion() {
  if (shared_) shared_->remove(token_);
}

Result<NatsMessage> NatsQuestion::next(NatsConnection::Deadline deadline) {
  while (true) {
    std::shared_ptr<NatsSession> session;
    {
      base::MutexLock lock(shared_->mutex);
      auto& call = shared_->calls.at(token_);
      if (call.arrived.empty() && !call.failure && !shared_->cancelled) {
        shared_->changed.wait_until(shared_->mutex, std::min(deadline, Steady::now() + kRefusalInterval));
      }
      if (shared_->cancelled) return std::unexpected(cancelled_error());
      if (!call.arrived.empty()) {
        NatsMessage message = std::move(call.arrived.front());
        call.arrived.pop_front();
        return message;
      }
      if (call.failure) return std::unexpected(*call.failure);
      session = shared_->session;
    }
    if (!session) continue;
    for (const std::string& subject : {subject_, shared_->inbox + ".*"}) {
      if (const auto refusal = session->refusal(subject)) {
        return base::fail(ErrorCode::forbidden, fmt::format("The NATS server refuses this hub: {}.", *refusal));
      }
    }
    if (Steady::now() >= deadline) return base::fail(ErrorCode::unavailable, "The NATS server did not answer in time.");
  }
}

}  // namespace hearth::fleet
