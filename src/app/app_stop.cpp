// SPDX-License-Identifier: Apache-2.0
// How the app stops: it says so, waits for the runs that begin then, and stops what has started, in the time that it
// has.
#include <fmt/format.h>

#include <csignal>
#include <future>
#include <thread>

#include "app/app.h"
#include "app/stop_guard.h"
#include "base/log/log.h"

namespace hearth::app {
namespace {

// Running requests have so long when the hub stops; with the rest it stays below the five seconds of the contract.
constexpr std::chrono::milliseconds kDrainTime{3'000};
// The time limit of stopping, and what is left after it for the disk.
constexpr std::chrono::milliseconds kStopTime{4'400}, kLastSave{300};
// Runs of `shutdown` triggers have so long before that (automations.md, section 2), and are looked at so often.
constexpr std::chrono::milliseconds kLastRuns{10'000}, kBetweenLooks{50};

}  // namespace

void App::stop() {
  const auto last = [this] {
    // Saves what the recorder has; what a blocked bus has not delivered to it is lost.
    auto saved = std::make_shared<std::promise<void>>();
    recorder_->save([saved](const base::Result<void>&) { saved->set_value(); });
    saved->get_future().wait_for(kLastSave);
  };
  supervision_.stopping();
  stop_context_ = core::Context::create(clock_.now());
  if (const StopGuard guard(kStopTime, last); true) announce_stop(*stop_context_);
  if (const StopGuard guard(kLastRuns + kStopTime, last); true) await_last_runs(*stop_context_);
  const StopGuard guard(kStopTime, last);
  stops_.run();
  hub_.run_state = core::RunState::not_running;
  base::log_info("hub", "stopped");
  // A second signal while the last threads end must not kill a hub that has already stopped cleanly.
  sigset_t asked;
  sigemptyset(&asked);
  sigaddset(&asked, SIGHUP);
  for (const int number : kEndingSignals) sigaddset(&asked, number);
  pthread_sigmask(SIG_BLOCK, &asked, nullptr);
}

void App::announce_stop(const core::Context& context) {
  hub_.run_state = core::RunState::stopping;  // new requests are answered 503 from now on
  fire_lifecycle(core::event_type::kPlatformStop, core::event_type::kHomeassistantStop, context);
  finish(post_to_bus([] {}));  // streams get it before they end
}

void App::await_last_runs(const core::Context& context) {
  const auto until = std::chrono::steady_clock::now() + kLastRuns;
  for (bool told = false;; told = true) {
    std::string names;
    finish(post_to_bus([&] { names = fmt::format("{}", fmt::join(automations_.under_way(context.id), ", ")); }));
    if (names.empty()) return;
    if (!told) base::log_info("hub", "waiting for runs that began because the hub stops: {}", names);
    if (std::chrono::steady_clock::now() >= until) {
      base::log_warning("hub", "{}: has not ended within {} s of the hub's stop, and resumes after the next start",
                        names, std::chrono::duration_cast<std::chrono::seconds>(kLastRuns).count());
      return;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void App::stop_server() {
  server_.drain();
  server_.stop(kDrainTime);
}

void App::stop_bus() {
  hub_.run_state = core::RunState::final_write;
  const auto context = stop_context_.value_or(core::Context::create(clock_.now()));
  fire_lifecycle(core::event_type::kPlatformFinalWrite, core::event_type::kHomeassistantFinalWrite, context);
  finish(post_to_bus([] {}));
  hub_.bus.stop();
}

}  // namespace hearth::app
