// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/session/requests.h"

#include <utility>

namespace hearth::integrations::home_assistant {

void Requests::ask(json::object command, std::chrono::milliseconds limit, Done done) {
  const std::uint64_t number = ++last_;
  asked_.emplace(number, std::move(done));
  link_.send(number, std::move(command), limit);
}

base::Handle Requests::subscribe(json::object command, Done done, Hear hear) {
  const std::uint64_t number = ++last_;
  if (done) asked_.emplace(number, std::move(done));
  heard_.emplace(number, std::move(hear));
  link_.subscribe(number, std::move(command));
  return base::Handle([this, number] {
    asked_.erase(number);
    if (heard_.erase(number) > 0) link_.unsubscribe(number);
  });
}

bool Requests::receive(const Answer& answer) {
  auto asked = asked_.extract(answer.number);
  if (asked.empty()) return heard_.contains(answer.number);
  // It may send others.
  asked.mapped()(answer);
  return true;
}

bool Requests::receive(const Message& message) {
  const auto heard = heard_.find(message.number);
  if (heard == heard_.end()) return false;
  // A copy: it may end its own subscription.
  const Hear hear = heard->second;
  hear(message.event);
  return true;
}

}  // namespace hearth::integrations::home_assistant
