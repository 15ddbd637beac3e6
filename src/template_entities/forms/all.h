// SPDX-License-Identifier: Apache-2.0
// The forms of all domains: a new one is a table here and a name in all.cpp.
#pragma once

#include "template_entities/form.h"

namespace hearth::template_entities {

extern const Form kAlarmControlPanel, kBinarySensor, kButton, kCover, kEvent, kFan, kImage, kLight, kLock, kNumber,
    kSelect, kSensor, kSwitch, kUpdate, kVacuum, kWeather;

// The meaning of true and false where a state is on or off.
constexpr Word kOnOff[] = {{"true", "on"}, {"false", "off"}, {"1", "on"}, {"0", "off"}, {"yes", "on"}, {"no", "off"}};

}  // namespace hearth::template_entities
