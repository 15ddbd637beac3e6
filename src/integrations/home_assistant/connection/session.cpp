// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {

std::string error_code(const Incoming& answer) {
  return base::short_text_at(object_of(answer.error), "code");
}

Session::Session(SessionOptions options, SessionWire& wire)
    : options_(std::move(options)),
      wire_(wire),
      reader_(*this, options_,
              {.tell = [this](News news) { tell(std::move(news)); },
               .fail = [this](std::string why) { end(Lost::Why::protocol, std::move(why)); },
               .time = [this] { return wire_.time(); },
               .missing = [this] { return std::vector(missing_.begin(), missing_.end()); }}) {}

void Session::opened() {
  stage_ = Stage::greeting;
  last_id_ = ping_id_ = 0;
  pending_.clear();
  followed_.clear();
  subscriptions_.clear();
  missing_.clear();
  answers_at_.reset();
  silence_at_.reset();
  greeting_at_ = now() + kGreeting;
  arrange();
}

void Session::receive(std::string_view text) {
  if (stage_ != Stage::greeting && stage_ != Stage::open) return;
  heard_ = now();
  const auto going_on = [this] { return stage_ == Stage::greeting || stage_ == Stage::open; };
  const bool read = read_messages(text, [&](const Incoming& message) {
    take(message);
    return going_on();
  });
  if (!read && going_on()) end(Lost::Why::protocol, "sends what is no message of Home Assistant");
  if (going_on() && reader_.states().floods())
    end(Lost::Why::flood, fmt::format("sends more than {} changes a second", StateFeed::kFlood));
  arrange();
}

void Session::take(const Incoming& message) {
  if (stage_ == Stage::greeting) return greet(message);
  switch (message.kind) {
    case Incoming::Kind::result:
      return take_result(message);
    case Incoming::Kind::event:
      if (const auto found = followed_.find(message.id); found != followed_.end()) {
        const OnEvent take = found->second;  // it may end its subscription
        take(message.event);
      }
      return;
    case Incoming::Kind::pong:
      if (message.id != ping_id_ || ping_id_ == 0) return;
      ping_id_ = 0;
      return tell(Latency{std::chrono::duration_cast<std::chrono::milliseconds>(now() - pinged_)});
    default:
      ++unknown_;
  }
}

void Session::greet(const Incoming& message) {
  switch (message.kind) {
    case Incoming::Kind::auth_required:
      return wire_.send(auth_text(options_.token.reveal()));
    case Incoming::Kind::auth_invalid:
      return end(Lost::Why::refused,
                 fmt::format("refuses the token: {}", base::utf8_excerpt(unquoted(message.message))));
    case Incoming::Kind::auth_ok:
      stage_ = Stage::open;
      greeting_at_.reset();
      reader_.begin();
      return ping();
    default:
      ++unknown_;
  }
}

void Session::take_result(const Incoming& message) {
  const auto found = pending_.find(message.id);
  if (found == pending_.end()) return;
  const Pending pending = std::move(found->second);
  pending_.erase(found);
  if (!pending.done) return answer(pending.number, message);
  if (!message.success && pending.type != "supported_features" && error_code(message) == "unknown_command")
    missing_.insert(pending.type);
  pending.done(message);
}

void Session::answer(std::uint64_t number, const Incoming& message) {
  if (const auto found = subscriptions_.find(number); !message.success && found != subscriptions_.end()) {
    followed_.erase(found->second);
    subscriptions_.erase(found);
  }
  Answer answer{.number = number, .outcome = message.success ? Answer::Outcome::done : Answer::Outcome::refused};
  if (message.success) {
    auto result = value_of(message.result);
    if (result)
      answer.result = *std::move(result);
    else
      answer = {.number = number,
                .outcome = Answer::Outcome::refused,
                .error = {{"code", "unreadable"}, {"message", "The answer cannot be read."}}};
  } else {
    answer.error = object_of(message.error);
  }
  tell(std::move(answer));
}

void Session::tell(News news) {
  if (!std::holds_alternative<Changes>(news)) reader_.states().flush();
  wire_.tell(std::move(news));
}

void Session::end(Lost::Why why, std::string message) {
  if (stage_ == Stage::ending || stage_ == Stage::closed) return;
  stage_ = Stage::ending;
  wire_.end(why, std::move(message));
}

void Session::lost(Lost lost) {
  stage_ = Stage::closed;
  reader_.states().flush();
  reader_.end();
  followed_.clear();
  subscriptions_.clear();
  greeting_at_.reset();
  answers_at_.reset();
  silence_at_.reset();
  for (const auto& [id, pending] : std::exchange(pending_, {})) {
    if (!pending.done) tell(Answer{.number = pending.number, .outcome = Answer::Outcome::unknown});
  }
  tell(std::move(lost));
  arrange();
}

std::uint64_t Session::transmit(json::object command, Pending pending) {
  const std::uint64_t id = ++last_id_;
  if (stage_ != Stage::open) return id;
  answers_at_ = answers_at_ ? std::min(*answers_at_, pending.deadline) : pending.deadline;
  pending_.emplace(id, std::move(pending));
  wire_.send(command_text(id, std::move(command)));
  return id;
}

std::uint64_t Session::ask(json::object command, Done done, IfLate if_late) {
  std::string type = base::short_text_at(command, "type");
  return transmit(std::move(command),
                  {.deadline = now() + kAnswer, .type = std::move(type), .done = std::move(done), .if_late = if_late});
}

std::uint64_t Session::follow(json::object command, OnEvent event, Done done) {
  const std::uint64_t id = last_id_ + 1;
  followed_[id] = std::move(event);
  return ask(
      std::move(command),
      [this, id, done = std::move(done)](const Incoming& answer) {
        if (!answer.success) followed_.erase(id);
        done(answer);
      },
      IfLate::end_connection);
}

void Session::unfollow(std::uint64_t id) {
  if (followed_.erase(id) > 0)
    ask({{"type", "unsubscribe_events"}, {"subscription", id}}, [](const Incoming&) {}, IfLate::fail);
}

void Session::send(std::uint64_t number, json::object command, base::Duration limit) {
  if (stage_ != Stage::open || pending_.size() >= kMaxPending)
    return tell(Answer{.number = number, .outcome = Answer::Outcome::unreachable});
  transmit(std::move(command), {.deadline = now() + limit, .number = number});
  arrange();
}

void Session::subscribe(std::uint64_t number, json::object command) {
  if (stage_ == Stage::open && pending_.size() < kMaxPending) {
    const std::uint64_t id = last_id_ + 1;
    subscriptions_[number] = id;
    followed_[id] = [this, number](std::string_view event) {
      reader_.states().count(1);
      if (auto value = value_of(event)) tell(Message{.number = number, .event = *std::move(value)});
    };
  }
  send(number, std::move(command), kAnswer);
}

void Session::unsubscribe(std::uint64_t number) {
  const auto found = subscriptions_.find(number);
  if (found == subscriptions_.end()) return;
  const std::uint64_t id = found->second;
  subscriptions_.erase(found);
  unfollow(id);
  arrange();
}

void Session::ask_again() {
  if (stage_ != Stage::open) return;
  reader_.states().again();
  arrange();
}

void Session::tell_again(const std::string& entity_id) {
  if (stage_ != Stage::open) return;
  reader_.states().tell_again(entity_id);
  arrange();
}

void Session::check_answers() {
  answers_at_.reset();
  const auto present = now();
  std::vector<std::uint64_t> late;
  for (const auto& [id, pending] : pending_) {
    if (pending.deadline <= present)
      late.push_back(id);
    else
      answers_at_ = answers_at_ ? std::min(*answers_at_, pending.deadline) : pending.deadline;
  }
  std::ranges::sort(late);
  for (const std::uint64_t id : late) {
    const auto found = pending_.find(id);
    if (found == pending_.end() || stage_ != Stage::open) continue;
    const Pending pending = std::move(found->second);
    pending_.erase(found);
    if (!pending.done) {
      if (const auto subscription = subscriptions_.find(pending.number); subscription != subscriptions_.end())
        unsubscribe(pending.number);
      tell(Answer{.number = pending.number, .outcome = Answer::Outcome::late});
    } else if (pending.if_late == IfLate::end_connection) {
      end(Lost::Why::protocol, fmt::format("does not answer {} within {} s", pending.type,
                                           std::chrono::duration_cast<std::chrono::seconds>(kAnswer).count()));
    } else {
      pending.done({.kind = Incoming::Kind::result, .id = id, .error = R"({"code":"timeout"})"});
    }
  }
}

void Session::ping() {
  pinged_ = now();
  silence_at_ = pinged_ + kPong;
  ping_id_ = ++last_id_;
  wire_.send(command_text(ping_id_, {{"type", "ping"}}));
}

// One timer: most messages only say that the hub is there.
void Session::check_silence() {
  const auto present = now();
  if (ping_id_ != 0 && heard_ < pinged_ && present >= pinged_ + kPong)
    return end(Lost::Why::link, "does not answer any more");
  const auto due = std::min(heard_ + kSilence, pinged_ + kLatencyEach);
  if (ping_id_ != 0 && heard_ < pinged_)
    silence_at_ = pinged_ + kPong;
  else if (present >= due)
    ping();
  else
    silence_at_ = due;
}

void Session::on_time() {
  woken_at_.reset();
  const auto present = now();
  const auto due = [&](const auto& time) { return time && present >= *time; };
  if (stage_ == Stage::greeting && due(greeting_at_)) {
    greeting_at_.reset();
    end(Lost::Why::protocol, "does not greet as Home Assistant does");
  }
  if (stage_ == Stage::open && due(answers_at_)) check_answers();
  if (stage_ == Stage::open && due(silence_at_)) check_silence();
  if (stage_ == Stage::open) reader_.on_time();
  arrange();
}

void Session::arrange() {
  std::optional<base::SteadyTime> next;
  if (stage_ == Stage::greeting) next = greeting_at_;
  if (stage_ == Stage::open) {
    next = reader_.next();
    for (const auto& time : {answers_at_, silence_at_}) {
      if (time) next = next ? std::min(*next, *time) : *time;
    }
  }
  if (next != woken_at_) wire_.wake_at(woken_at_ = next);
}

}  // namespace hearth::integrations::home_assistant
