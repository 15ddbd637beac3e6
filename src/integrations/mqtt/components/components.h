// SPDX-License-Identifier: Apache-2.0
// All components. A new one is a source in tables/ and a name in both lists here. Any thread.
#pragma once

#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/thing_entity.h"

namespace hearth::integrations::mqtt {

extern const Component kAlarmControlPanel, kBinarySensor, kButton, kCamera, kClimate, kCover, kDate, kDateTime,
    kDeviceTracker, kEvent, kFan, kHumidifier, kImage, kLawnMower, kLight, kLock, kNotify, kNumber, kScene, kSelect,
    kSensor, kSiren, kSwitch, kText, kTime, kUpdate, kVacuum, kValve, kWaterHeater;

// The schemas of lights by their key `schema`.
extern const Component kJsonLight, kTemplateLight;

constexpr const Component* kComponents[] = {
    &kAlarmControlPanel,
    &kBinarySensor,
    &kButton,
    &kCamera,
    &kClimate,
    &kCover,
    &kDate,
    &kDateTime,
    &kDeviceTracker,
    &kEvent,
    &kFan,
    &kHumidifier,
    &kImage,
    &kLawnMower,
    &kLight,
    &kLock,
    &kNotify,
    &kNumber,
    &kScene,
    &kSelect,
    &kSensor,
    &kSiren,
    &kSwitch,
    &kText,
    &kTime,
    &kUpdate,
    &kVacuum,
    &kValve,
    &kWaterHeater,
};

// Of sensors and numbers.
constexpr core::Words kSensorClasses{
    "absolute_humidity apparent_power aqi area atmospheric_pressure battery blood_glucose_concentration "
    "carbon_dioxide carbon_monoxide conductivity current data_rate data_size date distance duration energy "
    "energy_distance energy_storage enum frequency gas humidity illuminance irradiance moisture monetary "
    "nitrogen_dioxide nitrogen_monoxide nitrous_oxide ozone ph pm1 pm10 pm25 pm4 power power_factor precipitation "
    "precipitation_intensity pressure reactive_energy reactive_power signal_strength sound_pressure speed "
    "sulphur_dioxide temperature temperature_delta timestamp volatile_organic_compounds "
    "volatile_organic_compounds_parts voltage volume volume_flow_rate volume_storage water weight wind_direction "
    "wind_speed"};

}  // namespace hearth::integrations::mqtt
