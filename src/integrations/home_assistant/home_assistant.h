// SPDX-License-Identifier: Apache-2.0
// Another hub's entities in this home: those of a running Home Assistant, or of another Hearth. One object serves one
// hub. docs/bridge.md. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "integrations/home_assistant/options/options.h"

namespace hearth::integrations::home_assistant {

class Bridge;

class HomeAssistant final : public domains::Integration {
 public:
  using Options = home_assistant::Options;

  HomeAssistant(const domains::IntegrationHome& home, Options options);
  ~HomeAssistant() override;

  // home_assistant: {url, token}, or a list of these
  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  // Hubs are not looked for: `found` is null.
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);
  static std::unique_ptr<domains::ConnectionFlow> change_flow(const domains::FlowHome& home,
                                                              const domains::ConnectionChange& change);

  base::Result<void> start() override;
  void stop() override;
  void unpair() override;
  void ask(std::string_view what, const json::object& with, const core::Context& context, Answered done) override;
  json::object diagnosis() const override;

 private:
  const domains::IntegrationHome home_;
  Options options_;
  std::unique_ptr<Bridge> bridge_;  // from start
};

}  // namespace hearth::integrations::home_assistant
