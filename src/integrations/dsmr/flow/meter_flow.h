// SPDX-License-Identifier: Apache-2.0
// Adds a meter: asks for the host and port that pass its telegrams on, and waits for the first. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "domains/connection_flow.h"
#include "integrations/dsmr/connection/feed.h"

namespace hearth::integrations::dsmr {

class MeterFlow final : public domains::ConnectionFlow, private Feed::Events {
 public:
  // Meters send one each second, or each ten seconds.
  static constexpr base::Duration kPatience = std::chrono::seconds(25);

  // REQUIRES: the home has a reactor.
  explicit MeterFlow(const domains::FlowHome& home) : home_(home) {}

  void begin(Reply reply) override { reply(form()); }
  void submit(const json::object& fields, Reply reply) override;

 private:
  domains::FlowForm form(std::map<std::string, core::ConnectionError> errors = {}) const;
  void answer(domains::FlowStep step);

  void on_connected() override {}
  void on_telegram(const std::string& text) override;
  void on_wrong(const std::string&) override { wrong_ = true; }
  void on_lost(const net::Failure& why) override;

  const domains::FlowHome home_;
  FeedOptions options_;
  Reply reply_;
  bool wrong_ = false;  // a telegram has been wrong
  std::unique_ptr<Feed> feed_;
  core::Timer patience_, later_;
};

}  // namespace hearth::integrations::dsmr
