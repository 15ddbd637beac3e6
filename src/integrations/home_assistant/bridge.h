// SPDX-License-Identifier: Apache-2.0
// Joins the parts of one connection to another hub, and gives each the news of the session. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/integration.h"
#include "integrations/home_assistant/calls/instance_calls.h"
#include "integrations/home_assistant/connection/hub_connection.h"
#include "integrations/home_assistant/flow/hub_probe.h"
#include "integrations/home_assistant/instances.h"
#include "integrations/home_assistant/media/media.h"
#include "integrations/home_assistant/mirror/mirror.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/requests.h"
#include "integrations/home_assistant/status/double_automations.h"
#include "integrations/home_assistant/status/hub_status.h"

namespace hearth::integrations::home_assistant {

class Bridge {
 public:
  // Begins to connect. All must outlive this. REQUIRES: the home has a reactor.
  Bridge(const domains::IntegrationHome& home, const Options& options, std::shared_ptr<Instances> instances);
  ~Bridge();

  // Nothing is shown or called any more.
  void stop();
  // The connection is given up for good; after `stop`.
  void forget() { mirror_.forget(); }
  // Connects anew, also after a refused token.
  void reconnect();

  const std::string& name() const { return options_.name; }
  // Null after the end.
  InstanceCalls* calls() { return calls_ ? &*calls_ : nullptr; }
  Mirror* mirror() { return calls_ ? &mirror_ : nullptr; }

  json::object status() const;
  // As Integration::ask.
  void ask(std::string_view what, const json::object& with, const core::Context& context,
           domains::Integration::Answered done);

 private:
  void take(News news);
  void opened(const Opened& news);
  void note_ids(const Registries& registries);
  // True if another connection mirrors the same hub; then this one has given up.
  bool is_twice();
  void ask_for_token();
  void look_at_token(const Answer& answer);
  void tell_doubles();
  // Ends all that is under way, but not the connection, in whose call this may be.
  void end_parts();
  void give_up();

  base::Result<json::object> list(const json::object& with) const;
  json::object list_differences() const;
  json::object list_automations() const;
  base::Result<json::object> take_names(const json::object& with, const core::Context& context);
  void switch_automation(const json::object& with, const core::Context& context, domains::Integration::Answered done);
  void test(domains::Integration::Answered done);

  const domains::IntegrationHome home_;
  const Options& options_;
  const std::shared_ptr<Instances> instances_;
  HubStatus status_;
  std::unique_ptr<HubConnection> connection_;  // null after the end
  Requests requests_;
  std::vector<std::string> first_ids_;  // of the registry there; at most kCompared
  Contexts contexts_;
  Addresses addresses_;
  Mirror mirror_;
  std::optional<InstanceCalls> calls_;  // null after the end, as the next
  std::optional<Media> media_;
  DoubleAutomations doubles_;
  std::unique_ptr<HubProbe> probe_;
  core::Timer token_check_, end_;
};

}  // namespace hearth::integrations::home_assistant
