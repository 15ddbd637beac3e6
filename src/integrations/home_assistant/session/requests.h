// SPDX-License-Identifier: Apache-2.0
// The commands that this hub has under way at the hub there, for all parts of the mirror that send some: gives each its
// number, and finds whose an answer is. Bus thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

#include "base/handle.h"
#include "integrations/home_assistant/session/hub_link.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class Requests {
 public:
  using Done = std::function<void(const Answer& answer)>;
  using Hear = std::function<void(const json::value& event)>;

  // The link must outlive this.
  explicit Requests(HubLink& link) : link_(link) {}

  // `command` has `type` and its fields. `done` is called once, with the answer; not if this is destroyed before.
  void ask(json::object command, std::chrono::milliseconds limit, Done done);
  // `done`, which may be null, is called with the answer, `hear` with each event, until the handle is destroyed or the
  // connection is lost. The handle must not outlive this.
  [[nodiscard]] base::Handle subscribe(json::object command, Done done, Hear hear);

  // Takes an answer or a message of the session. False if it belongs to no command of these.
  bool receive(const Answer& answer);
  bool receive(const Message& message);
  // The connection is lost: nothing comes of subscriptions any more.
  void receive(const Lost&) { heard_.clear(); }

  std::size_t under_way() const { return asked_.size(); }

 private:
  HubLink& link_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Done> asked_;
  std::map<std::uint64_t, Hear> heard_;
};

}  // namespace hearth::integrations::home_assistant
