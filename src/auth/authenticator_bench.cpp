// SPDX-License-Identifier: Apache-2.0
// The cost of authentication for a request.
#include <benchmark/benchmark.h>

#include "auth/authenticator.h"
#include "auth/login_throttle.h"

namespace hearth::auth {
namespace {

struct Home {
  Home() {
    std::vector<KnownToken> tokens;
    for (int i = 0; i < 100; ++i) {
      texts.push_back(make_token());
      const auto user = std::make_shared<const User>(User{"u", "ann", Role::user, true, clock.now()});
      tokens.push_back({hash_token(texts.back()), {user, make_id(), clock.now() + kDefaultTokenLife}});
    }
    // One of another hub's form, with the hashes of six texts that it may have.
    const auto user = std::make_shared<const User>(User{"u", "ann", Role::user, true, clock.now()});
    const std::string id = make_id();
    for (int i = 0; i < 6; ++i) {
      from_elsewhere = std::string(95, 'x') + std::to_string(i) + make_token() + make_token();
      tokens.push_back({hash_token(from_elsewhere), {user, id, clock.now() + kDefaultTokenLife}});
    }
    authenticator.publish({.tokens = std::move(tokens)});
  }

  const base::SystemClock clock;
  Authenticator authenticator{clock};
  LoginThrottle throttle{clock};
  std::vector<std::string> texts;
  std::string from_elsewhere;
};

Home& home() {
  static Home instance;
  return instance;
}

void authenticate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(home().authenticator.authenticate(home().texts[50]));
}
BENCHMARK(authenticate)->Threads(1)->Threads(2);

void authenticate_from_elsewhere(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(home().authenticator.authenticate(home().from_elsewhere));
}
BENCHMARK(authenticate_from_elsewhere)->Threads(1)->Threads(2);

void note_use(benchmark::State& state) {
  const auto identity = home().authenticator.authenticate(home().texts[50]);
  for (auto _ : state) home().authenticator.note_use(*identity, boost::asio::ip::make_address("192.0.2.1"));
}
BENCHMARK(note_use)->Threads(1)->Threads(2);

// As each request does: threads share no line of memory, except once in Usage::kLease requests.
void take_request(benchmark::State& state) {
  const auto identity = home().authenticator.authenticate(home().texts[50]);
  const UseLimits limits{.requests_per_second = 1'000'000'000};
  for (auto _ : state) benchmark::DoNotOptimize(Usage::take_request(identity->usage, limits, home().clock));
}
BENCHMARK(take_request)->Threads(1)->Threads(2);

void ask_throttle(benchmark::State& state) {
  const Address address = boost::asio::ip::make_address("192.0.2.1");
  for (auto _ : state) benchmark::DoNotOptimize(home().throttle.banned(address));
}
BENCHMARK(ask_throttle);

}  // namespace
}  // namespace hearth::auth
