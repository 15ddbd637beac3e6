// SPDX-License-Identifier: Apache-2.0
// Connects another hub: asks for its address and a token, tries both, says what is there, and asks how to show it.
// Changes a connection likewise. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "domains/connection_flow.h"
#include "integrations/home_assistant/flow/hub_probe.h"
#include "integrations/home_assistant/options/options.h"

namespace hearth::integrations::home_assistant {

class HubFlow final : public domains::ConnectionFlow {
 public:
  // REQUIRES: the home has a reactor.
  explicit HubFlow(const domains::FlowHome& home);
  HubFlow(const domains::FlowHome& home, const domains::ConnectionChange& change);

  void begin(Reply reply) override { reply(address_form()); }
  void submit(const json::object& fields, Reply reply) override;

 private:
  using Errors = std::map<std::string, core::ConnectionError>;

  domains::FlowForm address_form(Errors errors = {}) const;
  domains::FlowForm choice_form(Errors errors = {}) const;
  void submit_address(const json::object& fields, Reply reply);
  void submit_choices(const json::object& fields, const Reply& reply);
  void tried(const std::expected<HubProbe::Found, HubProbe::Failed>& found);
  // A name that no connection has.
  std::string free_name() const;
  bool is_taken(std::string_view name) const;

  const domains::FlowHome home_;
  const core::ConnectionPtr changed_;  // null: a new one
  Options options_;
  json::object choices_;  // as the connection keeps them
  std::optional<HubProbe::Found> found_;
  Reply reply_;
  std::unique_ptr<HubProbe> probe_;
};

}  // namespace hearth::integrations::home_assistant
