// SPDX-License-Identifier: Apache-2.0
// The services of the hub itself, for administrators: stop, restart, check_config, reload_core_config, reload_all,
// reload_custom_templates, save_persistent_states, set_location. Each is registered under `platform` and
// `homeassistant`. Also mqtt.reload and modbus.reload, which exist without such a section, too.
//
// Construction, add and destruction: one thread, while the bus does not run or on it.
#pragma once

#include <functional>
#include <vector>

#include "app/settings/home_settings.h"
#include "app/settings/mqtt_settings.h"
#include "auth/accounts/accounts.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"
#include "template/language/custom_templates.h"

namespace hearth::app {

enum class Exit { stop, restart };

class HubServices {
 public:
  // Calls `done`, on any thread, after everything written so far is on the disk or has failed. Bus thread.
  using Save = std::function<void(std::function<void(base::Result<void>)> done)>;

  // Reads the configuration. The configuration's thread.
  using Load = std::function<base::Result<std::shared_ptr<const Settings>>()>;
  // Puts what needs no restart of a configuration that was read again in force. The accounts' thread.
  using Take = std::function<void(const Settings& loaded)>;

  // The same of the sections of integrations, except mqtt, that are not wrong; of a single one, if it is named.
  using TakeIntegrations = std::function<void(const Settings& loaded, std::string_view only)>;

  // All must outlive this. `request_exit` may be called on any thread.
  HubServices(core::Hub& hub, auth::Accounts& accounts, base::TaskThread& configuration, Load load,
              HomeSettings& settings, MqttSettings& mqtt, templates::CustomTemplates& custom_templates, Save save,
              Take customize, Take apply_automations, TakeIntegrations apply_integrations,
              std::function<void(Exit)> request_exit);

  void add();
  // Any thread. The service reload_all, for the hub itself; replies on the bus thread.
  void reload_all(const core::Context& context, core::ServiceReply reply);

 private:
  // Waits for the disk.
  using Task = std::function<base::Result<void>()>;
  // Puts what was read in force. The accounts' thread.
  using Use = std::function<base::Result<void>(const Settings& loaded)>;

  void add(core::ServiceDescription description, const core::ServiceHandler& handler);
  void add_exits();
  void add_reloads();
  base::Result<void> apply_all(const Settings& loaded, const core::Context& context);
  void add_location();
  // Runs the task on the accounts' thread, and replies on the bus thread.
  void answer_later(Task task, core::ServiceReply reply);
  // The same on the configuration's thread.
  void answer_from_files(Task task, core::ServiceReply reply);
  // Reads the configuration there, then uses it.
  void reload(Use use, core::ServiceReply reply);
  base::Result<void> check_file() const;
  // Any thread.
  void reply_on_bus(const core::ServiceReply& reply, const base::Result<void>& done);

  core::Hub& hub_;
  auth::Accounts& accounts_;
  base::TaskThread& configuration_;
  const Load load_;
  HomeSettings& settings_;
  MqttSettings& mqtt_;
  templates::CustomTemplates& custom_templates_;
  const Save save_;
  const Take customize_;
  const Take take_automations_;
  const TakeIntegrations take_integrations_;
  const std::function<void(Exit)> request_exit_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::app
