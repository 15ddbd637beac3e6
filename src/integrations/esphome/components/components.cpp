// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"

#include <algorithm>

namespace hearth::integrations::esphome {
namespace {

constexpr const Component* kComponents[] = {
    &kAlarmControlPanelComponent,
    &kBinarySensorComponent,
    &kButtonComponent,
    &kCameraComponent,
    &kClimateComponent,
    &kCoverComponent,
    &kDateComponent,
    &kDateTimeComponent,
    &kEventComponent,
    &kFanComponent,
    &kLightComponent,
    &kLockComponent,
    &kMediaPlayerComponent,
    &kNumberComponent,
    &kSelectComponent,
    &kSensorComponent,
    &kSirenComponent,
    &kSwitchComponent,
    &kTextComponent,
    &kTextSensorComponent,
    &kTimeComponent,
    &kUpdateComponent,
    &kValveComponent,
    &kWaterHeaterComponent,
};

const Component* find_component(std::uint32_t Component::* member, std::uint32_t type) {
  const auto found = std::ranges::find(kComponents, type, [member](const Component* each) { return each->*member; });
  return type != 0 && found != std::end(kComponents) ? *found : nullptr;
}

}  // namespace

const Component* component_of_list(std::uint32_t type) {
  return find_component(&Component::list, type);
}

const Component* component_of_state(std::uint32_t type) {
  return find_component(&Component::state, type);
}

}  // namespace hearth::integrations::esphome
