// SPDX-License-Identifier: Apache-2.0
#include "core/services/pending_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hearth::core {
namespace {

// Passes a reply on once, and replies for a handler that did not.
class ReplyOnce {
 public:
  explicit ReplyOnce(ServiceReply reply) : reply_(std::move(reply)) {}
  ReplyOnce(const ReplyOnce&) = delete;
  ReplyOnce& operator=(const ReplyOnce&) = delete;
  ~ReplyOnce() {
    if (reply_) send(base::fail(base::ErrorCode::internal, "The service ended without an answer."));
  }
  void send(base::Result<json::value> response) {
    if (auto reply = std::exchange(reply_, nullptr)) reply(std::move(response));
  }

 private:
  ServiceReply reply_;
};

}  // namespace

PendingCalls::PendingCalls(EventBus& bus) : bus_(bus) {
  // The end of a call is a task after its changes, so that they are delivered with it.
  changes_ = bus_.listen(EventFilter{{std::string(event_type::kStateChanged)}}, *this, Pace::relaxed);
}

PendingCalls::~PendingCalls() {
  changes_ = Subscription();
  // Handlers may keep their replies longer than this lives.
  for (const CallPtr& call : calls_) call->done = nullptr;
}

PendingCalls::Begun PendingCalls::begin(ServiceRequest request, ResolvedTarget target, Done done,
                                        base::Duration longest) {
  // A nested call's changes also belong to the call that it descends from.
  for (const CallPtr& other : calls_) other->follows(request.context);
  auto call = std::make_shared<Call>();
  call->contexts.insert(request.context.id);
  call->made = std::make_shared<const ServiceCall>(std::move(request), std::move(target));
  call->done = std::move(done);
  call->longest = bus_.schedule(longest, [this, call] { finish_after_events(call); });
  calls_.push_back(call);
  const auto reply = std::make_shared<ReplyOnce>([this, call](base::Result<json::value> response) {
    if (call->done) answered(call, std::move(response));
  });
  return {call->made, [reply](base::Result<json::value> response) { reply->send(std::move(response)); }};
}

void PendingCalls::answered(const CallPtr& call, base::Result<json::value> response) {
  if (!response) {
    const auto done = std::exchange(call->done, nullptr);
    call->longest = Timer();
    calls_.remove(call);
    base::Error& error = response.error();
    // The caller caused these, also in a nested call, and another home the last.
    using enum base::ErrorCode;
    constexpr base::ErrorCode kKept[] = {invalid, forbidden, throttled, pin_needed, pin_wrong, unreachable};
    if (!error.said && std::ranges::find(kKept, error.code) == std::end(kKept)) error.code = internal;
    return done(std::unexpected(std::move(error)));
  }
  call->answered = true;
  if (call->made->request().return_response) call->response = std::move(*response);
  if (!call->expected.empty()) {
    call->wait = bus_.schedule(call->made->request().wait, [this, call] { finish_after_events(call); });
  }
  finish_when_reported(call);
}

void PendingCalls::expect_report(const Context& context, std::string_view entity_id) {
  for (const CallPtr& call : calls_) {
    if (call->follows(context)) call->expected.emplace(entity_id);
  }
}

void PendingCalls::reported(const Context& context, std::string_view entity_id) {
  const auto under_way = calls_;
  for (const CallPtr& call : under_way) {
    if (!call->follows(context)) continue;
    const auto expected = call->expected.find(entity_id);
    if (expected == call->expected.end()) continue;
    call->expected.erase(expected);
    finish_when_reported(call);
  }
}

void PendingCalls::finish_when_reported(const CallPtr& call) {
  if (call->answered && call->expected.empty()) finish_after_events(call);
}

void PendingCalls::finish_after_events(const CallPtr& call) {
  // The events of earlier changes may still be queued.
  bus_.post([this, call] { finish(call); });
}

void PendingCalls::finish(const CallPtr& call) {
  const auto done = std::exchange(call->done, nullptr);
  if (!done) return;
  call->longest = Timer();
  call->wait = Timer();
  calls_.remove(call);
  CallOutcome outcome;
  for (const auto& id : call->order) {
    if (auto state = call->changed.at(id)) outcome.changed.push_back(std::move(state));
  }
  outcome.response = std::move(call->response);
  done(std::move(outcome));
}

void PendingCalls::on_event(const EventPtr& event) {
  const StateChange* change = event->state_change();
  if (!change) return;  // a client's event of that name
  for (const CallPtr& call : calls_) {
    if (!call->follows(event->context)) continue;
    const std::string id(change->entity_id());
    if (call->changed.insert_or_assign(id, change->new_state).second) call->order.push_back(id);
  }
}

bool PendingCalls::Call::follows(const Context& context) {
  if (contexts.contains(context.id)) return true;
  if (!context.parent_id || !contexts.contains(*context.parent_id)) return false;
  contexts.insert(context.id);
  return true;
}

}  // namespace hearth::core
