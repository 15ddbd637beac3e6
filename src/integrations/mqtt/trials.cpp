// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/trials.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "integrations/mqtt/connection/client.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::size_t kTrialIdLength = 12;
constexpr std::size_t kAtOnce = 8;

std::unexpected<base::Error> no_connection(std::string why) {
  return base::fail(base::ErrorCode::unavailable, std::move(why));
}

}  // namespace

void Trials::start(Options options, Done done) {
  if (reconnector_) return done(no_connection("Another test of a connection is running."));
  std::erase_if(hanging_, [](const auto& life) { return life.expired(); });
  if (hanging_.size() >= kMaxHanging)
    return done(no_connection("Earlier tests still wait for an answer; try it later."));
  options = completed(std::move(options), *hub_.config.load_once());
  // One of its own: a broker ends the other connection of the same client.
  const base::Id id = core::Context::create(hub_.clock.now()).id;
  const std::string_view text = id;
  options.client_id = fmt::format("hearth-try-{}", text.substr(text.size() - std::min(text.size(), kTrialIdLength)));
  options.birth.reset();
  options.will.reset();
  done_ = std::move(done);
  reconnector_ = std::make_unique<Reconnector>(std::move(options), hub_.clock,
                                               [this] { bus_.post_past_bound([this] { drain(); }); });
  if (auto started = reconnector_->start(); !started) return finish(std::unexpected(started.error()));
  limit_ = bus_.schedule(kLimit, [this] {
    finish(no_connection(fmt::format("there is no answer within {} s",
                                     std::chrono::duration_cast<std::chrono::seconds>(kLimit).count())));
  });
}

void Trials::drain() {
  while (reconnector_) {
    const auto arrived = reconnector_->inbound().drain(kAtOnce);
    if (arrived.empty()) return;
    for (const Arrival& arrival : arrived) {
      if (const auto* const made = std::get_if<Connected>(&arrival)) return finish(made->protocol);
      const auto* const loss = std::get_if<Lost>(&arrival);
      if (loss && !loss->other_version) return finish(no_connection(base::utf8_repaired(loss->error)));
    }
  }
}

void Trials::finish(base::Result<std::string> protocol) {
  const Done done = std::exchange(done_, nullptr);
  stop();
  done(std::move(protocol));
}

void Trials::stop() {
  limit_ = {};
  done_ = nullptr;
  if (!reconnector_) return;
  reconnector_->stop();
  const auto life = reconnector_->life();
  reconnector_.reset();
  if (!life.expired()) hanging_.push_back(life);
}

}  // namespace hearth::integrations::mqtt
