// SPDX-License-Identifier: Apache-2.0
// Triggers, conditions and actions of mirrored devices in forms that only the hub there knows. Triggers are subscribed
// to there once it runs, and again after each loss. Conditions are asked for when an entity of their device changes,
// and each kAskAgain, so that there is an answer when an automation needs one. Bus thread only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/device_delegate.h"
#include "integrations/home_assistant/calls/call_sender.h"
#include "integrations/home_assistant/calls/calls_home.h"

namespace hearth::integrations::home_assistant {

class Delegation {
 public:
  static constexpr base::Duration kAskAgain = std::chrono::seconds(30);

  // Both must outlive it.
  Delegation(const CallsHome& home, CallSender& sender) : home_(home), sender_(sender) {}
  Delegation(const Delegation&) = delete;
  Delegation& operator=(const Delegation&) = delete;

  // The hub there runs.
  void running();
  void lost();

  // As core::DeviceDelegate.
  std::weak_ptr<const void> alive() const { return alive_; }
  base::Handle watch(json::object trigger, core::DeviceDelegate::Fire fire);
  base::Handle keep(json::object condition);
  base::Result<bool> holds(const json::object& condition) const;
  void run(json::object action, const core::Context& context, core::ServiceReply reply);

 private:
  struct Watched {
    json::object trigger;
    core::DeviceDelegate::Fire fire;
    base::Handle subscription = {};
  };
  struct Kept {
    json::object condition;
    std::size_t uses = 0;
    bool asking = false, changed = false;  // while it is asked for
    base::Result<bool> holds = base::fail(base::ErrorCode::unavailable, {});
    core::Timer again = {};
    core::EntityListeners::Listening entities = {};
  };
  void subscribe(std::uint64_t number);
  void fired(std::uint64_t number, const json::value& event);
  void ask(const std::string& key);
  void answered(const std::string& key, const Answer& answer);
  void listen(const std::string& key, Kept& kept);
  void note_refusal(const Answer& answer, std::string_view what);

  const CallsHome& home_;
  CallSender& sender_;
  bool running_ = false;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Watched> watched_;
  std::map<std::string, Kept> kept_;  // by the condition as JSON
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace hearth::integrations::home_assistant
