# SPDX-License-Identifier: Apache-2.0
"""Configuration folders in the shapes that people have for Home Assistant. In each, an event `go` makes automations fire
`done` with their name as `by`."""


def on_go(name, indent=0):
    lines = [f"- id: {name}", f"  alias: {name}", "  trigger:", "    - platform: event", "      event_type: go",
             "  action:", f"    - event: done", f"      event_data: {{by: {name}}}"]
    return "".join(" " * indent + line + "\n" for line in lines)


LARGE_PACKAGES = {
    "configuration.yaml": """\
default_config:
homeassistant:
  name: Large
  latitude: !secret home_latitude
  longitude: !secret home_longitude
  elevation: 43.5
  unit_system: imperial
  time_zone: America/New_York
  allowlist_external_dirs: [/config/www, /media]
  packages: !include_dir_named packages
""",
    "secrets.yaml": "home_latitude: 40.5\nhome_longitude: -74.1\n",
    "packages/kitchen.yaml": """\
homeassistant:
  customize:
    input_boolean.kettle: {friendly_name: The kettle, icon: "mdi:kettle", hidden: true}
input_boolean:
  kettle: {name: Kettle}
rest_command:
  boil: {url: "http://192.0.2.1/boil", method: post}
shell_command:
  log: 'echo "{{ states("sensor.x") }}" >> log'
sensor:
  - platform: mold_indicator
    calibration_factor: 2
  - platform: template
    sensors:
      kettle_text: {value_template: "{{ states('input_boolean.kettle') }}"}
automation:
""" + on_go("kitchen", 2),
    "packages/hall/hall.yaml": """\
logger:
  default: warn
  logs: {homeassistant.components.mqtt: debug}
recorder:
  exclude: {entities: [sensor.hall_noise], event_types: [call_service]}
automation hall:
""" + on_go("hall", 2),
}

SPLIT_FOLDERS = {
    "configuration.yaml": """\
default_config:
homeassistant:
  customize: !include customize.yaml
  customize_domain: {input_boolean: {icon: "mdi:home", own: domain}}
  customize_glob: !include customize_glob.yaml
automation: !include_dir_merge_list automations
automation own: !include automations.yaml
script: !include_dir_merge_named scripts
scene: !include scenes.yaml
group: !include groups.yaml
input_boolean: !include_dir_merge_named input_boolean
sensor: !include_dir_merge_list sensors
ios:
discovery:
cloud:
conversation:
tts:
  - platform: google_translate
""",
    "customize.yaml": "input_boolean.guests:\n  friendly_name: Guests are here\n",
    "customize_glob.yaml": "'input_boolean.g*': {own: glob, initial: false}\n",
    "automations.yaml": on_go("own"),
    "automations/a.yaml": on_go("first"),
    "automations/deeper/b.yaml": on_go("second"),
    "scripts/s.yaml": "greet:\n  sequence: [{event: done, event_data: {by: script}}]\n",
    "scenes.yaml": "[]\n",
    "groups.yaml": "",
    "input_boolean/i.yaml": "guests:\n  name: Guests\n",
    "sensors/s.yaml": "- platform: systemmonitor\n  resources: [{type: disk_use}]\n- platform: time_date\n  display_options: [time]\n",
}

THEMES = {
    "configuration.yaml": """\
default_config:
frontend:
  themes: !include_dir_merge_named themes
  extra_module_url:
    - /local/card-mod.js
  extra_js_url_es5: [/local/old.js]
lovelace:
  mode: yaml
  resources: [{url: /local/card.js, type: module}]
  dashboards:
    big-screen: {mode: yaml, filename: big.yaml, title: Big}
map:
my:
energy:
panel_iframe:
  router: {title: Router, url: "http://192.0.2.1"}
automation: !include automations.yaml
""",
    "themes/dark.yaml": "dark:\n  primary-color: '#111'\n",
    "ui-lovelace.yaml": "views:\n  - !include views/a.yaml\n",
    "automations.yaml": on_go("themes"),
}

CUSTOM_COMPONENTS = {
    "configuration.yaml": """\
default_config:
sun_of_somebody:
  - name: Living
    lights: [light.a, light.b]
fancy_mirror: {host: 192.0.2.4, api_key: abc}
browser_mod:
pyscript: !include pyscript/config.yaml
python_script:
alert:
  door: {name: Door, entity_id: binary_sensor.door, repeat: 30, notifiers: [me]}
intent_script:
  Hello: {speech: {text: Hi}}
camera:
  - platform: ffmpeg
    input: rtsp://192.0.2.9
media_player:
  - platform: universal
    name: All
climate:
  - platform: fancy_climate
    host: 192.0.2.5
automation:
""" + on_go("custom"),
    "pyscript/config.yaml": "allow_all_imports: true\n",
    "custom_components/fancy/manifest.json": "{}",
    "custom_components/fancy/services.yaml": "broken: [\n",
}

OLD_LISTS = {
    "configuration.yaml": """\
homeassistant:
  name: Old
  whitelist_external_dirs: [/tmp]
  auth_providers:
    - type: trusted_networks
      trusted_networks: [192.168.0.0/24]
    - type: homeassistant
introduction:
updater: {reporting: false}
zwave: {usb_path: /dev/ttyACM0}
device_tracker:
  - platform: nmap_tracker
    hosts: 192.168.1.1/24
sensor 1:
  - platform: template
    sensors:
      old: {friendly_name: Old one, value_template: '{{ 1 + 1 }}'}
sensor 2:
  platform: mqtt
  state_topic: a/b
binary_sensor:
  platform: template
  sensors:
    late: {value_template: '{{ true }}'}
light:
  - platform: hue
    host: 192.0.2.7
notify:
  - platform: html5
    name: mail
    server: 192.0.2.1
automation 1:
  alias: single
  initial_state: true
  trigger: {platform: event, event_type: go}
  action: {event: done, event_data: {by: single}}
automation 2: !include old.yaml
""",
    "old.yaml": on_go("old"),
}

BLUEPRINTS = {
    "configuration.yaml": "default_config:\nautomation: !include automations.yaml\nscript: !include scripts.yaml\n"
                          "scene: !include scenes.yaml\n",
    "automations.yaml": "- id: made\n  alias: made\n  use_blueprint:\n    path: somebody/fire.yaml\n"
                        "    input: {what: done, name: made}\n" + on_go("plain"),
    "scripts.yaml": "",
    "scenes.yaml": "",
    "blueprints/automation/somebody/fire.yaml": """\
blueprint:
  name: Fire
  domain: automation
  input:
    what: {name: Event, selector: {text: {}}}
    name: {name: Name, default: nobody}
trigger: [{platform: event, event_type: go}]
variables: {by: !input name}
action: [{event: !input what, event_data: {by: "{{ by }}"}}]
""",
}

SECRETS = {
    "configuration.yaml": """\
homeassistant:
  name: !secret name
  latitude: !secret not_published
  longitude: !secret not_published_either
  currency: !env_var HOME_CURRENCY CHF
http:
  use_x_forwarded_for: true
  trusted_proxies: [127.0.0.1, 172.30.33.0/24]
  ip_ban_enabled: true
  login_attempts_threshold: 5
  ssl_certificate: !secret certificate
  ssl_key: !secret key
  cors_allowed_origins: ["*", "https://cast.example.org"]
telegram_bot:
  - platform: polling
    api_key: !secret telegram
google_assistant: !include google.yaml
mqtt:
  sensor:
    - {name: Power, state_topic: !secret topic}
automation:
""" + on_go("secrets"),
    "secrets.yaml": "name: Hidden\n",
}

ODD_TEXT = {
    "configuration.yaml": "\ufeff" + """\
# A comment\twith a tab
x-anchors: &anchors
  icon: mdi:lamp
default_config:\t
input_boolean: &booleans
  lamp: {<<: *anchors, name: Lamp}
  lamp: {<<: *anchors, name: Lamp again}
input_number:
scene:
group:
counter: []
timer: {}
history:
  include: {domains: [light]}
logbook: {exclude: {entities: [sun.sun]}}
system_log: {fire_event: true}
automation:
""".replace("\n", "\r\n") + on_go("odd", 2).replace("\n", "\r\n"),
}

RECORDER = {
    "configuration.yaml": """\
default_config:
api:
history:
  use_include_order: true
logbook:
config:
sun:
mobile_app:
system_health:
ssdp:
zeroconf:
dhcp:
influxdb: {host: 192.0.2.2, database: home}
prometheus:
recorder:
  db_url: mysql://user:password@192.0.2.3/ha?charset=utf8
  purge_keep_days: 14
  commit_interval: 5
  auto_purge: true
  include:
    domains: [light, input_boolean]
    entity_globs:
  exclude:
    domains:
      - updater
    event_types:
      - service_removed
logger:
  default: critical
  logs:
    homeassistant.core: fatal
  filters: {a: [b]}
person:
zone: {name: Work, latitude: 52.1, longitude: 4.2, radius: 100, icon: "mdi:briefcase"}
automation: !include automations.yaml
""",
    "automations.yaml": on_go("recorder"),
}

MERGED_PACKAGES = {
    "configuration.yaml": """\
homeassistant:
  packages: !include_dir_merge_named packages/
  customize: {}
  customize_glob:
  media_dirs: {media: /media}
alexa:
  smart_home: {filter: {include_domains: [light]}}
1: 2
on: off
null: nothing
[a, b]: c
automation: !include automations.yaml
""",
    "automations.yaml": on_go("beside"),
    "packages/all.yaml": """\
meters:
  utility_meter: {daily: {source: sensor.total, cycle: daily}}
  template:
    - sensor: [{name: Half, state: "{{ 0.5 }}"}]
  automation:
""" + on_go("meters", 4) + """\
empty:
wrong_list: [1, 2]
typo:
  automatoin:
    - {alias: x}
  input_boolean: {ok: }
""",
    "packages/broken.yaml": "half: [\n",
}

# Of each: the files, who answers `go`, some states.
HOMES = {
    "large packages": (LARGE_PACKAGES, {"kitchen", "hall"}, {"sensor.kettle_text": "off"}),
    "split folders": (SPLIT_FOLDERS, {"own", "first", "second"}, {"input_boolean.guests": "off", "script.greet": "off"}),
    "themes": (THEMES, {"themes"}, {}),
    "custom components": (CUSTOM_COMPONENTS, {"custom"}, {}),
    "old lists of platforms": (OLD_LISTS, {"single", "old"}, {"sensor.old": "2", "binary_sensor.late": "on"}),
    "blueprints": (BLUEPRINTS, {"made", "plain"}, {}),
    "secrets that are not published": (SECRETS, {"secrets"}, {}),
    "marks, anchors and keys that are there twice": (ODD_TEXT, {"odd"}, {"input_boolean.lamp": "off"}),
    "recorder and logger": (RECORDER, {"recorder"}, {}),
    "merged packages": (MERGED_PACKAGES, {"meters", "beside"}, {"sensor.half": "0.5", "input_boolean.ok": "off"}),
}
