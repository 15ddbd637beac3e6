// SPDX-License-Identifier: Apache-2.0
#include "core/bus/bus_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/log/log.h"

namespace hearth::core {

// Each store except the first releases: a thread that sees one of them has seen the odd number before.
void BusWatch::begin(Where where) noexcept {
  const base::SteadyTime now = clock_.coarse_steady_now();
  const std::uint64_t number = number_.load(std::memory_order_relaxed);
  const char* const before = file_.load(std::memory_order_relaxed);
  const base::SteadyTime started = started_.load(std::memory_order_relaxed);
  if (before && now - started > kTooLong) [[unlikely]] {
    try {
      note({number, {before, line_.load(std::memory_order_relaxed)}, started}, now, true);
    } catch (const std::exception&) {
      // Out of memory for the note.
    }
  }
  number_.store(number + 1, std::memory_order_relaxed);
  file_.store(where.file, std::memory_order_release);
  line_.store(where.line, std::memory_order_release);
  started_.store(now, std::memory_order_release);
  number_.store(number + 2, std::memory_order_release);
}

BusWatch::Call BusWatch::call() const {
  for (;;) {
    const std::uint64_t number = number_.load(std::memory_order_acquire);
    const Where where(file_.load(std::memory_order_acquire), line_.load(std::memory_order_acquire));
    const Call call{number, where, started_.load(std::memory_order_acquire)};
    if (number % 2 == 0 && number_.load(std::memory_order_relaxed) == number) return call;
  }
}

base::Duration BusWatch::held() const {
  const Call now_running = call();
  if (!now_running.where.file) return {};
  return std::max(clock_.steady_now() - now_running.started, base::Duration{});
}

base::Duration BusWatch::longest() {
  const auto list = slow();
  return list.empty() ? base::Duration{} : list.front().longest;
}

void BusWatch::check() {
  const Call now_running = call();
  const base::SteadyTime now = clock_.steady_now();
  if (now_running.where.file && now - now_running.started > kTooLong) note(now_running, now, false);
}

std::vector<BusWatch::Slow> BusWatch::slow() {
  check();
  const std::uint64_t running = call().number;
  std::vector<Slow> list;
  {
    base::MutexLock lock(mutex_);
    for (const Place& place : places_) {
      list.push_back(place.slow);
      list.back().holds_now = place.last_call == running;
    }
  }
  std::ranges::sort(list, std::ranges::greater(), &Slow::longest);
  return list;
}

void BusWatch::note(const Call& call, base::SteadyTime now, bool over) {
  const base::Duration held = now - call.started;
  std::string where = fmt::format("{}:{}", base::LogPlace::from_root(call.where.file), call.where.line);
  std::uint64_t times = 0;
  {
    base::MutexLock lock(mutex_);
    Place& noted = place(where);
    if (noted.last_call != call.number) ++noted.slow.times;
    noted.last_call = call.number;
    noted.slow.longest = std::max(noted.slow.longest, held);
    noted.slow.last = clock_.now();
    if (noted.logged && now - *noted.logged < kLogInterval) return;
    noted.logged = now;
    times = noted.slow.times;
  }
  const auto milliseconds = std::chrono::round<std::chrono::milliseconds>(held).count();
  if (over) {
    base::log_warning("events", "{} held the bus for {} ms; times so far: {}", where, milliseconds, times);
  } else {
    base::log_warning("events", "{} has held the bus for {} ms and has not returned", where, milliseconds);
  }
}

BusWatch::Place& BusWatch::place(std::string where) {
  for (Place& known : places_) {
    if (known.slow.where == where) return known;
  }
  if (places_.size() == kMaxPlaces) {
    places_.erase(std::ranges::min_element(places_, {}, [](const Place& place) { return place.slow.last; }));
  }
  places_.push_back({{.where = std::move(where)}});
  return places_.back();
}

}  // namespace hearth::core
