// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/connection/channel.h"

#include <algorithm>
#include <utility>

#include "integrations/modbus/connection/line.h"

namespace hearth::integrations::modbus {
namespace {

Answer not_now(std::string message) {
  return std::unexpected(RequestFailure{.kind = RequestFailure::Kind::not_now, .message = std::move(message)});
}

}  // namespace

Channel::Channel(net::Reactor& reactor, const domains::IntegrationBus& bus, const base::Clock& clock,
                 const HubOptions& hub, Events& events)
    : clock_(clock),
      events_(events),
      // An answer has at most 2,000 values; as many wait as requests are pending.
      arrivals_(
          bus.poster(), [this](net::BusQueue<Arrival>::Batch batch) { deliver(std::move(batch)); }, 16),
      line_(reactor, [&reactor, options = LineOptions(hub), sender = arrivals_.sender()]() mutable {
        return std::make_unique<Line>(reactor, std::move(options), std::move(sender));
      }) {}

Channel::~Channel() = default;

void Channel::read(Request request, Done done) {
  const auto resting = resting_.find(request.unit);
  if (resting != resting_.end()) {
    const auto now = clock_.steady_now();
    if (now < resting->second.until) {
      done(std::unexpected(
          RequestFailure{.kind = RequestFailure::Kind::no_answer, .message = "The device does not answer."}));
      return;
    }
    // This one tries; the next readings wait for it.
    resting->second.length = std::min(resting->second.length * 2, kLongestRest);
    resting->second.until = now + resting->second.length;
  }
  submit(std::move(request), std::move(done), false);
}

void Channel::command(Request request, Done done) {
  submit(std::move(request), std::move(done), true);
}

void Channel::submit(Request request, Done done, bool first) {
  if (pending_.size() >= kMaxPending) return done(not_now("Too many requests wait."));
  const std::uint64_t id = ++last_id_;
  pending_[id] = {request.unit, std::move(done)};
  ++requests_;
  const bool taken =
      line_.call([id, request = std::move(request), first](Line& line) { line.submit({id, request}, first); });
  if (taken) return;
  const auto refused = pending_.extract(id);
  refused.mapped().done(not_now("The thread of outgoing links takes no more tasks."));
}

void Channel::stop() {
  line_.call([](Line& line) { line.stop(); });
}

void Channel::resume() {
  resting_.clear();
  line_.call([](Line& line) { line.resume(); });
}

void Channel::deliver(net::BusQueue<Arrival>::Batch batch) {
  for (Arrival& arrival : batch.items) {
    switch (arrival.kind) {
      case Arrival::Kind::connected:
        events_.on_connected();
        break;
      case Arrival::Kind::answer:
        answered(arrival);
        break;
      case Arrival::Kind::lost:
        events_.on_lost(arrival.why);
        break;
    }
  }
}

void Channel::answered(Arrival& arrival) {
  const auto found = pending_.extract(arrival.id);
  if (found.empty()) return;
  const Pending& pending = found.mapped();
  if (!arrival.answer) ++failures_;
  const bool silent = !arrival.answer && arrival.answer.error().kind == RequestFailure::Kind::no_answer;
  if (silent)
    resting_.try_emplace(pending.unit, Rest{clock_.steady_now() + kFirstRest, kFirstRest});
  else if (arrival.answer || arrival.answer.error().kind == RequestFailure::Kind::exception)
    resting_.erase(pending.unit);
  pending.done(arrival.answer);
}

}  // namespace hearth::integrations::modbus
