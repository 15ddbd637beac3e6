// SPDX-License-Identifier: Apache-2.0
#include "api/templates/live_template.h"

#include <fmt/format.h>

#include "api/gateway/live_batch.h"
#include "api/records.h"
#include "base/json.h"
#include "base/log.h"

namespace hearth::api {
namespace {

using hearth::templates::Failure, hearth::templates::FailureKind, hearth::templates::Value;
using std::chrono::steady_clock;

// The time that renderings of this thread may still take: it grows by a fifth of what passes.
class RenderingTime {
 public:
  bool is_left() {
    const auto now = steady_clock::now();
    left_ = std::min<steady_clock::duration>(left_ + (now - looked_) / 5, kMost);
    looked_ = now;
    return left_.count() > 0;
  }
  void take(steady_clock::duration time) { left_ -= time; }

 private:
  static constexpr std::chrono::milliseconds kMost{20};  // in a row, before the worker's others have their turn
  steady_clock::time_point looked_ = steady_clock::now();
  steady_clock::duration left_ = kMost;
};
thread_local RenderingTime rendering_time;

constexpr std::chrono::milliseconds kTurn{20};         // until one that waits looks again
constexpr std::chrono::seconds kBetweenMany{1};        // between renderings that look at many states
constexpr std::chrono::milliseconds kAfterMinute{20};  // so that the clock has surely passed it

}  // namespace

LiveTemplate::LiveTemplate(std::int64_t id, core::View home, Connection& connection, Order order,
                           SocketHub::Listener listener)
    : id_(id),
      home_(std::move(home)),
      connection_(connection),
      order_(std::move(order)),
      listener_(std::move(listener)),
      timer_(connection.worker().io()),
      alive_(std::make_shared<LiveTemplate*>(this)) {}

std::expected<void, Failure> LiveTemplate::begin() {
  if (!rendering_time.is_left()) {
    due_ = true;
    wait_until(steady_clock::now() + kTurn);
    return {};
  }
  first_ = rendered();
  if (first_) return {};
  const FailureKind kind = first_.error().kind;
  if (kind == FailureKind::syntax || kind == FailureKind::name || kind == FailureKind::limit)
    return std::unexpected(first_.error());
  return {};
}

void LiveTemplate::send_first() {
  if (due_) return;
  send(first_);
  first_ = Value();
  wait_for_minute();
}

std::expected<Value, Failure> LiveTemplate::rendered() {
  hearth::templates::Environment environment{.home = &home_, .clock = &home_.clock()};
  environment.zone = hearth::templates::Zone::of(home_.config()->time_zone);
  environment.imports = connection_.sockets().records().imports();
  environment.limits = order_.limits;
  environment.strict = order_.strict;
  hearth::templates::Dependencies seen;
  seen.entities.insert(order_.entity_ids.begin(), order_.entity_ids.end());
  environment.dependencies = &seen;
  const core::ReadableRegistry before = home_.registry();
  const auto start = steady_clock::now();
  auto result = order_.compiled.evaluate(environment, order_.variables);
  rendering_time.take(steady_clock::now() - start);
  seen_ = std::move(seen);
  // Of before the rendering, so that a change meanwhile is seen as one.
  if (!before.all()) sight_ = sight(before);
  earliest_ = seen_.all || !seen_.domains.empty() ? start + kBetweenMany : start;
  return result;
}

void LiveTemplate::deliver(LiveBatch& batch, http::WebSocket&) {
  // Only these change what belongs where, and with it what the caller may read.
  constexpr std::string_view kMoves[] = {core::event_type::kEntityRegistryUpdated,
                                         core::event_type::kDeviceRegistryUpdated,
                                         core::event_type::kAreaRegistryUpdated};
  bool moves = false;
  for (const core::EventPtr& event : batch.events()) {
    if (due_) break;
    if (event->sequence <= listener_.start() || event->by_client) continue;
    due_ = concerned(*event);
    moves = moves || std::ranges::find(kMoves, event->type) != std::end(kMoves);
  }
  if (moves && !due_ && !home_.rights().reads_all()) due_ = sight(home_.registry()) != sight_;
  if (due_) render_or_wait();
}

bool LiveTemplate::concerned(const core::Event& event) const {
  if (!home_.receives(event)) return false;
  if (const core::StateChange* const change = event.state_change()) {
    const std::string_view id = change->entity_id();
    return seen_.all || seen_.entities.contains(id) || seen_.domains.contains(id.substr(0, id.find('.')));
  }
  if (event.type == core::event_type::kCoreConfigUpdated) return true;
  return event.registry_change && seen_.registry;
}

std::size_t LiveTemplate::sight(const core::ReadableRegistry& registry) const {
  std::size_t sum = 0;
  const auto add = [&](std::string_view id) { sum += std::hash<std::string_view>()(id) | 1; };
  const bool all = seen_.all || seen_.registry;
  if (all || !seen_.domains.empty()) {
    registry.for_each_entity([&](const core::RegisteredEntity& entity) {
      if (all || seen_.domains.contains(entity.domain())) add(entity.entity_id);
    });
  }
  for (const std::string& id : seen_.entities)
    if (registry.reads(id)) add(id);
  return sum;
}

void LiveTemplate::render_or_wait() {
  const auto now = steady_clock::now();
  if (now < earliest_) return wait_until(earliest_);
  if (!rendering_time.is_left()) return wait_until(now + kTurn);
  render();
}

void LiveTemplate::render() {
  due_ = false;
  send(rendered());
  wait_for_minute();
}

void LiveTemplate::send(const std::expected<Value, Failure>& result) {
  std::string text;
  if (result) {
    text = R"({"result":)";
    try {
      text += base::to_json(hearth::templates::to_json(*result));
    } catch (const Failure&) {
      text += base::to_json(json::value(hearth::templates::to_text(*result)));  // a value that JSON does not have
    }
    text += R"(,"listeners":)" + listeners_json() + '}';
  } else {
    if (!order_.report_errors) return;
    const Failure& failure = result.error();
    json::object error{{"error", failure.message}, {"level", "ERROR"}, {"kind", to_string(failure.kind)}};
    error["line"] = failure.line > 0 ? json::value(failure.line) : json::value();
    text = base::to_json(error);
  }
  if (text == sent_) return;
  sent_ = std::move(text);
  connection_.send_event(id_, sent_);
}

std::string LiveTemplate::listeners_json() const {
  json::object listeners{{"all", seen_.all},
                         {"domains", json::array(seen_.domains.begin(), seen_.domains.end())},
                         {"entities", json::array(seen_.entities.begin(), seen_.entities.end())},
                         {"time", seen_.time}};
  return base::to_json(listeners);
}

void LiveTemplate::wait_for_minute() {
  if (!seen_.time) return;
  const auto now = home_.clock().now().time_since_epoch();
  const auto rest = std::chrono::minutes(1) - now % std::chrono::minutes(1);
  wait_until(steady_clock::now() + rest + kAfterMinute);
}

void LiveTemplate::wait_until(Time time) {
  if (waits_until_ <= time) return;
  waits_until_ = time;
  timer_.expires_at(time);
  timer_.async_wait([alive = std::weak_ptr(alive_)](const boost::system::error_code& cancelled) {
    const auto self = alive.lock();
    if (cancelled || !self) return;
    LiveTemplate& live = **self;
    live.waits_until_ = Time::max();
    live.due_ = true;
    try {
      live.render_or_wait();
    } catch (const std::exception& failure) {
      base::log_error("websocket", "a connection is cut, as its template cannot be rendered: {}", failure.what());
      live.connection_.cut();
    }
  });
}

}  // namespace hearth::api
