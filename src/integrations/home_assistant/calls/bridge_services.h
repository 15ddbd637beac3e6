// SPDX-License-Identifier: Apache-2.0
// The services of the integration: home_assistant.call, reload, adopt, device_action and fill_gaps, once for all
// instances. Bus thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hub.h"
#include "integrations/home_assistant/calls/instance_calls.h"

namespace hearth::integrations::home_assistant {

class BridgeServices {
 public:
  static constexpr int kMaxHours = 72;  // of fill_gaps

  // The instances, as the services use them. `instance`: its name; empty: all, or the first.
  struct Actions {
    std::function<InstanceCalls*(std::string_view instance)> find;  // null if there is none of that name
    // Connects anew. Fails with not_found if there is none of that name.
    std::function<base::Result<void>(std::string_view instance)> reload;
    // `from`: mirrored; `to`: of this hub.
    std::function<base::Result<void>(const std::string& from, const std::string& to, const core::Context& context)>
        adopt;
    std::function<void(std::string_view instance, int hours, core::ServiceReply reply)> fill_gaps;
  };

  // The hub must outlive it.
  BridgeServices(core::Hub& hub, Actions actions);

 private:
  void add(core::ServiceDescription description, core::ServiceHandler handler);
  void call(const core::ServiceCall& call, core::ServiceReply reply) const;

  core::Hub& hub_;
  const Actions actions_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::integrations::home_assistant
