// SPDX-License-Identifier: Apache-2.0
// Tries an address and a token: which hub is there, whose token it is, and how many entities it has. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "domains/entities/integration_bus.h"
#include "integrations/home_assistant/connection/hub_connection.h"
#include "integrations/home_assistant/options/options.h"

namespace hearth::integrations::home_assistant {

class HubProbe {
 public:
  static constexpr base::Duration kPatience = std::chrono::seconds(30);

  struct Found {
    OtherHub hub;
    std::size_t entities = 0;
    bool running = false;  // otherwise it is starting, and more entities may come
  };
  struct Failed {
    enum class Why { unreachable, refused, no_hub, late };
    Why why;
    std::string message;  // for people
  };
  using Done = std::function<void(std::expected<Found, Failed>)>;

  // Begins at once; `done` is called once, later, and may destroy this. All must outlive it.
  HubProbe(net::Reactor& reactor, domains::IntegrationBus& bus, const Options& options, std::string language,
           Done done);

 private:
  void take(const News& news);
  void answer(std::expected<Found, Failed> with);

  domains::IntegrationBus& bus_;
  Done done_;
  Found found_;
  core::Timer patience_, later_;
  std::unique_ptr<HubConnection> connection_;
};

}  // namespace hearth::integrations::home_assistant
