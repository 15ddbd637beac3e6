// SPDX-License-Identifier: Apache-2.0
// All kinds of entities. A new one is a source in kinds/ and a name in both lists here. Any thread.
#pragma once

#include "domains/entities/kind.h"

namespace hearth::domains {

constexpr field::Integer kPercent{0, 100};

extern const Kind kSchedule, kAlarmControlPanel, kBinarySensor, kButton, kCalendar, kCamera, kClimate, kCounter, kCover,
    kDate, kDateTime, kDeviceTracker, kEvent, kFan, kGroup, kHumidifier, kImage, kInputBoolean, kInputButton,
    kInputDateTime, kInputNumber, kInputSelect, kInputText, kLawnMower, kLight, kLock, kMediaPlayer, kNotify, kNumber,
    kPerson, kRemote, kScene, kSelect, kSensor, kSiren, kSun, kSwitch, kTag, kText, kTime, kTimer, kTodo, kUpdate,
    kVacuum, kValve, kWaterHeater, kWeather, kZone;

constexpr const Kind* kKinds[] = {
    &kAlarmControlPanel,
    &kBinarySensor,
    &kButton,
    &kCalendar,
    &kCamera,
    &kClimate,
    &kCounter,
    &kCover,
    &kDate,
    &kDateTime,
    &kDeviceTracker,
    &kEvent,
    &kFan,
    &kGroup,
    &kHumidifier,
    &kImage,
    &kInputBoolean,
    &kInputButton,
    &kInputDateTime,
    &kInputNumber,
    &kInputSelect,
    &kInputText,
    &kLawnMower,
    &kLight,
    &kLock,
    &kMediaPlayer,
    &kNotify,
    &kNumber,
    &kPerson,
    &kRemote,
    &kScene,
    &kSchedule,
    &kSelect,
    &kSensor,
    &kSiren,
    &kSun,
    &kSwitch,
    &kTag,
    &kText,
    &kTime,
    &kTimer,
    &kTodo,
    &kUpdate,
    &kVacuum,
    &kValve,
    &kWaterHeater,
    &kWeather,
    &kZone,
};

// Null if there is none.
const Kind* find_kind(std::string_view domain);

}  // namespace hearth::domains
