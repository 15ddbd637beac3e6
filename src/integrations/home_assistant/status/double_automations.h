// SPDX-License-Identifier: Apache-2.0
// Automations that both hubs have, by their ids: after an import those there act, and those here wait. Switches one
// from one hub to the other. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "domains/integration.h"
#include "integrations/home_assistant/session/news.h"
#include "integrations/home_assistant/session/requests.h"

namespace hearth::integrations::home_assistant {

class DoubleAutomations {
 public:
  struct One {
    std::string id, name;  // the name here
    std::string entity_here, entity_there;
    bool on_here = false, on_there = false;
  };
  using Reply = std::function<void(base::Result<void>)>;

  // `changed`: called later, when one is on in both, or no longer. All must outlive this.
  DoubleAutomations(const domains::IntegrationHome& home, Requests& requests, std::function<void()> changed);

  void take(const Picture& picture);
  void take(const Changes& changes);

  // Looks which of them this hub has by now: also those that came here later.
  void look();

  // By name.
  std::vector<One> list() const;

  // Off at the one hub first; if that fails, nothing changes at the other. Fails with not_found if not both have it.
  void switch_over(const std::string& id, bool to_here, const core::Context& context, Reply reply);

 private:
  struct There {
    std::string id;
    bool on;
  };

  void put(const std::string& entity_id, const OtherState& state);
  void set_there(const std::string& entity_id, bool on, Reply then);
  void set_here(const std::string& entity_id, bool on, const core::Context& context, const Reply& then);

  const domains::IntegrationHome home_;
  Requests& requests_;
  const std::function<void()> changed_;
  std::map<std::string, There, std::less<>> there_;  // by entity id there
  std::vector<std::string> heard_;                   // entities here
  core::EntityListeners::Listening listening_;
};

}  // namespace hearth::integrations::home_assistant
