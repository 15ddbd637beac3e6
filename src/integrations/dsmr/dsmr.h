// SPDX-License-Identifier: Apache-2.0
// Smart meters with a P1 port (DSMR, eMUCS): their telegrams come over TCP or from a serial device. One object serves
// one meter. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "integrations/dsmr/connection/feed.h"
#include "integrations/dsmr/meter/meter.h"

namespace hearth::integrations::dsmr {

class Dsmr final : public domains::Integration, private Feed::Events {
 public:
  // A lost connection shows nothing for kGrace; after a start, the first telegram is waited for kStartGrace.
  static constexpr base::Duration kGrace = std::chrono::seconds(5), kStartGrace = std::chrono::seconds(15);
  // After the first telegram: what it lacks is gone.
  static constexpr base::Duration kMissingAfter = std::chrono::minutes(5);

  struct Options {
    FeedOptions feed;

    // Of one meter. Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    // Of the whole section: a meter, or a list of them.
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
    static Options of(const core::Connection& connection);
  };

  Dsmr(const domains::IntegrationHome& home, Options options);

  // dsmr: {host, port}, {device}, or a list of these
  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  // Devices do not announce themselves: `found` is null.
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);

  base::Result<void> start() override;
  void stop() override;
  json::object diagnosis() const override;

 private:
  void on_connected() override;
  void on_telegram(const std::string& text) override;
  void on_wrong(const std::string& why) override;
  void on_lost(const net::Failure& why) override;
  void wait(base::Duration grace);

  const domains::IntegrationHome home_;
  const Options options_;
  Meter meter_;
  std::unique_ptr<Feed> feed_;
  std::string last_;  // telegram
  std::string last_wrong_;
  std::uint64_t telegrams_ = 0, wrong_ = 0, connections_ = 0;
  bool flows_ = false;  // the present connection has had a telegram
  core::Timer grace_, missing_;
};

}  // namespace hearth::integrations::dsmr
