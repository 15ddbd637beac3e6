# SPDX-License-Identifier: Apache-2.0
"""All that is made in the old homes: helpers, what comes by MQTT, and how configuration flows are answered."""

HELPERS = {
    "input_boolean": [{"name": "Holiday", "icon": "mdi:beach"}],
    "input_button": [{"name": "Press me"}],
    "input_number": [{"name": "Volume", "min": 0, "max": 11, "step": 0.1, "mode": "slider", "unit_of_measurement": "dB"}],
    "input_text": [{"name": "Message", "min": 0, "max": 100, "mode": "text"}],
    "input_select": [{"name": "Programme", "options": ["one", "two", "zwölf"]}],
    "input_datetime": [{"name": "Wake", "has_time": True, "has_date": False}, {"name": "Trip", "has_time": True, "has_date": True}],
    "counter": [{"name": "Visits", "initial": 0, "step": 2, "minimum": 0, "maximum": 1000, "restore": True}],
    "timer": [{"name": "Egg", "duration": "0:05:30", "restore": True}, {"name": "Long", "duration": "1000:00:00", "restore": True}],
    "schedule": [{"name": "Heating times", "monday": [{"from": "06:00:00", "to": "08:30:00"}, {"from": "17:00:00", "to": "24:00:00"}],
                  "sunday": [{"from": "08:00:00", "to": "22:00:00"}]}],
    "zone": [{"name": "Work", "latitude": 52.52, "longitude": 13.41, "radius": 150, "passive": False, "icon": "mdi:briefcase"}],
    "tag": [{"name": "Door", "tag_id": "04-8A-21-made"}],
}

# The answers of each flow, step by step.
FLOWS = [
    ("group", [{"next_step_id": "light"}, {"name": "All lights", "entities": ["light.made"], "hide_members": True}]),
    ("group", [{"next_step_id": "sensor"},
               {"name": "Warmest", "entities": ["sensor.outside_temperature"], "hide_members": False, "type": "max"}]),
    ("template", [{"next_step_id": "sensor"},
                  {"name": "Twice", "state": "{{ states('input_number.target') | float(0) * 2 }}",
                   "unit_of_measurement": "W", "device_class": "power", "state_class": "measurement"}]),
    ("template", [{"next_step_id": "binary_sensor"},
                  {"name": "Loud", "state": "{{ states('input_number.volume') | float(0) > 8 }}"}]),
    ("utility_meter", [{"name": "Energy", "source": "sensor.meter", "cycle": "daily", "offset": 0, "tariffs": ["day", "night"],
                        "net_consumption": False, "delta_values": False, "periodically_resetting": True}]),
    ("derivative", [{"name": "Rate", "source": "sensor.meter", "round": 2, "time_window": {"minutes": 5}, "unit_time": "h"}]),
    ("integration", [{"name": "Sum of power", "source": "sensor.twice", "method": "left", "round": 3, "unit_prefix": "k", "unit_time": "h"}]),
    ("min_max", [{"name": "Mean", "entity_ids": ["sensor.outside_temperature", "sensor.old_form"], "type": "mean", "round_digits": 1}]),
    ("threshold", [{"name": "Warm", "entity_id": "sensor.outside_temperature", "hysteresis": 0.5, "upper": 9.0}]),
    ("tod", [{"name": "Morning", "after_time": "06:00:00", "before_time": "10:00:00"}]),
    ("switch_as_x", [{"entity_id": "switch.made", "target_domain": "light"}]),
    ("trend", [{"name": "Rising", "entity_id": "sensor.outside_temperature"}, {}]),
    ("random", [{"next_step_id": "sensor"}, {"name": "Dice", "minimum": 1, "maximum": 6}]),
    ("season", [{"type": "astronomical"}]),
    ("workday", [{"name": "Workday", "country": "DE"},
                 {"excludes": ["sat", "sun", "holiday"], "days_offset": 0, "workdays": ["mon", "tue", "wed", "thu", "fri"],
                  "add_holidays": [], "remove_holidays": [], "province": "BE"}]),
    ("uptime", [{}]),
    ("moon", [{}]),
    ("local_todo", [{"todo_list_name": "Chores"}]),
    ("local_calendar", [{"calendar_name": "Family"}]),
    ("statistics", [{"name": "Average", "entity_id": "sensor.outside_temperature"}, {"state_characteristic": "mean"},
                    {"sampling_size": 20.0, "keep_last_sample": False, "percentile": 50.0, "precision": 2.0}]),
    ("generic_thermostat", [{"name": "Radiator", "heater": "switch.made", "target_sensor": "sensor.outside_temperature", "ac_mode": False,
                             "cold_tolerance": 0.3, "hot_tolerance": 0.3}, {}]),
]

# A device that comes by MQTT: its entities by domain, and a trigger.
BOX = {"identifiers": ["made_0x01"], "connections": [["mac", "02:00:00:00:00:01"]], "name": "Box of the hall", "manufacturer": "Made",
       "model": "M1", "sw_version": "1.2"}
BOX_ENTITIES = {
    "light": {"name": None, "unique_id": "made_light", "object_id": "made", "command_topic": "made/light/set", "state_topic": "made/light",
              "schema": "json", "brightness": True},
    "switch": {"name": "Outlet", "unique_id": "made_switch", "object_id": "made", "command_topic": "made/switch/set",
               "state_topic": "made/switch"},
    "sensor": {"name": "Meter", "unique_id": "made_meter", "object_id": "meter", "state_topic": "made/meter", "unit_of_measurement": "kWh",
               "device_class": "energy", "state_class": "total_increasing"},
    "binary_sensor": {"name": "Door", "unique_id": "made_door", "object_id": "door", "state_topic": "made/door", "device_class": "door"},
}
BOX_TRIGGER = {"automation_type": "trigger", "type": "button_short_press", "subtype": "button_1", "topic": "made/button", "payload": "1"}
# Another, whose unit people change; and one that is gone at the end, and has left its traces.
CELLAR = {"name": "Temperature", "unique_id": "made_cellar", "object_id": "cellar", "state_topic": "made/cellar", "unit_of_measurement": "°C",
          "device_class": "temperature", "state_class": "measurement", "device": {"identifiers": ["made_0x02"], "name": "Cellar"}}
LAMP = {"name": None, "unique_id": "made_lamp", "object_id": "old_lamp", "command_topic": "made/lamp/set", "state_topic": "made/lamp",
        "device": {"identifiers": ["made_0x03"], "name": "Old lamp"}}

DASHBOARD = {"title": "Made", "views": [{"title": "All", "cards": [{"type": "entities", "entities": ["input_boolean.guests"]}]}]}
ATTIC = {"views": [{"title": "Attic", "cards": []}]}

PHONE = {"app_id": "made.app", "app_name": "Made app", "app_version": "1.0", "device_id": "made-phone", "device_name": "Ann's phone",
         "manufacturer": "Made", "model": "P1", "os_name": "Made OS", "os_version": "1", "supports_encryption": False}
PHONE_SENSOR = {"type": "sensor", "name": "Battery", "unique_id": "battery", "state": 71, "icon": "mdi:battery",
                "device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement", "attributes": {}}


def energy_sources(flat):
    """The sources of energy: in the form of old versions, or the `flat` one of 2026."""
    solar = {"type": "solar", "stat_energy_from": "made:energy", "config_entry_solar_forecast": None}
    if flat:
        grid = {"type": "grid", "stat_energy_from": "sensor.meter", "stat_energy_to": None, "stat_cost": None, "stat_compensation": None,
                "entity_energy_price": None, "number_energy_price": 0.3, "entity_energy_price_export": None,
                "number_energy_price_export": None, "cost_adjustment_day": 0}
    else:
        taken = {"stat_energy_from": "sensor.meter", "entity_energy_price": None, "number_energy_price": 0.3, "stat_cost": None}
        grid = {"type": "grid", "flow_from": [taken], "flow_to": [], "cost_adjustment_day": 0}
    return [grid, solar]
