// SPDX-License-Identifier: Apache-2.0
// Answers for supervisors and load balancers: nothing of the home is in them, so that they need no token.
#include <fmt/format.h>

#include "api/parts.h"
#include "api/rows.h"
#include "core/bus/event_bus.h"

namespace hearth::api {
namespace {

// Longer, and the home stands still.
constexpr std::chrono::seconds kStuck{5};

// Null if the bus turns.
std::optional<http::Response> stuck(const Call& call) {
  const base::Duration held = call.parts.bus->watch().held();
  if (held < kStuck) return {};
  return http::Response::message(
      503, fmt::format("The home has stood still for {} s.", std::chrono::floor<std::chrono::seconds>(held).count()));
}

base::Result<http::Response> get_health(const Call& call) {
  if (auto answer = stuck(call)) return std::move(*answer);
  return http::Response::message(200, "The home is well.");
}

base::Result<http::Response> get_ready(const Call& call) {
  if (call.home.run_state() != core::RunState::running) return http::Response::message(503, "The home is starting.");
  if (auto answer = stuck(call)) return std::move(*answer);
  return http::Response::message(200, "The home is ready.");
}

constexpr Answer kWell[] = {{200, "The hub is well.", "Message"}, {503, "It is not, and why.", "Message"}};

}  // namespace

constexpr Endpoint kHealthCheckEndpointRows[] = {
    {http::Verb::get, "/api/health", Access::open, get_health, Durable::no, "The hub works", kWell},
    {http::Verb::get, "/api/ready", Access::open, get_ready, Durable::no, "The hub has started and works", kWell},
};
constexpr Endpoints kHealthCheckEndpoints = kHealthCheckEndpointRows;

}  // namespace hearth::api
