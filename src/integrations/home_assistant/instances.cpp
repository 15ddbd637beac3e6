// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/instances.h"

#include <fmt/format.h>

#include "base/text/utf8.h"
#include "integrations/home_assistant/bridge.h"

namespace hearth::integrations::home_assistant {
namespace {

std::unexpected<base::Error> no_such_instance(std::string_view name) {
  if (name.empty()) return base::fail(base::ErrorCode::not_found, "There is no connection to another hub.");
  return base::fail(base::ErrorCode::not_found, fmt::format("instance: there is no {}.", base::utf8_excerpt(name)));
}

}  // namespace

Instances::Instances(core::Hub& hub)
    : hub_(hub),
      services_(hub),
      own_services_(hub, {.find =
                              [this](std::string_view name) {
                                Bridge* const bridge = find(name);
                                return bridge ? bridge->calls() : nullptr;
                              },
                          .reload = [this](std::string_view name) { return reload(name); },
                          .adopt = [this](const std::string& from, const std::string& to,
                                          const core::Context& context) { return adopt(from, to, context); },
                          .fill_gaps = [this](std::string_view name, int hours,
                                              core::ServiceReply reply) { fill_gaps(name, hours, reply); }}) {}

Bridge* Instances::find(std::string_view name) const {
  for (Bridge* const bridge : all_)
    if (name.empty() || bridge->name() == name) return bridge;
  return nullptr;
}

base::Result<void> Instances::reload(std::string_view name) {
  if (!find(name)) return no_such_instance(name);
  for (Bridge* const bridge : all_)
    if (name.empty() || bridge->name() == name) bridge->reconnect();
  return {};
}

base::Result<void> Instances::adopt(const std::string& from, const std::string& to, const core::Context& context) {
  const auto registry = hub_.registry.snapshot();
  const auto* const entity = registry->entities.find(from);
  for (Bridge* const bridge : all_)
    if (entity && bridge->mirror() && bridge->mirror()->provider() == entity->provider)
      return bridge->mirror()->adopt(from, to, context);
  return base::fail(base::ErrorCode::not_found,
                    fmt::format("from: {} is not mirrored from another hub.", base::utf8_excerpt(from)));
}

void Instances::fill_gaps(std::string_view name, int, const core::ServiceReply& reply) {
  if (!find(name)) return reply(no_such_instance(name));
  reply(base::fail(
      base::ErrorCode::unsupported,
      "History is recorded in the order in which changes come: what happened during a loss cannot be added."));
}

}  // namespace hearth::integrations::home_assistant
