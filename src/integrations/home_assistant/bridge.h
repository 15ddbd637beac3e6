// SPDX-License-Identifier: Apache-2.0
// Joins the parts of one connection to another hub, and gives each the news of the session. Bus thread only.
#pragma once

#include <memory>
#include <string>

#include "domains/integration.h"
#include "integrations/home_assistant/connection/hub_connection.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/link_part.h"
#include "integrations/home_assistant/status/double_automations.h"
#include "integrations/home_assistant/status/hub_status.h"

namespace hearth::integrations::home_assistant {

class Bridge {
 public:
  // Begins to connect. All must outlive this. REQUIRES: the home has a reactor.
  Bridge(const domains::IntegrationHome& home, const Options& options);
  ~Bridge();

  void stop();
  json::object diagnosis() const;

 private:
  // Whose answers are whose.
  enum Part : std::uint64_t { kOwn, kDoubles, kCalls, kMedia, kMirror };

  void take(News news);
  void opened(const OtherHub& hub);
  void registered(const Registries& registries);
  void answered(Answer answer);
  void look_at_token(const Answer& answer);
  void tell_doubles();
  void give_up();

  const domains::IntegrationHome home_;
  const Options& options_;
  std::unique_ptr<HubConnection> connection_;  // null after the end
  LinkPart own_link_, doubles_link_;
  HubStatus status_;
  DoubleAutomations doubles_;
  bool stopped_ = false;
  core::Timer token_check_;
};

}  // namespace hearth::integrations::home_assistant
