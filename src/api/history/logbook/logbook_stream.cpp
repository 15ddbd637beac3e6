// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_stream.h"

#include <algorithm>

#include "api/gateway/live_batch.h"
#include "api/gateway/piece_answer.h"
#include "api/gateway/seconds.h"
#include "api/gateway/socket_hub.h"
#include "api/history/past.h"
#include "core/values/entity_filter.h"
#include "recorder/log/logged_events.h"

namespace hearth::api {
namespace {

constexpr std::size_t kLogbookPiece = 256 * 1024;
constexpr std::chrono::minutes kEffectTime{10};  // how long after its cause one is looked for

std::string event_text(std::string_view entries, const recorder::Span& span, bool partial) {
  std::string text = R"({"events":)";
  text.append(entries).append(R"(,"start_time":)");
  append_seconds(text, span.start);
  text += R"(,"end_time":)";
  append_seconds(text, span.end);
  if (partial) text += R"(,"partial":true)";
  return text += '}';
}

// Valid as long as both.
recorder::Change change_of(const core::State& state, const core::Context& context) {
  recorder::Change change;
  change.updated = state.last_updated();
  change.changed = state.last_changed();
  change.value = state.value();
  change.attributes = state.attributes_json();
  change.context_id = context.id;
  if (context.parent_id) change.parent_id = *context.parent_id;
  if (context.user_id) change.user_id = *context.user_id;
  return change;
}

class LogbookSubscription final : public LiveSubscription {
 public:
  LogbookSubscription(const CommandCall& call, LogbookOptions options, base::Timestamp now,
                      SocketHub::Listener listener)
      : after_(now),
        until_(options.span.end),
        entity_ids_(options.entity_ids),
        user_id_(call.caller->user->id),
        home_(call.home),
        listener_(std::move(listener)) {
    core::make_unique(entity_ids_);
    if (options.context_id) descent_.emplace(*options.context_id);
    options.span.end = std::min(options.span.end, now);
    const recorder::Span span = options.span;
    const std::size_t weight = weight_of(options.entity_ids);
    query_ = std::make_shared<LogbookQuery>(std::move(options), LogbookTimes::seconds);
    auto make = [query = query_, span](recorder::HistoryReader& reader, std::string& event) -> base::Result<bool> {
      std::string entries;
      const auto more = query->produce(reader, entries, kLogbookPiece, true);
      if (more && (entries != "[]" || !*more)) event = event_text(entries, span, *more);
      return more;
    };
    past_ = std::make_shared<Past>(call, weight, std::move(make), event_text("[]", span, false));
  }
  // Once; the worker's thread. Fails with unavailable.
  base::Result<void> begin() { return past_->begin(home_); }
  ~LogbookSubscription() override { past_->end(); }

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    if (query_ && past_->done()) {
      if (descent_) descent_ = query_->descent();
      query_.reset();
    }
    std::string entries;
    recorder::Span span;
    for (const core::EventPtr& event : batch.events()) {
      if (event->sequence <= listener_.start() || event->by_client) continue;
      const std::size_t before = entries.size();
      if (event->state_change())
        take_change(entries, *event);
      else
        take_event(entries, *event);
      if (entries.size() == before) continue;
      span.end = event->time_fired;
      if (before == 0) span.start = span.end;
    }
    if (!entries.empty()) past_->then(event_text(entries += ']', span, false), socket);
  }

 private:
  bool in_time(base::Timestamp when) const { return when > after_ && when <= until_; }
  bool wanted(std::string_view entity_id) const {
    return entity_ids_.empty() || std::ranges::binary_search(entity_ids_, entity_id, std::less<>());
  }
  bool descends(std::string_view context_id, std::string_view parent_id) {
    return !descent_ || descent_->holds(context_id, parent_id);
  }

  void take_change(std::string& out, const core::Event& event) {
    const core::StatePtr& state = event.state_change()->new_state;
    if (event.type != core::event_type::kStateChanged || !state || !in_time(state->last_updated())) return;
    const core::Context context = state->context();
    const recorder::Change change = change_of(*state, context);
    const bool descended = descends(change.context_id, change.parent_id);
    if (!descended || !wanted(state->entity_id()) || !in_logbook(change) || !home_.reads(state->entity_id())) return;
    const LogbookEntry entry =
        logbook_entry(state->entity_id(), change, names_.of(state->entity_id(), change.attributes));
    const LogbookCause* cause = causes_.find(change.context_id);
    if (!cause) cause = causes_.find(change.parent_id);
    write(out, entry, cause);
    changes_.forget_before(entry.when - kEffectTime);
    if (changes_.find(change.context_id)) return;  // the first of a context is what led to others
    LogbookCause first;
    first.entity_id = entry.entity_id;
    first.name = entry.name;
    first.message = entry.state;
    changes_.put(entry.when, change.context_id, std::move(first));
  }

  void take_event(std::string& out, const core::Event& event) {
    std::string data;
    core::write_data_json(data, event);
    auto cause = logbook_cause(event.type, data);
    if (!cause) return;
    if (!home_.rights().reads_all()) hide_trigger(*cause, [this](std::string_view id) { return home_.reads(id); });
    const LogbookEntry entry = logbook_entry(*cause, event.context, event.time_fired);
    const bool descended = descends(entry.context_id, entry.parent_id);
    const bool is_call = event.type == core::event_type::kCallService;
    const bool readable =
        home_.rights().reads_all() || (is_call ? event.context.user_id == user_id_ : home_.reads(cause->entity_id));
    if (!readable) return;
    if (!is_call && descended && wanted(cause->entity_id) && in_time(event.time_fired))
      write(out, entry, causes_.find(entry.parent_id));
    causes_.forget_before(event.time_fired - kEffectTime);
    causes_.put(event.time_fired, event.context.id, std::move(*cause));
  }

  void write(std::string& out, const LogbookEntry& entry, const LogbookCause* cause) const {
    out += out.empty() ? '[' : ',';
    const LogbookCause* const first = cause ? nullptr : changes_.find(entry.parent_id);
    LogbookEntry change;
    if (first) {
      change.entity_id = first->entity_id;
      change.name = first->name;
      change.state = first->message;
    }
    write_json(out, entry, LogbookTimes::seconds, cause, first ? &change : nullptr);
  }

  const base::Timestamp after_, until_;
  std::vector<std::string> entity_ids_;  // sorted; empty: all
  const std::string user_id_;
  const core::View home_;
  const SocketHub::Listener listener_;
  std::shared_ptr<LogbookQuery> query_;  // until the past is done
  std::shared_ptr<Past> past_;
  LogbookCauses causes_{kLogbookStreamBytes / 2};   // events
  LogbookCauses changes_{kLogbookStreamBytes / 2};  // the first change of each context; `message` is its state
  LogbookNames names_;
  std::optional<LogbookDescent> descent_;
};

}  // namespace

base::Result<std::unique_ptr<LiveSubscription>> stream_logbook(const CommandCall& call, LogbookOptions options) {
  core::EventFilter filter;
  filter.types.emplace(core::event_type::kStateChanged);
  for (const auto type : recorder::kLoggedEvents) filter.types.emplace(type);
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  auto subscription =
      std::make_unique<LogbookSubscription>(call, std::move(options), call.home.clock().now(), std::move(listener));
  if (auto begun = subscription->begin(); !begun) return std::unexpected(begun.error());
  return subscription;
}

std::string empty_logbook_event(const recorder::Span& span) {
  return event_text("[]", span, false);
}

}  // namespace hearth::api
