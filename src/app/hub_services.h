// SPDX-License-Identifier: Apache-2.0
// The services of the hub itself, for administrators: stop, restart, check_config, set_location. Each is registered
// under `platform` and `homeassistant`.
//
// Construction, add and destruction: one thread, while the bus does not run or on it.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "api/system/home_settings.h"
#include "app/integrations.h"
#include "auth/accounts.h"
#include "core/hub.h"

namespace hearth::app {

enum class Exit { stop, restart };

class HubServices {
 public:
  // All must outlive this. `request_exit` may be called on any thread.
  HubServices(core::Hub& hub, auth::Accounts& accounts, api::HomeSettings& settings, std::filesystem::path folder,
              Integrations integrations, std::function<void(Exit)> request_exit);

  void add();

 private:
  void add(core::ServiceDescription description, const core::ServiceHandler& handler);
  void add_log_services();
  base::Result<void> check_config() const;
  void set_location(const core::ServiceCall& call, core::ServiceReply reply);

  core::Hub& hub_;
  auth::Accounts& accounts_;
  api::HomeSettings& settings_;
  const std::filesystem::path folder_;
  const Integrations integrations_;
  const std::function<void(Exit)> request_exit_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::app
