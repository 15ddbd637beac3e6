// SPDX-License-Identifier: Apache-2.0
#include "api/history/stream.h"

#include <map>
#include <set>

#include "api/gateway/live_batch.h"
#include "api/gateway/piece_answer.h"
#include "api/gateway/seconds.h"
#include "api/gateway/socket_hub.h"
#include "api/history/earlier_changes.h"
#include "api/history/past.h"
#include "api/parts.h"

namespace hearth::api {
namespace {

constexpr std::size_t kStreamPiece = 256 * 1024;

std::string event_text(std::string_view states, base::Timestamp start, base::Timestamp end) {
  std::string text = R"({"states":)";
  text.append(states).append(R"(,"start_time":)");
  append_seconds(text, start);
  text += R"(,"end_time":)";
  append_seconds(text, end);
  return text += '}';
}

HistoryOptions up_to(HistoryOptions options, base::Timestamp now) {
  options.span.end = std::min(options.span.end, now);
  return options;
}

// The past is that of `query`, which is there before the first piece is made.
using QueryPtr = std::shared_ptr<std::optional<HistoryQuery>>;

std::shared_ptr<Past> past_of(const CommandCall& call, const HistoryOptions& options, const QueryPtr& query) {
  const recorder::Span span = options.span;
  const std::size_t weight = weight_of(options.entity_ids);
  auto make = [query, span](recorder::HistoryReader& reader, std::string& event) -> base::Result<bool> {
    std::string states;
    const auto more = (*query)->produce(reader, states, kStreamPiece, true);
    if (more && states != "{}") event = event_text(states, span.start, span.end);
    return more;
  };
  return std::make_shared<Past>(call, weight, std::move(make), event_text("{}", span.start, span.end));
}

class HistorySubscription final : public LiveSubscription {
 public:
  HistorySubscription(const CommandCall& call, const HistoryOptions& options, base::Timestamp now,
                      SocketHub::Listener listener)
      : entity_ids_(options.entity_ids.begin(), options.entity_ids.end()),
        significant_(options.significant),
        attributes_(options.attributes),
        after_(now),
        until_(options.span.end),
        home_(call.home),
        history_(call.parts.history),
        past_options_(up_to(options, now)),
        listener_(std::move(listener)),
        past_(past_of(call, past_options_, query_)) {}
  // Once; the worker's thread. Fails with unavailable.
  base::Result<void> begin() {
    if (!may_ask_earlier(home_, past_options_.entity_ids)) {
      query_->emplace(past_options_, HistoryQuery::Format::compressed);
      return past_->begin(home_);
    }
    with_earlier_changes(home_, history_, past_options_, [home = home_, past = past_, query = query_](auto options) {
      query->emplace(std::move(options), HistoryQuery::Format::compressed);
      if (!past->begin(home)) past->give_up();
    });
    return {};
  }
  ~HistorySubscription() override { past_->end(); }

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const auto text = live_text(batch.events());
    if (!text.empty()) past_->then(text, socket);
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
      const bool other_value = change->old_state && change->old_state->value() != state.value();
      now.changed = other_value ? updated : state.last_changed();
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

  const std::set<std::string, std::less<>> entity_ids_;
  const bool significant_, attributes_;
  const base::Timestamp after_, until_;
  const core::View home_;
  recorder::History* const history_;
  const HistoryOptions past_options_;
  const QueryPtr query_ = std::make_shared<std::optional<HistoryQuery>>();
  const SocketHub::Listener listener_;
  const std::shared_ptr<Past> past_;
};

}  // namespace

base::Result<std::unique_ptr<LiveSubscription>> stream_history(const CommandCall& call, const HistoryOptions& options) {
  auto listener =
      call.connection.sockets().listen({{std::string(core::event_type::kStateChanged)}}, call.connection.worker());
  auto subscription =
      std::make_unique<HistorySubscription>(call, options, call.home.clock().now(), std::move(listener));
  if (auto begun = subscription->begin(); !begun) return std::unexpected(begun.error());
  return subscription;
}

}  // namespace hearth::api
