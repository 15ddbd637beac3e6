// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/flow/hub_probe.h"

#include <utility>

namespace hearth::integrations::home_assistant {

HubProbe::HubProbe(net::Reactor& reactor, domains::IntegrationBus& bus, const Options& options, std::string language,
                   Done done)
    : bus_(bus), done_(std::move(done)) {
  patience_ = bus_.schedule(kPatience, [this] {
    answer(std::unexpected(Failed{Failed::Why::late, "The hub there takes too long to answer."}));
  });
  connection_ = std::make_unique<HubConnection>(reactor, bus_, options, std::move(language),
                                                [this](const News& news) { take(news); });
}

void HubProbe::take(const News& news) {
  if (const auto* const opened = std::get_if<Opened>(&news)) found_.hub = opened->hub;
  if (const auto* const picture = std::get_if<Picture>(&news)) {
    found_.entities = picture->states.size();
    found_.running = picture->running;
    return answer(found_);
  }
  const auto* const lost = std::get_if<Lost>(&news);
  if (!lost) return;
  const auto why = lost->why == Lost::Why::refused    ? Failed::Why::refused
                   : lost->why == Lost::Why::protocol ? Failed::Why::no_hub
                                                      : Failed::Why::unreachable;
  answer(std::unexpected(Failed{why, lost->message}));
}

// Later, because the answer may be the end of this.
void HubProbe::answer(std::expected<Found, Failed> with) {
  if (!done_) return;
  patience_ = {};
  later_ = bus_.schedule(base::Duration(0), [this, done = std::exchange(done_, {}), with = std::move(with)] {
    connection_.reset();
    done(with);
  });
}

}  // namespace hearth::integrations::home_assistant
