// SPDX-License-Identifier: Apache-2.0
#include "api/stream_hub.h"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <list>

#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"
#include "http/event_stream.h"

namespace hearth::api {

struct StreamHub::Reader {
  core::EventFilter filter;
  std::shared_ptr<const auth::Identity> caller;
  http::EventStream* stream;
  core::Subscription subscription;
  std::chrono::steady_clock::time_point next_ping;
};

// One worker's readers. All but `deliver` belongs to the worker's thread.
class StreamHub::Fanout {
 public:
  Fanout(StreamHub& streams, http::Worker& worker) : streams_(streams), worker_(worker) {}

  // Any thread.
  void deliver(const core::EventPtr& event, const http::FramePtr& frame);
  bool has_readers() const { return reader_count_.load(std::memory_order_seq_cst) > 0; }
  http::Worker& worker() { return worker_; }

  // Before its subscription begins, so that no event passes by; then exactly one of add and withdraw.
  void announce() { reader_count_.fetch_add(1, std::memory_order_seq_cst); }
  void withdraw() { reader_count_.fetch_sub(1, std::memory_order_seq_cst); }
  void add(Reader reader);
  void check_callers();

 private:
  struct Item {
    core::EventPtr event;
    http::FramePtr frame;
  };

  void drain();
  // What a reader with this filter and start gets of the batch.
  std::vector<http::FrameRun> select(const core::EventFilter& filter, std::uint64_t start) const;
  void schedule_tick();
  void tick();

  StreamHub& streams_;
  http::Worker& worker_;
  std::optional<boost::asio::steady_timer> timer_;  // while there are readers: it must not outlive the worker
  std::list<Reader> readers_;
  std::atomic<std::size_t> reader_count_{0};  // announced ones included
  std::vector<Item> batch_;

  base::Mutex mutex_;
  std::vector<Item> inbox_ __attribute__((guarded_by(mutex_)));
  std::size_t inbox_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  bool posted_ __attribute__((guarded_by(mutex_))) = false;
  bool overflowed_ __attribute__((guarded_by(mutex_))) = false;
};

void StreamHub::Fanout::deliver(const core::EventPtr& event, const http::FramePtr& frame) {
  {
    base::MutexLock lock(mutex_);
    if (inbox_.size() < kMaxInbox && inbox_bytes_ < kMaxInboxBytes) {
      inbox_.push_back({event, frame});
      inbox_bytes_ += frame->chunk().size();
    } else {
      overflowed_ = true;
    }
    if (std::exchange(posted_, true)) return;
  }
  worker_.post([this] { drain(); });
}

void StreamHub::Fanout::drain() {
  bool overflowed;
  {
    base::MutexLock lock(mutex_);
    batch_.swap(inbox_);
    inbox_bytes_ = 0;
    posted_ = false;
    overflowed = std::exchange(overflowed_, false);
  }
  // Most readers want the same, so what one gets is put together once. A reader that is cut takes itself out of the
  // list.
  std::vector<http::FrameRun> runs;
  core::EventFilter runs_filter;
  std::uint64_t runs_start = UINT64_MAX;
  for (auto next = readers_.begin(); next != readers_.end();) {
    Reader& reader = *next++;
    if (overflowed) {
      reader.stream->cut();
      continue;
    }
    const std::uint64_t start = std::max(reader.subscription.start(), batch_.front().event->sequence - 1);
    if (start != runs_start || reader.filter != runs_filter) {
      runs = select(reader.filter, start);
      runs_filter = reader.filter;
      runs_start = start;
    }
    for (http::FrameRun& run : runs) {
      if (!reader.stream->send(run)) break;
    }
  }
  if (overflowed) base::log_error("stream", "worker {} fell behind: its streams are cut", worker_.index());
  batch_.clear();
  if (batch_.capacity() > 1024) batch_.shrink_to_fit();
}

std::vector<http::FrameRun> StreamHub::Fanout::select(const core::EventFilter& filter, std::uint64_t start) const {
  std::vector<http::FrameRun> runs;
  for (const Item& item : batch_) {
    if (item.event->sequence <= start || !filter.matches(item.event->type)) continue;
    if (runs.empty() || runs.back().full()) runs.emplace_back();
    runs.back().add(item.frame);
  }
  return runs;
}

void StreamHub::Fanout::add(Reader reader) {
  const auto added = readers_.insert(readers_.end(), std::move(reader));
  added->stream->on_closed([this, added] {
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
  check_callers();  // for tokens that expire
  const auto now = std::chrono::steady_clock::now();
  for (auto next = readers_.begin(); next != readers_.end();) {
    Reader& reader = *next++;
    if (now < reader.next_ping) continue;
    reader.next_ping += kPingInterval;
    if (reader.stream->queue(streams_.ping_)) reader.stream->flush();
  }
  if (timer_) schedule_tick();
}

void StreamHub::Fanout::check_callers() {
  for (auto next = readers_.begin(); next != readers_.end();) {
    Reader& reader = *next++;
    if (!streams_.authenticator_.still_valid(*reader.caller)) reader.stream->end();
  }
}

StreamHub::StreamHub(core::Hub& hub, const auth::Authenticator& authenticator)
    : hub_(hub),
      authenticator_(authenticator),
      run_id_(fmt::format("{:x}", hub.clock.now().time_since_epoch().count())),
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
  head.with_header("Cache-Control", "no-cache").with_header("X-Accel-Buffering", "no");

  fanout.announce();
  std::vector<core::EventPtr> missed;
  bool gap = false;
  core::Subscription subscription;
  if (last_event_id.empty()) {
    subscription = hub_.bus.listen(filter, *this);
  } else {
    // An id that is none of ours lies after everything there is: incomplete.
    const auto last_seen = parse_id(last_event_id);
    auto resumed = hub_.bus.resume(filter, *this, last_seen.value_or(UINT64_MAX));
    subscription = std::move(resumed.subscription);
    missed = std::move(resumed.missed);
    gap = !resumed.complete;
  }
  http::EventStream* const stream = responder.open_stream(std::move(head));
  if (!stream) return fanout.withdraw();
  fanout.add({std::move(filter), std::move(caller), stream, std::move(subscription),
              std::chrono::steady_clock::now() + kPingInterval});
  if (!stream->queue(ping_)) return;
  if (gap) {
    json::object data;
    if (base::utf8_length(last_event_id)) data["last_event_id"] = last_event_id;
    core::Event event{std::string(core::event_type::kStreamGap),
                      base::to_json(data),
                      core::Origin::local,
                      core::Context::create(hub_.clock.now()),
                      0,
                      hub_.clock.now()};
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
  for (const auto& fanout : fanouts_) {
    if (!fanout->has_readers()) continue;
    if (!frame) frame = make_frame(*event);
    fanout->deliver(event, frame);
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
