// SPDX-License-Identifier: Apache-2.0
// All components that the hub knows. A new one is a source here and a name in both lists of components.cpp. Any thread.
#pragma once

#include "integrations/esphome/entities/component.h"

namespace hearth::integrations::esphome {

extern const Component kAlarmControlPanelComponent, kBinarySensorComponent, kButtonComponent, kCameraComponent,
    kClimateComponent, kCoverComponent, kDateComponent, kDateTimeComponent, kEventComponent, kFanComponent,
    kLightComponent, kLockComponent, kMediaPlayerComponent, kNumberComponent, kSelectComponent, kSensorComponent,
    kSirenComponent, kSwitchComponent, kTextComponent, kTextSensorComponent, kTimeComponent, kUpdateComponent,
    kValveComponent, kWaterHeaterComponent;

}  // namespace hearth::integrations::esphome
