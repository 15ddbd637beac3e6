// SPDX-License-Identifier: Apache-2.0
// How a site answers portals.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json/json_memory.h"
#include "base/log/log.h"
#include "fleet/site.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

constexpr base::Duration kRemembered = 5min;  // an answer

using Outcome = Result<core::CallOutcome>;

std::string failure_text(ErrorCode code, std::string message) {
  return encode_answer(Outcome(base::fail(code, std::move(message))));
}

}  // namespace

void Site::receive(std::string text, SiteLink::Reply reply) {
  auto request = decode_request(text);
  if (!request) return reply(failure_text(request.error().code, request.error().message));
  const auto came = hub_.clock.steady_now();
  if (auto* const call = std::get_if<SiteCall>(&*request)) {
    const std::size_t weight = core::EventBus::kSmallTask + text.size() + base::memory_of(call->data);
    auto posted = hub_.bus.post(core::IfFull::fail, weight, [this, call = std::move(*call), came, reply]() mutable {
      receive(std::move(call), came, reply);
    });
    if (!posted) reply(failure_text(ErrorCode::unavailable, posted.error().message));
    return;
  }
  bool room = true;
  {
    base::MutexLock lock(mutex_);
    if (const auto* const range = std::get_if<Resend>(&*request)) {
      room = resends_.size() < kMaxResends;
      if (room) resends_.push_back(*range);
    } else {
      wants_snapshot_ = true;
    }
  }
  if (!room) return reply(failure_text(ErrorCode::throttled, "This site has too much to send again."));
  thread_.wake();
  reply(encode_answer(Outcome(core::CallOutcome{})));
}

void Site::receive(SiteCall call, base::SteadyTime came, const SiteLink::Reply& reply) {
  forget_old_answers();
  const auto [known, fresh] = answers_.try_emplace(call.key);
  if (!fresh) {
    if (!known->second.answer.empty()) return reply(known->second.answer);
    known->second.waiting.push_back(reply);
    return;
  }
  const auto refuse = [&](ErrorCode code, std::string message) {
    answers_.erase(known);
    reply(failure_text(code, std::move(message)));
  };
  if (hub_.clock.steady_now() - came > call.within)
    return refuse(ErrorCode::unavailable, "It is too late for this call.");
  if (calls_ >= kMaxCalls) return refuse(ErrorCode::throttled, "This site has too many calls under way.");
  known->second.waiting.push_back(reply);
  known->second.at = came;
  answered_keys_.push_back(call.key);
  ++calls_;
  base::log_info("fleet", "{} of the portal calls {}.{} for {}", call.user.empty() ? "somebody" : call.user,
                 call.domain, call.service, fmt::join(call.entity_ids, ", "));
  core::ServiceRequest request;
  request.domain = std::move(call.domain);
  request.service = std::move(call.service);
  request.data = std::move(call.data);
  request.data["entity_id"] = json::array(call.entity_ids.begin(), call.entity_ids.end());
  request.context = call.context;
  request.rights = core::Rights(call.role, options_.calls);
  // The users of a portal are one: nobody here knows who they are.
  request.rights.present({std::move(call.pin), "portal"});
  request.return_response = call.return_response;
  request.wait = call.wait;
  hub_.services.call(std::move(request),
                     [this, key = std::move(call.key)](const Outcome& outcome) { answered(key, outcome); });
}

void Site::answered(const std::string& key, const Outcome& outcome) {
  --calls_;
  const auto found = answers_.find(key);
  if (found == answers_.end()) return;
  found->second.answer = encode_answer(outcome);
  for (const SiteLink::Reply& reply : std::exchange(found->second.waiting, {})) reply(found->second.answer);
}

void Site::forget_old_answers() {
  const auto now = hub_.clock.steady_now();
  while (!answered_keys_.empty()) {
    const auto oldest = answers_.find(answered_keys_.front());
    const bool done = oldest != answers_.end() && !oldest->second.answer.empty();
    if (done && (now - oldest->second.at > kRemembered || answered_keys_.size() > kMaxAnswers))
      answers_.erase(oldest);
    else if (oldest != answers_.end())
      return;
    answered_keys_.pop_front();
  }
}

}  // namespace hearth::fleet
