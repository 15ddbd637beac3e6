// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/call_sender.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/calls/refusal.h"

namespace hearth::integrations::home_assistant {

using base::ErrorCode;

CallSender::~CallSender() {
  connected_ = false;
  for (auto& [number, call] : std::exchange(unanswered_, {}))
    fail(call, refusal_of({.number = 0, .outcome = Answer::Outcome::unknown}, home_.name()));
  lost();
}

void CallSender::lost() {
  connected_ = false;
  for (const Waiting& each : std::exchange(waiting_, {})) fail(each.call, unreachable_error(home_.name()));
}

void CallSender::fail(const Call& call, base::Error error) const {
  call.done(std::unexpected(std::move(error)), {});
}

void CallSender::send(Call call) {
  if (!connected_) return fail(call, unreachable_error(home_.name()));
  const std::uint64_t number = ++last_;
  if (unanswered_.size() < kMaxUnanswered && waiting_.empty()) return send_now(number, std::move(call));
  if (waiting_.size() >= kMaxWaiting) {
    return fail(call,
                {ErrorCode::unreachable, fmt::format("{} calls wait for {} already.", kMaxWaiting, home_.name())});
  }
  core::Timer patience = home_.bus.schedule(kPatience, [this, number] { give_up(number); });
  waiting_.push_back({number, std::move(call), std::move(patience)});
}

void CallSender::give_up(std::uint64_t number) {
  const auto found = std::ranges::find(waiting_, number, &Waiting::number);
  if (found == waiting_.end()) return;
  const Waiting late = std::move(*found);
  waiting_.erase(found);
  fail(late.call, {ErrorCode::unreachable, fmt::format("{} has not answered {} calls yet; this one was not sent.",
                                                       home_.name(), kMaxUnanswered)});
}

void CallSender::send_now(std::uint64_t number, Call call) {
  home_.contexts.sent(number, call.context, call.entities_there);
  json::object command = std::move(call.command);
  const auto limit = call.wants_data ? kResponseLimit : kLimit;
  unanswered_.emplace(number, std::move(call));
  home_.requests.ask(std::move(command), limit, [this, number, alive = std::weak_ptr(alive_)](const Answer& answer) {
    if (!alive.expired()) answered(number, answer);
  });
}

void CallSender::answered(std::uint64_t number, const Answer& answer) {
  auto ended = unanswered_.extract(number);
  if (ended.empty()) return;
  const Call call = std::move(ended.mapped());
  const json::object* const result = answer.outcome == Answer::Outcome::done ? answer.result.if_object() : nullptr;
  std::string context_id;
  if (result) {
    if (const json::object* const context = base::value_at(*result, "context").if_object())
      context_id = base::short_text_at(*context, "id");
  }
  const Entities reported = home_.contexts.answered(number, context_id);
  if (answer.outcome == Answer::Outcome::done)
    call.done(result ? *result : json::object(), reported);
  else
    fail(call, refusal_of(answer, home_.name()));
  while (connected_ && !waiting_.empty() && unanswered_.size() < kMaxUnanswered) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    send_now(next.number, std::move(next.call));
  }
}

}  // namespace hearth::integrations::home_assistant
