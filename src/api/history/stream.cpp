// SPDX-License-Identifier: Apache-2.0
#include "api/history/stream.h"

#include <boost/asio/post.hpp>
#include <map>
#include <set>

#include "api/gateway/live_batch.h"
#include "api/gateway/piece_answer.h"
#include "api/gateway/seconds.h"
#include "api/gateway/socket_hub.h"
#include "api/records.h"
#include "base/log.h"

namespace hearth::api {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

std::string event_text(std::string_view states, base::Timestamp start, base::Timestamp end) {
  std::string text = R"({"states":)";
  text.append(states).append(R"(,"start_time":)");
  append_seconds(text, start);
  text += R"(,"end_time":)";
  append_seconds(text, end);
  return text += '}';
}

// What was: asks the thread of history for a piece, sends it, asks again. The worker's, but for what runs in `ask`.
class Past final : public std::enable_shared_from_this<Past> {
 public:
  Past(Connection& connection, recorder::History& history, std::int64_t id, HistoryOptions options)
      : connection_(&connection),
        history_(history),
        io_(connection.worker().weak_io()),
        id_(id),
        span_(options.span),
        weight_(weight_of(options.entity_ids)),
        query_(std::move(options), HistoryQuery::Format::compressed) {}

  // Any thread. Once, before the first: when there is a place for it.
  void begin() {
    const bool asked =
        history_.ask([turn = std::make_shared<Turn>(shared_from_this())](recorder::QuestionPlaces::PlacePtr place) {
          turn->past().place_ = std::move(place);
          turn->past().ask(turn);
        });
    static_cast<void>(asked);  // a turn that never comes says so itself
  }
  void ask() {
    if (place_->go_on()) return ask(std::make_shared<Turn>(shared_from_this()));
    base::log_warning("recorder", "a stream of history was cut short: its client has not read while others waited");
    hand_over("{}", false);
  }

  void end() { connection_ = nullptr; }
  bool done() const { return done_; }
  std::size_t weight() const { return weight_; }
  std::function<void()> on_done;

 private:
  class Turn;

  void ask(const std::shared_ptr<Turn>& turn) {
    const bool posted = history_.post([turn](recorder::HistoryReader& reader) { turn->take(reader); });
    static_cast<void>(posted);  // a turn that never comes says so itself
  }

  // One piece of what was. However it ends, what came of it is handed over: without that, what happens would wait
  // behind what was for good.
  class Turn {
   public:
    explicit Turn(std::shared_ptr<Past> past) : past_(std::move(past)) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      try {
        past_->hand_over(std::move(text_), more_);
      } catch (const std::exception& failure) {
        base::log_error("recorder", "a stream of history stands still: {}", failure.what());
      }
    }

    Past& past() const { return *past_; }
    void take(recorder::HistoryReader& reader) {
      std::string text;
      const auto more = past_->query_.produce(reader, text, kPiece, true);
      if (!more) base::log_warning("recorder", "a stream of history was cut short: {}", more.error().message);
      text_ = std::move(text);
      more_ = more && *more;
      if (more_) past_->place_->rest(std::chrono::steady_clock::now());
    }

   private:
    const std::shared_ptr<Past> past_;
    std::string text_ = "{}";
    bool more_ = false;
  };

  void hand_over(std::string text, bool more) {
    const auto io = io_.lock();
    if (!io) return;
    boost::asio::post(*io, [self = shared_from_this(), text = std::move(text), more] { self->arrived(text, more); });
  }

  void arrived(const std::string& text, bool more) {
    if (!connection_) return;
    if (text != "{}" || (!more && !sent_)) {
      connection_->send_event(id_, event_text(text.empty() ? "{}" : text, span_.start, span_.end));
      sent_ = true;
    }
    if (more) return connection_->when_drained([self = shared_from_this()] { self->ask(); });
    done_ = true;
    place_.reset();
    on_done();
  }

  Connection* connection_;  // null once the subscription has ended
  recorder::History& history_;
  recorder::QuestionPlaces::PlacePtr place_;
  const std::weak_ptr<boost::asio::io_context> io_;
  const std::int64_t id_;
  const recorder::Span span_;
  const std::size_t weight_;
  HistoryQuery query_;
  bool sent_ = false;
  bool done_ = false;
};

class HistorySubscription final : public LiveSubscription {
 public:
  HistorySubscription(const CommandCall& call, HistoryOptions options, base::Timestamp now,
                      SocketHub::Listener listener)
      : id_(call.id),
        entity_ids_(options.entity_ids.begin(), options.entity_ids.end()),
        significant_(options.significant),
        attributes_(options.attributes),
        after_(now),
        until_(options.span.end),
        home_(call.home),
        connection_(call.connection),
        listener_(std::move(listener)) {
    options.span.end = std::min(options.span.end, now);
    past_ = std::make_shared<Past>(call.connection, *call.records.history, call.id, std::move(options));
    past_->on_done = [this] {
      early_bytes_ = 0;
      for (const auto& text : std::exchange(early_, {})) connection_.send_event(id_, text);
    };
  }
  // Once; the worker's thread. Fails with unavailable.
  base::Result<void> begin() {
    // After this task on the bus thread, the recorder has all that was written up to now.
    return home_.post(core::EventBus::kSmallTask + past_->weight(), [past = past_] { past->begin(); });
  }
  ~HistorySubscription() override { past_->end(); }

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const auto text = live_text(batch.events());
    if (text.empty()) return;
    if (past_->done()) {
      socket.send(event_message(id_, text));
      return;
    }
    early_bytes_ += text.size();
    early_.push_back(text);
    // A client that is slow to read what was falls behind what is: as with all that waits for it.
    const http::Limits& limits = connection_.worker().options().limits;
    if (early_.size() > limits.stream_frames || early_bytes_ > limits.stream_bytes) socket.cut();
  }

 private:
  std::string live_text(const std::vector<core::EventPtr>& events) const {
    std::map<std::string_view, std::string> lists;
    base::Timestamp first, last;
    for (const core::EventPtr& event : events) {
      const auto* const change = event->state_change();
      if (!change || !change->new_state || event->sequence <= listener_.start()) continue;
      const core::State& state = *change->new_state;
      const auto updated = state.last_updated();
      if (event->type != core::event_type::kStateChanged || updated <= after_ || updated > until_ ||
          !entity_ids_.contains(state.entity_id()) || !home_.reads(state.entity_id()))
        continue;
      recorder::Change now;
      now.updated = updated;
      now.changed = state.last_changed();
      now.value = state.value();
      now.attributes = state.attributes_json();
      if (significant_ && !is_significant(state.entity_id(), now)) continue;
      if (lists.empty()) first = updated;
      last = updated;
      std::string& list = lists[state.entity_id()];
      list += list.empty() ? '[' : ',';
      append_compressed(list, now, true, attributes_);
    }
    if (lists.empty()) return {};
    std::string states = "{";
    for (const auto& [id, list] : lists) {
      if (states.size() > 1) states += ',';
      states.append("\"").append(id).append("\":").append(list).append("]");
    }
    return event_text(states += '}', first, last);
  }

  const std::int64_t id_;
  const std::set<std::string, std::less<>> entity_ids_;
  const bool significant_, attributes_;
  const base::Timestamp after_, until_;
  const core::View home_;
  Connection& connection_;
  const SocketHub::Listener listener_;
  std::shared_ptr<Past> past_;
  std::vector<std::string> early_;  // what is sent behind the past
  std::size_t early_bytes_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<LiveSubscription>> stream_history(const CommandCall& call, HistoryOptions options) {
  auto listener =
      call.connection.sockets().listen({{std::string(core::event_type::kStateChanged)}}, call.connection.worker());
  auto subscription =
      std::make_unique<HistorySubscription>(call, std::move(options), call.home.clock().now(), std::move(listener));
  if (auto begun = subscription->begin(); !begun) return std::unexpected(begun.error());
  return subscription;
}

}  // namespace hearth::api
