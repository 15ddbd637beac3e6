// SPDX-License-Identifier: Apache-2.0
#include "api/history/past.h"

#include <boost/asio/post.hpp>

#include "api/gateway/live_batch.h"
#include "api/parts.h"
#include "base/log/log.h"
#include "http/worker.h"

namespace hearth::api {

// One piece of what was. However it ends, what came of it is handed over: without that, what happens would wait for
// good.
class Past::Turn {
 public:
  explicit Turn(std::shared_ptr<Past> past) : past_(std::move(past)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    try {
      past_->hand_over(std::move(event_), more_);
    } catch (const std::exception& failure) {
      base::log_error("recorder", "a stream of history stands still: {}", failure.what());
    }
  }

  Past& past() const { return *past_; }
  void take(recorder::HistoryReader& reader) {
    std::string event;
    const auto more = past_->make_(reader, event);
    if (!more) base::log_warning("recorder", "a stream of history was cut short: {}", more.error().message);
    if (more) event_ = std::move(event);
    more_ = more && *more;
    if (more_) past_->place_->rest(std::chrono::steady_clock::now());
  }

 private:
  const std::shared_ptr<Past> past_;
  std::string event_;
  bool more_ = false;
};

Past::Past(const CommandCall& call, std::size_t weight, Make make, std::string nothing)
    : connection_(&call.connection),
      history_(*call.parts.history),
      io_(call.connection.worker().weak_io()),
      id_(call.id),
      weight_(weight),
      make_(std::move(make)),
      nothing_(std::move(nothing)) {}

base::Result<void> Past::begin(const core::View& home) {
  // After this task on the bus thread, the recorder has all that was written up to now.
  return home.post(core::EventBus::kSmallTask + weight_, [self = shared_from_this()] { self->take_place(); });
}

void Past::take_place() {
  const bool asked =
      history_.ask([turn = std::make_shared<Turn>(shared_from_this())](recorder::QuestionPlaces::PlacePtr place) {
        turn->past().place_ = std::move(place);
        turn->past().ask(turn);
      });
  static_cast<void>(asked);  // a turn that never comes says so itself
}

void Past::ask() {
  if (place_->go_on()) return ask(std::make_shared<Turn>(shared_from_this()));
  base::log_warning("recorder", "a stream of history was cut short: its client has not read while others waited");
  hand_over({}, false);
}

void Past::ask(const std::shared_ptr<Turn>& turn) {
  const bool posted = history_.post([turn](recorder::HistoryReader& reader) { turn->take(reader); });
  static_cast<void>(posted);  // a turn that never comes says so itself
}

void Past::hand_over(std::string event, bool more) {
  const auto io = io_.lock();
  if (!io) return;
  boost::asio::post(*io, [self = shared_from_this(), event = std::move(event), more]() mutable {
    self->arrived(std::move(event), more);
  });
}

void Past::arrived(std::string event, bool more) {
  if (!connection_) return;
  if (event.empty() && !more) event = nothing_;
  if (!event.empty()) connection_->send_event(id_, event);
  if (more) return connection_->when_drained([self = shared_from_this()] { self->ask(); });
  done_ = true;
  place_.reset();
  early_bytes_ = 0;
  for (const auto& text : std::exchange(early_, {})) connection_->send_event(id_, text);
}

void Past::then(std::string event, http::WebSocket& socket) {
  if (done_) {
    socket.send(event_message(id_, event));
    return;
  }
  early_bytes_ += event.size();
  early_.push_back(std::move(event));
  // A client that is slow to read what was falls behind what is: as with all that waits for it.
  const http::Limits& limits = connection_->worker().options().limits;
  if (early_.size() > limits.stream_frames || early_bytes_ > limits.stream_bytes) socket.cut();
}

}  // namespace hearth::api
