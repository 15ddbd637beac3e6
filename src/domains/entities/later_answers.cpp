// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/later_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <span>

#include "base/text/utf8.h"
#include "domains/entities/entity.h"

namespace hearth::domains {
namespace {

base::Result<void> refusal(std::string_view words) {
  return base::fail(base::ErrorCode::internal, base::utf8_excerpt(base::utf8_repaired(words), LaterAnswers::kMaxWords));
}

}  // namespace

class CommandAnswer::Owed {
 public:
  Owed(std::weak_ptr<LaterAnswers::Calls> calls, std::uint64_t call, std::uint64_t number)
      : calls_(std::move(calls)), call_(call), number_(number) {}
  Owed(const Owed&) = delete;
  Owed& operator=(const Owed&) = delete;
  ~Owed() { give(refusal("The connection ended before it had answered.")); }

  void give(base::Result<void> result) {
    if (given_.exchange(true)) return;
    const auto calls = calls_.lock();
    if (!calls) return;
    // Also on the bus thread: the device's code is in the middle of something.
    static_cast<void>(calls->bus.post(core::IfFull::pass, core::EventBus::kSmallTask,
                                      [weak = calls_, call = call_, number = number_, result = std::move(result)] {
                                        if (const auto all = weak.lock()) all->answered(call, number, result);
                                      }));
  }

 private:
  const std::weak_ptr<LaterAnswers::Calls> calls_;
  const std::uint64_t call_, number_;
  std::atomic<bool> given_ = false;
};

void CommandAnswer::done() const {
  if (owed_) owed_->give({});
}

void CommandAnswer::refuse(std::string_view words) const {
  if (owed_) owed_->give(refusal(words));
}

LaterAnswers::~LaterAnswers() {
  // Replies and timers are of the bus, which another thread's answer may outlive.
  const auto left = std::exchange(calls_->calls, {});
}

LaterAnswers::Commands::~Commands() {
  if (call_ != 0 && reply_) all_.calls_->calls.erase(call_);
}

void LaterAnswers::Commands::end(base::Result<void> given) {
  const core::ServiceReply reply = std::exchange(reply_, nullptr);
  const auto call = call_ == 0 ? all_.calls_->calls.end() : all_.calls_->calls.find(call_);
  if (call == all_.calls_->calls.end() || !given) {
    if (call != all_.calls_->calls.end()) all_.calls_->calls.erase(call);
    if (!given) return reply(std::unexpected(std::move(given.error())));
    return reply(json::value());
  }
  call->second.reply = reply;
  call->second.limit = all_.calls_->bus.schedule(kLimit, [weak = std::weak_ptr(all_.calls_), number = call_] {
    if (const auto all = weak.lock()) all->late(number);
  });
  all_.calls_->reply_if_complete(call);
}

CommandAnswer LaterAnswers::expect(const Entity& entity) {
  Commands* const commands = giving_.commands;
  if (!commands || giving_.entity != &entity) return {};
  if (commands->call_ == 0) commands->call_ = ++calls_->last;
  const std::uint64_t number = ++calls_->last;
  calls_->calls[commands->call_].open.emplace(number, entity.entity_id());
  return CommandAnswer(std::make_shared<CommandAnswer::Owed>(calls_, commands->call_, number));
}

void LaterAnswers::Calls::answered(std::uint64_t call, std::uint64_t answer, base::Result<void> result) {
  const auto found = calls.find(call);
  if (found == calls.end()) return;
  const auto open = found->second.open.extract(answer);
  if (open.empty()) return;
  if (!result) found->second.refusals.push_back(fmt::format("{}: {}", open.mapped(), result.error().message));
  reply_if_complete(found);
}

void LaterAnswers::Calls::late(std::uint64_t call) {
  const auto found = calls.find(call);
  if (found == calls.end()) return;
  for (const auto& [number, entity_id] : std::exchange(found->second.open, {})) {
    found->second.refusals.push_back(fmt::format("{}: No answer within {} s.", entity_id,
                                                 std::chrono::duration_cast<std::chrono::seconds>(kLimit).count()));
  }
  reply_if_complete(found);
}

void LaterAnswers::Calls::reply_if_complete(std::map<std::uint64_t, Call>::iterator call) {
  if (!call->second.reply || !call->second.open.empty()) return;
  const Call ended = std::move(calls.extract(call).mapped());
  if (ended.refusals.empty()) return ended.reply(json::value());
  const std::size_t named = std::min(ended.refusals.size(), kMaxNamed);
  std::string text = fmt::format("{}", fmt::join(std::span(ended.refusals).first(named), " "));
  if (named < ended.refusals.size()) text += fmt::format(" And {} more.", ended.refusals.size() - named);
  ended.reply(base::fail(base::ErrorCode::internal, std::move(text)));
}

}  // namespace hearth::domains
