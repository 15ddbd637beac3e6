// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/connection/feed.h"

#include <utility>

#include "integrations/dsmr/connection/feed_end.h"

namespace hearth::integrations::dsmr {

std::string FeedOptions::str() const {
  return device.empty() ? net::Target{.host = host, .port = port}.str() : device;
}

Feed::Feed(net::Reactor& reactor, const domains::IntegrationBus& bus, FeedOptions options, Events& events)
    : events_(events),
      arrivals_(bus.poster(), [this](net::BusQueue<Arrival>::Batch batch) { deliver(std::move(batch)); }),
      end_(reactor, [&reactor, options = std::move(options), sender = arrivals_.sender()]() mutable {
        return std::make_unique<FeedEnd>(reactor, options, std::move(sender));
      }) {}

Feed::~Feed() = default;

void Feed::stop() {
  stopped_ = true;
  end_.call([](FeedEnd& end) { end.stop(); });
}

void Feed::retry_now() {
  stopped_ = false;
  end_.call([](FeedEnd& end) { end.retry_now(); });
}

// A batch that says `lost` cannot be: at most a few arrive in a second.
void Feed::deliver(net::BusQueue<Arrival>::Batch batch) {
  const auto life = life_.watch();
  for (const Arrival& arrival : batch.items) {
    if (life.over() || stopped_) return;
    switch (arrival.kind) {
      case Arrival::Kind::connected:
        events_.on_connected();
        break;
      case Arrival::Kind::telegram:
        events_.on_telegram(arrival.text);
        break;
      case Arrival::Kind::wrong:
        events_.on_wrong(arrival.text);
        break;
      case Arrival::Kind::lost:
        events_.on_lost(arrival.why);
        break;
    }
  }
}

}  // namespace hearth::integrations::dsmr
