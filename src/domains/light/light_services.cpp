// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light_request.h"

namespace hearth::domains {
namespace {

using Prepared = DomainServices::Prepared;

Prepared turn_off(Light& light, const LightRequest& request) {
  const LightOffCommand command{flash_of_lamp(request, light.entity_id(), light.capabilities()), request.transition};
  return [&light, command] { light.device().turn_off(command); };
}

Prepared turn_on(Light& light, const LightRequest& request) {
  auto command = resolve(request, light.entity_id(), light.capabilities(), light.state());
  if (!command) return std::unexpected(command.error());
  if (!*command) return turn_off(light, request);
  return [&light, command = **command] { light.device().turn_on(command); };
}

template <Prepared (*prepare)(Light&, const LightRequest&)>
Prepared with_request(Light& light, const json::object& data) {
  const auto request = parse_light_request(data);
  if (!request) return std::unexpected(request.error());
  return prepare(light, *request);
}

Prepared toggle(Light& light, const LightRequest& request) {
  const bool on = light.state() && light.state()->on;
  return on ? turn_off(light, request) : turn_on(light, request);
}

}  // namespace

base::Result<void> Light::can(std::string_view service, const json::object& data) const {
  if (service != "turn_on" && service != "toggle") return {};
  const auto request = parse_light_request(data);
  if (!request) return std::unexpected(request.error());
  if (service == "toggle" && state_ && state_->on) return {};
  const auto command = resolve(*request, entity_id(), capabilities_, state_);
  if (!command) return std::unexpected(command.error());
  return {};
}

void add_light_services(DomainServices& services) {
  services.add<Light>("turn_on", with_request<turn_on>);
  services.add<Light>("turn_off", with_request<turn_off>);
  services.add<Light>("toggle", with_request<toggle>);
}

}  // namespace hearth::domains
