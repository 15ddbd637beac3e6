// SPDX-License-Identifier: Apache-2.0
// Calls on their way to the hub there, in their order. A call is sent once or not at all: nothing is kept for later.
// Bus thread only.
//
// Bounds: kMaxUnanswered calls are under way; kMaxWaiting more wait for them, each kPatience at most.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "integrations/home_assistant/calls/calls_home.h"

namespace hearth::integrations::home_assistant {

class CallSender {
 public:
  static constexpr std::size_t kMaxUnanswered = 64, kMaxWaiting = 1'000;
  static constexpr base::Duration kPatience = std::chrono::seconds(5);
  // Of the answer; the longer one if it has data.
  static constexpr std::chrono::milliseconds kLimit = std::chrono::seconds(30),
                                             kResponseLimit = std::chrono::minutes(10);
  using Entities = std::set<std::string, std::less<>>;
  // `result`: what the hub there says; `reported`: the call's entities there that have reported by then.
  using Done = std::function<void(base::Result<json::object> result, const Entities& reported)>;

  struct Call {
    json::object command;  // call_service, or another that answers with its context
    core::Context context;
    std::vector<std::string> entities_there = {};
    bool wants_data = false;
    Done done;  // called once; also when this is destroyed
  };

  explicit CallSender(const CallsHome& home) : home_(home) {}
  ~CallSender();
  CallSender(const CallSender&) = delete;
  CallSender& operator=(const CallSender&) = delete;

  void opened() { connected_ = true; }
  void lost();
  bool connected() const { return connected_; }

  void send(Call call);

 private:
  struct Waiting {
    std::uint64_t number;
    Call call;
    core::Timer patience;
  };
  void send_now(std::uint64_t number, Call call);
  void answered(std::uint64_t number, const Answer& answer);
  void give_up(std::uint64_t number);
  void fail(const Call& call, base::Error error) const;

  const CallsHome& home_;
  bool connected_ = false;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Call> unanswered_;
  std::deque<Waiting> waiting_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace hearth::integrations::home_assistant
