// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/link.h"

#include <mosquitto.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <random>
#include <system_error>

namespace hearth::integrations::mqtt {
namespace {

// Once in the program's life; the library counts no users that may still run in a thread that was left behind.
void prepare_library() {
  static const int kPrepared = mosquitto_lib_init();
  static_cast<void>(kPrepared);
}

// A broken connection is an error of write, not a signal.
void block_broken_pipe() {
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
}

}  // namespace

Link::Link(Options options, const base::Clock& clock, std::function<void()> wake)
    : shared_(std::make_shared<Shared>(std::move(options), clock, std::move(wake))) {}

base::Result<void> Link::start() {
  prepare_library();
  if (auto opened = shared_->orders.open(); !opened) return opened;
  try {
    thread_ = std::thread([shared = shared_] { shared->run(); });
  } catch (const std::system_error& error) {
    return base::fail(base::ErrorCode::unavailable, error.what());
  }
  return {};
}

void Link::stop() {
  if (!thread_.joinable()) return;
  shared_->orders.stop();
  shared_->arrivals.close();
  Phase connecting = Phase::connecting;
  if (shared_->phase.compare_exchange_strong(connecting, Phase::left))
    thread_.detach();
  else
    thread_.join();
}

void Link::Shared::run() {
  pthread_setname_np(pthread_self(), "mqtt");
  block_broken_pipe();
  std::minstd_rand random{std::random_device{}()};
  Protocol protocol = options.protocol == Protocol::automatic ? Protocol::v5 : options.protocol;
  base::Duration delay = kFirstRetry;
  for (;;) {
    const auto began = std::chrono::steady_clock::now();
    const auto attempt = this->attempt(protocol);
    if (!attempt) return;
    using Answer = Session::Answer;
    if (attempt->answer == Answer::accepted && std::chrono::steady_clock::now() - began >= kSteady) delay = kFirstRetry;
    const bool automatic = options.protocol == Protocol::automatic;
    if (automatic && attempt->answer == Answer::refused_protocol && protocol == Protocol::v5) {
      protocol = Protocol::v311;
      continue;
    }
    // Some brokers of 3.1.1 only end a connection that they do not understand.
    const bool other_version = automatic && attempt->answer == Answer::hung_up;
    if (other_version) protocol = protocol == Protocol::v5 ? Protocol::v311 : Protocol::v5;
    // Many hubs that lose one broker must not come back at the same moment.
    const base::Duration wait = delay + delay * static_cast<int>(random() % 25) / 100;
    delay = std::min(2 * delay, kLongestRetry);
    arrivals.put(Lost{attempt->error, wait, other_version});
    pause(wait);
  }
}

std::optional<Link::Shared::Attempt> Link::Shared::attempt(Protocol protocol) {
  if (orders.stopping()) return {};
  Session session(options, protocol, arrivals, orders, clock);
  phase = Phase::connecting;
  auto done = session.connect();
  Phase connecting = Phase::connecting;
  if (!phase.compare_exchange_strong(connecting, Phase::free)) return {};
  if (done) done = session.serve();
  if (done) return {};
  return Attempt{std::move(done.error().message), session.answer()};
}

void Link::Shared::pause(base::Duration time) {
  pollfd watched{orders.descriptor(), POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + time;
  while (!orders.stopping()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    // There is nobody for what comes meanwhile.
    if (::poll(&watched, 1, static_cast<int>(left.count())) > 0) orders.take();
  }
}

}  // namespace hearth::integrations::mqtt
