// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/stream_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <list>

#include "base/json/json.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/bus/inbox.h"
#include "http/event_stream.h"

namespace hearth::api {

struct StreamHub::Reader {
  std::shared_ptr<const auth::Identity> caller;
  http::EventStream* stream;
  core::Subscription subscription;
  std::chrono::steady_clock::time_point next_ping;
  std::size_t place = 0;  // in its group
  auth::UsePlace use{caller->usage, auth::Use::stream};
};

// One worker's readers. All but `deliver` belongs to the worker's thread.
class StreamHub::Fanout {
 public:
  Fanout(StreamHub& streams, http::Worker& worker) : streams_(streams), worker_(worker) {}

  // Any thread.
  void deliver(const core::EventPtr& event, const http::FramePtr& frame);
  void lose();  // an event that no frame could be made of
  bool has_readers() const { return reader_count_.load(std::memory_order_seq_cst) > 0; }
  http::Worker& worker() { return worker_; }

  // Before its subscription begins, so that no event passes by; then exactly one of add and withdraw.
  void announce() { reader_count_.fetch_add(1, std::memory_order_seq_cst); }
  void withdraw() { reader_count_.fetch_sub(1, std::memory_order_seq_cst); }
  void add(core::EventFilter filter, Reader reader);
  void check_callers();

 private:
  struct Item {
    core::EventPtr event;
    http::FramePtr frame;
  };

  // Readers who want the same, as most do. What a delivery asks of each lies side by side: thousands of readers are
  // more than a processor's caches hold.
  struct Group {
    struct Place {
      http::EventStream* stream;
      std::uint64_t start;
      Reader* reader;
    };
    core::EventFilter filter;
    std::vector<Place> places;
  };

  using Items = std::vector<Item>;  // in order

  void drain();
  void drain(Group& group, const Items& batch);
  // The part of the batch that a reader with this filter and start gets.
  static std::vector<http::FrameRun> select(const Items& batch, const core::EventFilter& filter, std::uint64_t start);
  // A reader that misses something has no use for later events, and nobody else is to miss anything.
  template <class Action>
  static void cut_if_thrown(http::EventStream& stream, const Action& action) {
    try {
      action();
    } catch (const std::exception& failure) {
      base::log_error("stream", "a stream is cut, because its events cannot be sent: {}", failure.what());
      stream.cut();
    }
  }
  Group& group_of(core::EventFilter filter);
  static void leave(Group& group, std::size_t place);
  void schedule_tick();
  void tick();

  StreamHub& streams_;
  http::Worker& worker_;
  std::optional<boost::asio::steady_timer> timer_;  // while there are readers: it must not outlive the worker
  std::list<Reader> readers_;
  std::list<Group> groups_;
  std::atomic<std::size_t> reader_count_{0};  // announced ones included
  core::Inbox<Item> inbox_{kMaxInbox, kMaxInboxBytes};
};

void StreamHub::Fanout::deliver(const core::EventPtr& event, const http::FramePtr& frame) {
  inbox_.put({event, frame}, frame->chunk().size(), [this] { worker_.post([this] { drain(); }); });
}

void StreamHub::Fanout::lose() {
  inbox_.lose([this] { worker_.post([this] { drain(); }); });
}

void StreamHub::Fanout::drain() {
  auto batch = inbox_.drain();
  if (batch.lost) {
    base::log_error("stream", "worker {} fell behind, or an event was lost: its streams are cut", worker_.index());
    for (auto next = readers_.begin(); next != readers_.end();) (next++)->stream->cut();
  } else if (!batch.items.empty()) {
    for (Group& group : groups_) drain(group, batch.items);
  }
  inbox_.recycle(std::move(batch));
}

// The bytes for one reader are put together once for all readers that get the same.
void StreamHub::Fanout::drain(Group& group, const Items& batch) {
  const std::uint64_t before_batch = batch.front().event->sequence - 1;
  std::vector<http::FrameRun> runs;
  std::uint64_t runs_start = UINT64_MAX;
  for (std::size_t i = 0; i < group.places.size();) {
    const Group::Place place = group.places[i];
    cut_if_thrown(*place.stream, [&] {
      const std::uint64_t start = std::max(place.start, before_batch);
      if (start != runs_start) {
        runs = select(batch, group.filter, start);
        runs_start = start;
      }
      for (const http::FrameRun& run : runs) {
        if (!place.stream->send(run)) break;
      }
    });
    // A reader that was cut has left the place to another.
    if (i < group.places.size() && group.places[i].reader == place.reader) ++i;
  }
}

StreamHub::Fanout::Group& StreamHub::Fanout::group_of(core::EventFilter filter) {
  groups_.remove_if([](const Group& group) { return group.places.empty(); });
  const auto found = std::ranges::find(groups_, filter, &Group::filter);
  return found == groups_.end() ? groups_.emplace_back(std::move(filter)) : *found;
}

void StreamHub::Fanout::leave(Group& group, std::size_t place) {
  group.places[place] = group.places.back();
  group.places[place].reader->place = place;
  group.places.pop_back();
}

std::vector<http::FrameRun> StreamHub::Fanout::select(const Items& batch, const core::EventFilter& filter,
                                                      std::uint64_t start) {
  std::vector<http::FrameRun> runs;
  for (const Item& item : batch) {
    if (item.event->sequence <= start || !filter.matches(item.event->type)) continue;
    if (runs.empty() || runs.back().full()) runs.emplace_back();
    runs.back().add(item.frame);
  }
  return runs;
}

void StreamHub::Fanout::add(core::EventFilter filter, Reader reader) {
  const auto added = readers_.insert(readers_.end(), std::move(reader));
  Group& group = group_of(std::move(filter));
  added->place = group.places.size();
  group.places.push_back({added->stream, added->subscription.start(), &*added});
  added->stream->on_closed([this, &group, added] {
    leave(group, added->place);
    readers_.erase(added);
    if (readers_.empty()) timer_.reset();
    withdraw();
  });
  if (!timer_) schedule_tick();
}

void StreamHub::Fanout::schedule_tick() {
  if (!timer_) timer_.emplace(worker_.io());
  timer_->expires_after(std::chrono::milliseconds(500));
  timer_->async_wait([this](const boost::system::error_code& error) {
    if (!error && timer_) tick();
  });
}

void StreamHub::Fanout::tick() {
  schedule_tick();  // first: pings and the end of expired tokens depend on nothing that comes now
  check_callers();  // for tokens that expire
  const auto now = std::chrono::steady_clock::now();
  for (auto next = readers_.begin(); next != readers_.end();) {
    Reader& reader = *next++;
    if (now < reader.next_ping) continue;
    reader.next_ping += kPingInterval;
    cut_if_thrown(*reader.stream, [&] {
      if (reader.stream->queue(streams_.ping_)) reader.stream->flush();
    });
  }
}

void StreamHub::Fanout::check_callers() {
  for (auto next = readers_.begin(); next != readers_.end();) {
    Reader& reader = *next++;
    cut_if_thrown(*reader.stream, [&] {
      if (!streams_.authenticator_.still_valid(*reader.caller)) reader.stream->end();
    });
  }
}

StreamHub::StreamHub(core::EventBus& bus, const base::Clock& clock, const auth::Authenticator& authenticator)
    : bus_(bus),
      clock_(clock),
      authenticator_(authenticator),
      run_id_(fmt::format("{:x}", clock.now().time_since_epoch().count())),
      ping_(std::make_shared<const http::Frame>("event: message\ndata: ping\n\n")) {}

StreamHub::~StreamHub() = default;

void StreamHub::attach(const std::vector<std::unique_ptr<http::Worker>>& workers) {
  for (const auto& worker : workers) fanouts_.push_back(std::make_unique<Fanout>(*this, *worker));
}

void StreamHub::open(core::EventFilter filter, std::shared_ptr<const auth::Identity> caller, std::string last_event_id,
                     http::Responder responder) {
  Fanout& fanout = *fanouts_[responder.worker().index()];
  http::Response head;
  head.content_type = "text/event-stream";
  head.cache_control = "no-cache";
  head.with_header("X-Accel-Buffering", "no");

  fanout.announce();
  std::vector<core::EventPtr> missed;
  bool gap = false;
  core::Subscription subscription;
  if (last_event_id.empty()) {
    subscription = bus_.listen(filter, *this);
  } else {
    // An id that is none of ours lies after everything there is: incomplete.
    const auto last_seen = parse_id(last_event_id);
    auto resumed = bus_.resume(filter, *this, last_seen.value_or(UINT64_MAX));
    subscription = std::move(resumed.subscription);
    missed = std::move(resumed.missed);
    gap = !resumed.complete;
  }
  http::EventStream* const stream = responder.open_stream(std::move(head));
  if (!stream) return fanout.withdraw();
  fanout.add(std::move(filter),
             {std::move(caller), stream, std::move(subscription), std::chrono::steady_clock::now() + kPingInterval});
  if (!stream->queue(ping_)) return;
  if (gap) {
    json::object data;
    if (base::utf8_length(last_event_id)) data["last_event_id"] = last_event_id;
    core::Event event{std::string(core::event_type::kStreamGap),
                      base::to_json(data),
                      core::Origin::local,
                      core::Context::create(clock_.now()),
                      0,
                      clock_.now()};
    if (!stream->queue(make_frame(event))) return;
  }
  for (const auto& event : missed) {
    if (!stream->queue(make_frame(*event))) return;
  }
  stream->flush();
}

void StreamHub::check_callers() {
  for (const auto& fanout : fanouts_) {
    if (fanout->has_readers()) fanout->worker().post([&fanout = *fanout] { fanout.check_callers(); });
  }
}

void StreamHub::on_event(const core::EventPtr& event) {
  http::FramePtr frame;
  try {
    for (const auto& fanout : fanouts_) {
      if (!fanout->has_readers()) continue;
      if (!frame) frame = make_frame(*event);
      fanout->deliver(event, frame);
    }
  } catch (...) {
    for (const auto& fanout : fanouts_) fanout->lose();
    throw;
  }
}

http::FramePtr StreamHub::make_frame(const core::Event& event) const {
  std::string text = "event: message\ndata: ";
  core::write_json(text, event);
  // An event that has no place in the order has no id: a client that comes back names the last that had one.
  if (event.sequence > 0) fmt::format_to(std::back_inserter(text), "\nid: {}-{}", run_id_, event.sequence);
  text += "\n\n";
  return std::make_shared<const http::Frame>(text);
}

std::optional<std::uint64_t> StreamHub::parse_id(std::string_view last_event_id) const {
  if (!last_event_id.starts_with(run_id_)) return {};
  last_event_id.remove_prefix(run_id_.size());
  if (!last_event_id.starts_with('-')) return {};
  last_event_id.remove_prefix(1);
  std::uint64_t sequence;
  const auto [end, error] =
      std::from_chars(last_event_id.data(), last_event_id.data() + last_event_id.size(), sequence);
  if (error != std::errc() || end != last_event_id.data() + last_event_id.size()) return {};
  return sequence;
}

}  // namespace hearth::api
