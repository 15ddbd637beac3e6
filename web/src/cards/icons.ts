// SPDX-License-Identifier: Apache-2.0
// The drawing of an entity: the icon that it or the user names, else that of its state, device class or domain.
import {
  mdiAirConditioner,
  mdiAlarmLight,
  mdiAlert,
  mdiAlertCircle,
  mdiBatteryHigh,
  mdiBatteryLow,
  mdiBellRing,
  mdiBlinds,
  mdiBlindsOpen,
  mdiBrightness5,
  mdiCashMultiple,
  mdiCheckCircle,
  mdiCheckNetwork,
  mdiClock,
  mdiCloseNetwork,
  mdiCurrentAc,
  mdiDoorClosed,
  mdiDoorOpen,
  mdiFire,
  mdiFlash,
  mdiGarage,
  mdiGarageOpen,
  mdiGasCylinder,
  mdiGate,
  mdiGateOpen,
  mdiGauge,
  mdiHelpRhombusOutline,
  mdiHome,
  mdiHomeOutline,
  mdiLightningBolt,
  mdiLock,
  mdiLockOpenVariant,
  mdiMoleculeCo2,
  mdiMotionSensor,
  mdiMotionSensorOff,
  mdiPackageUp,
  mdiPlayCircle,
  mdiPowerPlug,
  mdiPowerPlugOff,
  mdiRulerSquare,
  mdiShieldAirplane,
  mdiShieldHalfFull,
  mdiShieldHome,
  mdiShieldLock,
  mdiShieldMoon,
  mdiShieldOff,
  mdiShieldSync,
  mdiSineWave,
  mdiSmokeDetector,
  mdiSpeedometer,
  mdiSquare,
  mdiSquareOutline,
  mdiThermometer,
  mdiVibrate,
  mdiVolumeHigh,
  mdiWater,
  mdiWaterOff,
  mdiWaterPercent,
  mdiWeatherCloudy,
  mdiWeatherFog,
  mdiWeatherHail,
  mdiWeatherLightning,
  mdiWeatherLightningRainy,
  mdiWeatherNight,
  mdiWeatherPartlyCloudy,
  mdiWeatherPouring,
  mdiWeatherRainy,
  mdiWeatherSnowy,
  mdiWeatherSnowyRainy,
  mdiWeatherSunny,
  mdiWeatherWindy,
  mdiWeatherWindyVariant,
  mdiWifi,
  mdiWindowClosed,
  mdiWindowOpen,
} from "@mdi/js";

import type { Home } from "../api/home";
import type { Entity } from "../api/types";
import { domainOf, isActive, type Drawing } from "./domains";

export const classes: Record<string, Record<string, Drawing>> = {
  binary_sensor: {
    battery: [mdiBatteryHigh, mdiBatteryLow],
    carbon_monoxide: [mdiSmokeDetector, mdiAlarmLight],
    connectivity: [mdiCloseNetwork, mdiCheckNetwork],
    door: [mdiDoorClosed, mdiDoorOpen],
    garage_door: [mdiGarage, mdiGarageOpen],
    gas: [mdiGasCylinder, mdiAlert],
    heat: [mdiThermometer, mdiFire],
    light: [mdiBrightness5, mdiBrightness5],
    lock: [mdiLock, mdiLockOpenVariant],
    moisture: [mdiWaterOff, mdiWater],
    motion: [mdiMotionSensorOff, mdiMotionSensor],
    occupancy: [mdiHomeOutline, mdiHome],
    opening: [mdiSquareOutline, mdiSquare],
    plug: [mdiPowerPlugOff, mdiPowerPlug],
    power: [mdiPowerPlugOff, mdiPowerPlug],
    presence: [mdiHomeOutline, mdiHome],
    problem: [mdiCheckCircle, mdiAlertCircle],
    running: mdiPlayCircle,
    safety: [mdiCheckCircle, mdiAlertCircle],
    smoke: [mdiSmokeDetector, mdiAlarmLight],
    sound: mdiVolumeHigh,
    tamper: [mdiCheckCircle, mdiAlertCircle],
    update: mdiPackageUp,
    vibration: mdiVibrate,
    window: [mdiWindowClosed, mdiWindowOpen],
  },
  climate: { air_conditioner: mdiAirConditioner },
  cover: {
    blind: [mdiBlinds, mdiBlindsOpen],
    curtain: [mdiBlinds, mdiBlindsOpen],
    door: [mdiDoorClosed, mdiDoorOpen],
    garage: [mdiGarage, mdiGarageOpen],
    gate: [mdiGate, mdiGateOpen],
    shade: [mdiBlinds, mdiBlindsOpen],
    window: [mdiWindowClosed, mdiWindowOpen],
  },
  sensor: {
    apparent_power: mdiFlash,
    battery: mdiBatteryHigh,
    carbon_dioxide: mdiMoleculeCo2,
    current: mdiCurrentAc,
    distance: mdiRulerSquare,
    energy: mdiLightningBolt,
    frequency: mdiSineWave,
    humidity: mdiWaterPercent,
    illuminance: mdiBrightness5,
    moisture: mdiWaterPercent,
    monetary: mdiCashMultiple,
    power: mdiFlash,
    pressure: mdiGauge,
    signal_strength: mdiWifi,
    speed: mdiSpeedometer,
    temperature: mdiThermometer,
    timestamp: mdiClock,
    voltage: mdiSineWave,
    volume: mdiWater,
    water: mdiWater,
    wind_speed: mdiSpeedometer,
  },
  switch: { outlet: [mdiPowerPlugOff, mdiPowerPlug] },
};

// By what an entity is.
export const states: Record<string, Record<string, string>> = {
  alarm_control_panel: {
    armed_away: mdiShieldLock,
    armed_custom_bypass: mdiShieldHalfFull,
    armed_home: mdiShieldHome,
    armed_night: mdiShieldMoon,
    armed_vacation: mdiShieldAirplane,
    arming: mdiShieldSync,
    disarmed: mdiShieldOff,
    disarming: mdiShieldSync,
    pending: mdiShieldSync,
    triggered: mdiBellRing,
  },
  weather: {
    "clear-night": mdiWeatherNight,
    cloudy: mdiWeatherCloudy,
    fog: mdiWeatherFog,
    hail: mdiWeatherHail,
    lightning: mdiWeatherLightning,
    "lightning-rainy": mdiWeatherLightningRainy,
    partlycloudy: mdiWeatherPartlyCloudy,
    pouring: mdiWeatherPouring,
    rainy: mdiWeatherRainy,
    snowy: mdiWeatherSnowy,
    "snowy-rainy": mdiWeatherSnowyRainy,
    sunny: mdiWeatherSunny,
    windy: mdiWeatherWindy,
    "windy-variant": mdiWeatherWindyVariant,
    exceptional: mdiAlertCircle,
  },
};

function own<T>(table: Record<string, T>, key: unknown): T | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

export function stateIcon(domain: string, state: string): string | undefined {
  return own(own(states, domain) ?? {}, state);
}

// For hearth-icon: the name, where one is given, and the drawing until then.
export function iconOf(home: Home, entity: Entity): { name: string; path: string } {
  const domain = entity.entity_id.split(".")[0] as string;
  const known = domainOf(domain);
  const named = home.registry.get(entity.entity_id)?.icon ?? entity.attributes.icon;
  const drawing =
    stateIcon(domain, entity.state) ??
    own(own(classes, domain) ?? {}, entity.attributes.device_class) ??
    known?.icon ??
    mdiHelpRhombusOutline;
  return {
    name: typeof named === "string" && named.startsWith("mdi:") ? named : "",
    path: typeof drawing === "string" ? drawing : drawing[isActive(entity) ? 1 : 0],
  };
}
