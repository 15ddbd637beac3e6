// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/reconnector.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <system_error>

#include "base/log/guarded.h"

namespace hearth::integrations::mqtt {
namespace {

// A broken connection is an error of write, not a signal.
void block_broken_pipe() {
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
}

}  // namespace

Reconnector::Reconnector(Options options, const base::Clock& clock, std::function<void()> wake)
    : shared_(std::make_shared<Shared>(std::move(options), clock, std::move(wake))) {}

base::Result<void> Reconnector::start() {
  if (auto opened = shared_->outbound.open(); !opened) return opened;
  try {
    thread_ = std::thread([shared = shared_] { shared->run(); });
  } catch (const std::system_error& error) {
    return base::fail(base::ErrorCode::unavailable, error.what());
  }
  return {};
}

std::size_t Reconnector::stop() {
  if (!thread_.joinable()) return 0;
  shared_->outbound.stop();
  shared_->inbound.close();
  Phase connecting = Phase::connecting;
  if (shared_->phase.compare_exchange_strong(connecting, Phase::left))
    thread_.detach();
  else
    thread_.join();
  return shared_->outbound.messages();
}

void Reconnector::Shared::run() {
  pthread_setname_np(pthread_self(), "mqtt");
  block_broken_pipe();
  for (bool goes_on = true; goes_on;) {
    if (!base::run_guarded("mqtt", "the connection to the broker", [&] { goes_on = try_once(); }))
      outbound.pause(kLongestRetry);
  }
}

bool Reconnector::Shared::try_once() {
  using Answer = Connection::Answer;
  const auto began = std::chrono::steady_clock::now();
  const auto attempt = this->attempt();
  if (!attempt) return false;
  if (attempt->answer == Answer::accepted && std::chrono::steady_clock::now() - began >= kSteady) delay = kFirstRetry;
  const bool automatic = options.protocol == Protocol::automatic;
  if (automatic && attempt->answer == Answer::refused_protocol && protocol == Protocol::v5) {
    protocol = Protocol::v311;
    return true;
  }
  // Some brokers of 3.1.1 only end a connection that they do not understand.
  const bool other_version = automatic && attempt->answer == Answer::hung_up;
  if (other_version) protocol = protocol == Protocol::v5 ? Protocol::v311 : Protocol::v5;
  // Many hubs that lose one broker must not come back at the same moment.
  const base::Duration wait = delay + delay * static_cast<int>(random() % 25) / 100;
  delay = std::min(2 * delay, kLongestRetry);
  inbound.put(Lost{attempt->error, wait, other_version, attempt->lost});
  outbound.pause(wait);
  return true;
}

std::optional<Reconnector::Shared::Attempt> Reconnector::Shared::attempt() {
  if (outbound.stopping()) return {};
  Connection connection(options, protocol, inbound, outbound, clock);
  phase = Phase::connecting;
  auto done = connection.connect();
  Phase connecting = Phase::connecting;
  if (!phase.compare_exchange_strong(connecting, Phase::free)) return {};
  if (done) {
    // An exception within a packet, for want of memory, ends the connection, and no more.
    try {
      done = connection.serve();
    } catch (const std::exception& failure) {
      done = base::fail(base::ErrorCode::unavailable, failure.what());
    }
  }
  if (done) return {};
  std::size_t lost = connection.leave();
  if (connection.answer() == Connection::Answer::accepted) lost += outbound.drop_unsure();
  return Attempt{std::move(done.error().message), connection.answer(), lost};
}

}  // namespace hearth::integrations::mqtt
