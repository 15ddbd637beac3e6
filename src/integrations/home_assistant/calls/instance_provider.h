// SPDX-License-Identifier: Apache-2.0
// Calls services for mirrored entities at the hub there: one call each, with the data as the caller gave it, which the
// hub there checks. Replies when its answer is there; the caller then waits for the entities' reports. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "core/device_delegate.h"
#include "core/services/provider.h"
#include "integrations/home_assistant/calls/call_sender.h"
#include "integrations/home_assistant/calls/calls_home.h"
#include "integrations/home_assistant/calls/delegation.h"

namespace hearth::integrations::home_assistant {

class InstanceProvider final : public core::Provider, public core::DeviceDelegate {
 public:
  // All must outlive it.
  InstanceProvider(const CallsHome& home, CallSender& sender, Delegation& delegation);

  bool checks_data() const override { return true; }
  base::Duration longest(const core::ServiceRequest& request) const override;
  void call(const core::ServiceRequest& request, const std::vector<std::string>& entity_ids,
            core::ServiceReply reply) override;

  std::string hub_name() const override { return home_.name(); }
  bool has_device(std::string_view device_id) const override { return !home_.ids.device_there(device_id).empty(); }
  std::weak_ptr<const void> alive() const override { return delegation_.alive(); }
  base::Handle watch(json::object trigger, Fire fire) override {
    return delegation_.watch(std::move(trigger), std::move(fire));
  }
  base::Handle keep(json::object condition) override { return delegation_.keep(std::move(condition)); }
  base::Result<bool> holds(const json::object& condition) const override { return delegation_.holds(condition); }
  void run(json::object action, const core::Context& context, core::ServiceReply reply) override {
    delegation_.run(std::move(action), context, std::move(reply));
  }

 private:
  // Entities that one service there is called for.
  struct Part {
    std::string domain, service;
    std::vector<std::string> entity_ids = {};  // here
  };
  base::Result<std::vector<std::string>> callable(const core::ServiceRequest& request,
                                                  const std::vector<std::string>& entity_ids) const;
  void send(const core::ServiceRequest& request, Part part, core::ServiceReply reply);
  // True if the entity will report if the call changes it.
  bool reports(const core::ServiceRequest& request, const std::string& entity_id) const;

  const CallsHome& home_;
  CallSender& sender_;
  Delegation& delegation_;
  const core::Selection allowed_;
  const base::Handle provides_;
};

// The calls there that the section allows.
core::Selection allowed_of(const Options& options);
// {type: call_service, …}; `data` and `target` with ids there.
json::object call_command(std::string_view domain, std::string_view service, json::object data, json::object target,
                          bool return_response);

}  // namespace hearth::integrations::home_assistant
