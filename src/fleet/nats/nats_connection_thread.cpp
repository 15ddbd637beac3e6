// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <random>

#include "base/log/guarded.h"
#include "base/log/log.h"
#include "fleet/nats/nats_connection_shared.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;
using Steady = std::chrono::steady_clock;

constexpr auto kFirstConnectPause = 200ms, kLongestConnectPause = 5000ms;
constexpr std::chrono::seconds kLookInterval{60};

}  // namespace

bool NatsConnection::Shared::pause(std::chrono::milliseconds time) {
  const auto until = Steady::now() + time;
  base::MutexLock lock(mutex);
  while (!cancelled && Steady::now() < until) changed.wait_until(mutex, until);
  searching = !cancelled;
  return !cancelled;
}

void NatsConnection::Shared::run() {
  pthread_setname_np(pthread_self(), "nats");
  // The library's threads inherit it: one may still end when the hub has stopped, and a second signal then must not
  // find a thread that takes it.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::minstd_rand random{std::random_device{}()};
  // The sites are spread over the servers, and do not all come at the same moment after a failure.
  std::vector<NatsAddress> addresses = options.addresses;
  std::ranges::shuffle(addresses, random);
  std::chrono::milliseconds wait{0}, longest{kFirstConnectPause};
  const auto spread = [&](std::chrono::milliseconds most) {
    return std::chrono::milliseconds(random() % static_cast<unsigned>(most.count()));
  };
  for (std::size_t turn = 0; pause(wait); ++turn) {
    const NatsAddress& address = addresses[turn % addresses.size()];
    bool connected = false;
    base::run_guarded("fleet", "the connection to NATS", [&] { connected = connect_and_serve(address); });
    if (connected) {
      longest = kFirstConnectPause;
      wait = spread(longest);
    } else if ((turn + 1) % addresses.size() != 0) {
      wait = {};
    } else {
      wait = longest / 2 + spread(longest);
      longest = std::min(longest * 2, std::chrono::milliseconds(kLongestConnectPause));
    }
  }
}

bool NatsConnection::Shared::connect_and_serve(const NatsAddress& address) {
  std::shared_ptr<NatsSession> opened;
  auto inbox_heard = open(opened, address);
  bool fresh = false;
  {
    base::MutexLock lock(mutex);
    if (cancelled) return false;
    if (inbox_heard) {
      session = opened;
      server = address.url;
      ++times;
    } else {
      fresh = failure.message != inbox_heard.error().message;
      failure = inbox_heard.error();
    }
    changed.notify_all();
  }
  if (!inbox_heard) {
    if (fresh) base::log_warning("fleet", "{}", inbox_heard.error().message);
    return false;
  }
  base::log_info("fleet", "connected to the NATS server {}", address.url);
  base::run_guarded("fleet", "the connection to NATS", [&] { serve(opened); });
  const base::Error broken{ErrorCode::unavailable,
                           fmt::format("The connection to the NATS server {} is broken.", address.url)};
  {
    base::MutexLock lock(mutex);
    session.reset();
    server.clear();
    failure = broken;
    if (!cancelled) base::log_warning("fleet", "{}", broken.message);
  }
  fail_calls(broken);
  return true;
}

Result<std::unique_ptr<NatsSubscription>> NatsConnection::Shared::open(std::shared_ptr<NatsSession>& opened,
                                                                       const NatsAddress& address) {
  // Without a network this takes long, and nobody waits for this thread.
  const auto probed = probe_nats_server(address);
  {
    base::MutexLock lock(mutex);
    searching = false;
    lost = false;
    if (cancelled) return std::unexpected(failure);
  }
  if (!probed) return std::unexpected(probed.error());
  auto made = NatsSession::connect(library, options.link, address, options.name);
  if (!made) return std::unexpected(std::move(made.error()));
  opened = std::move(*made);
  auto subscription = NatsSubscription::create(
      opened, inbox + ".*", [this](NatsMessage message) { arrive(std::move(message)); },
      [this] {
        base::MutexLock lock(mutex);
        lost = true;
        changed.notify_all();
      });
  if (!subscription) return subscription;
  if (auto flushed = opened->flush(3s); !flushed) return std::unexpected(std::move(flushed.error()));
  return subscription;
}

void NatsConnection::Shared::serve(const std::shared_ptr<NatsSession>& opened) {
  std::unique_ptr<NatsSubscription> subscription;
  Deadline look_at = Steady::now();
  std::chrono::seconds look_pause{2};
  while (true) {
    bool wanted;
    {
      base::MutexLock lock(mutex);
      if (std::exchange(looks_again, false)) {
        look_at = std::min(look_at, Steady::now() + look_pause);
        look_pause = std::min(2 * look_pause, kLookInterval);
      }
      Deadline wake = look_at;
      for (const auto& [token, call] : calls) {
        if (call.answered) wake = std::min(wake, call.deadline);
      }
      if (!cancelled && !lost && (hearer != nullptr) == (subscription != nullptr) && Steady::now() < wake) {
        changed.wait_until(mutex, wake);
      }
      if (cancelled || lost) return;
      wanted = hearer != nullptr;
    }
    const auto now = Steady::now();
    fail_calls({ErrorCode::unavailable, "There was no answer in time."}, now);
    if (!wanted) subscription.reset();
    if (wanted && !subscription) {
      auto made = NatsSubscription::create(
          opened, options.heard,
          [this, from = std::weak_ptr(opened)](NatsMessage message) { heard(from, std::move(message)); });
      if (!made) return;  // it is broken
      subscription = std::move(*made);
    }
    if (now >= look_at) {
      look_at = now + kLookInterval;
      if (look) base::run_guarded("fleet", "a look at the streams of NATS", look);
    }
  }
}

}  // namespace hearth::fleet
