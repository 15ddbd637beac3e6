// SPDX-License-Identifier: Apache-2.0
#include "api/templates/live_template.h"

#include <fmt/format.h>

#include "api/gateway/live_batch.h"
#include "api/templates/rendering.h"
#include "base/json/json.h"
#include "base/log/log.h"

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

std::string result_json(const Value& result, const hearth::templates::Dependencies& seen) {
  std::string text = R"({"result":)";
  try {
    text += base::to_json(hearth::templates::to_json(result));
  } catch (const Failure&) {
    text += base::to_json(json::value(hearth::templates::to_text(result)));  // a value that JSON does not have
  }
  const json::object listeners{{"all", seen.all},
                               {"domains", json::array(seen.domains.begin(), seen.domains.end())},
                               {"entities", json::array(seen.entities.begin(), seen.entities.end())},
                               {"time", seen.time}};
  return text + R"(,"listeners":)" + base::to_json(listeners) + '}';
}

std::string failure_json(const Failure& failure) {
  json::object error{{"error", failure.message}, {"level", "ERROR"}, {"kind", to_string(failure.kind)}};
  error["line"] = failure.line > 0 ? json::value(failure.line) : json::value();
  return base::to_json(error);
}

// A fingerprint of the entities that the caller may read, of those that the template looks at.
std::size_t sight(const core::ReadableRegistry& registry, const hearth::templates::Dependencies& seen) {
  std::size_t sum = 0;
  const auto add = [&](std::string_view id) { sum += std::hash<std::string_view>()(id) | 1; };
  const bool all = seen.all || seen.registry;
  if (all || !seen.domains.empty()) {
    registry.for_each_entity([&](const core::RegisteredEntity& entity) {
      if (all || seen.domains.contains(entity.domain())) add(entity.entity_id);
    });
  }
  for (const std::string& id : seen.entities)
    if (registry.reads(id)) add(id);
  return sum;
}

}  // namespace

CommandError template_error(const Failure& failure) {
  return {command_error::kTemplateError,
          failure.line > 0 ? fmt::format("{} (line {})", failure.message, failure.line) : failure.message};
}

struct LiveTemplate::Rendering {
  std::string event;               // a result, or what failed
  std::optional<Failure> failure;  // none: a result
  hearth::templates::Dependencies seen;
  std::size_t sight = 0;
  Time start;
  steady_clock::duration took;

  bool endless() const { return failure && failure->endless; }
  // Not for lack of a state, which may come.
  bool hopeless() const {
    return failure && (failure->kind == FailureKind::syntax || failure->kind == FailureKind::name ||
                       failure->kind == FailureKind::limit);
  }
};

// One rendering. Any thread.
struct LiveTemplate::Task {
  std::shared_ptr<const Order> order;
  core::View home;
  std::shared_ptr<const hearth::templates::Imports> imports;
  std::shared_ptr<auth::Usage> usage;
  const auth::Gate* gate;

  Rendering run(const hearth::templates::Limits& limits) const {
    const TemplateTime charged(*usage, *gate);
    Rendering rendering;
    hearth::templates::Environment environment{.home = &home, .clock = &home.clock()};
    environment.zone = hearth::templates::Zone::of(home.config()->time_zone);
    environment.imports = imports;
    environment.limits = limits;
    environment.strict = order->strict;
    environment.dependencies = &rendering.seen;
    rendering.seen.entities.insert(order->entity_ids.begin(), order->entity_ids.end());
    // Of before the rendering, so that a change meanwhile is seen as one.
    const core::ReadableRegistry before = home.registry();
    rendering.start = steady_clock::now();
    auto result = order->compiled.evaluate(environment, order->variables);
    if (!before.all()) rendering.sight = sight(before, rendering.seen);
    if (result) {
      rendering.event = result_json(*result, rendering.seen);
    } else {
      rendering.event = failure_json(result.error());
      rendering.failure = std::move(result.error());
    }
    rendering.took = steady_clock::now() - rendering.start;
    return rendering;
  }
};

LiveTemplate::LiveTemplate(std::int64_t id, core::View home, Connection& connection, Order order,
                           SocketHub::Listener listener)
    : id_(id),
      home_(std::move(home)),
      connection_(connection),
      order_(std::make_shared<const Order>(std::move(order))),
      listener_(std::move(listener)),
      timer_(connection.worker().io()),
      alive_(std::make_shared<LiveTemplate*>(this)) {}

void LiveTemplate::begin(CommandReply reply) {
  reply_.emplace(std::move(reply));
  due_ = true;
  render_or_wait();
}

void LiveTemplate::deliver(LiveBatch& batch, http::WebSocket&) {
  // Only these change what belongs where, and with it what the caller may read.
  constexpr std::string_view kMoves[] = {core::event_type::kEntityRegistryUpdated,
                                         core::event_type::kDeviceRegistryUpdated,
                                         core::event_type::kAreaRegistryUpdated};
  if (reply_) {  // the first rendering may see the change, or not
    due_ = true;
    return;
  }
  bool moves = false;
  for (const core::EventPtr& event : batch.events()) {
    if (due_) break;
    if (event->sequence <= listener_.start() || event->by_client) continue;
    // Before it is rendered nobody knows its dependencies.
    due_ = elsewhere_ || concerned(*event);
    moves = moves || std::ranges::find(kMoves, event->type) != std::end(kMoves);
  }
  if (moves && !due_ && !home_.rights().reads_all()) due_ = sight(home_.registry(), seen_) != sight_;
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

std::chrono::seconds LiveTemplate::template_wait() const {
  const auth::Gate& gate = connection_.gate();
  return connection_.caller()->usage->template_wait(gate.use_limits, gate.clock());
}

LiveTemplate::Task LiveTemplate::task() const {
  return {order_, home_, connection_.sockets().parts().imports(), connection_.caller()->usage, &connection_.gate()};
}

// Nothing to do if it is being rendered: what is due then follows.
void LiveTemplate::render_or_wait() {
  if (elsewhere_) return;
  const auto now = steady_clock::now();
  if (now < earliest_) return wait_until(earliest_);
  if (const auto wait = template_wait(); wait.count() > 0 && !reply_) return wait_until(now + wait);
  if (slow_) return render_elsewhere();
  if (!rendering_time.is_left()) return wait_until(now + kTurn);
  due_ = false;
  const auto limits = quick(order_->limits);
  auto rendering = task().run(limits);
  rendering_time.take(rendering.took);
  if (rendering.endless() && limits.milliseconds < order_->limits.milliseconds) return render_elsewhere();
  take(std::move(rendering));
}

void LiveTemplate::render_elsewhere() {
  due_ = false;
  elsewhere_ = true;
  const bool posted =
      post_rendering(connection_.sockets().parts(), RenderingQueue::live,
                     [task = task(), io = connection_.worker().weak_io(), alive = std::weak_ptr(alive_)] {
                       auto done = std::make_shared<std::expected<Rendering, std::string>>();
                       try {
                         *done = task.run(task.order->limits);
                       } catch (const std::exception& failure) {
                         *done = std::unexpected(failure.what());
                       }
                       const auto worker = io.lock();
                       if (!worker) return;
                       boost::asio::post(*worker, [done, alive] {
                         const auto self = alive.lock();
                         if (!self) return;
                         (*self)->guarded([&] {
                           if (!*done) throw std::runtime_error(done->error());
                           (*self)->take(std::move(**done));
                         });
                       });
                     });
  if (posted) return;
  due_ = true;
  elsewhere_ = false;
  wait_until(steady_clock::now() + kTurn);
}

void LiveTemplate::take(Rendering rendering) {
  elsewhere_ = false;
  slow_ = rendering.took > kQuick;
  seen_ = std::move(rendering.seen);
  sight_ = rendering.sight;
  earliest_ = seen_.all || !seen_.domains.empty() ? rendering.start + kBetweenMany : rendering.start;
  if (reply_) {
    CommandReply reply = std::move(*reply_);
    reply_.reset();
    if (rendering.hopeless()) {
      reply.send(std::unexpected(template_error(*rendering.failure)));
      connection_.unsubscribe(id_);  // ends this
      return;
    }
    reply.send("null");
  }
  if (rendering.event != sent_ && (!rendering.failure || order_->report_errors)) {
    sent_ = std::move(rendering.event);
    connection_.send_event(id_, sent_);
  }
  if (due_)
    render_or_wait();
  else
    wait_for_minute();
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
    live.guarded([&] { live.render_or_wait(); });
  });
}

template <class Work>
void LiveTemplate::guarded(Work&& work) {
  Connection& connection = connection_;
  try {
    work();
  } catch (const std::exception& failure) {
    base::log_error("websocket", "a connection is cut, because its template cannot be rendered: {}", failure.what());
    connection.cut();
  }
}

}  // namespace hearth::api
