// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/instead.h"

#include <algorithm>
#include <cctype>

#include "core/values/words.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kAddOnProgram = "run the same program beside Hearth, on this or another machine";
constexpr std::string_view kAnyBroker = "any MQTT broker, such as Mosquitto; docs/mqtt.md says how to connect it";
constexpr std::string_view kPhone =
    "Hearth cannot take what the companion app reports yet; its entities wait, with their names and history";
constexpr std::string_view kNoCloud = "not there yet; a reverse proxy or a VPN reaches the hub from outside";
constexpr std::string_view kNoVoice = "not there yet: Hearth has no voice assistant";
constexpr std::string_view kPictures = "pictures of cameras come by MQTT, see docs/mqtt.md";
constexpr std::string_view kZigbee = "Zigbee2MQTT brings the same devices, with the same radio; see docs/mqtt.md";
constexpr std::string_view kZWave = "Z-Wave JS UI brings the same devices by its MQTT discovery; see docs/mqtt.md";

constexpr InsteadRow kRows[] = {
    {"alert", {"an automation with repeat notifies again and again", Why::unknown_section}},
    {"alexa", {"not there yet; a client of the API can do it", Why::not_yet}},
    {"assist_pipeline", {kNoVoice, Why::not_yet}},
    {"caldav",
     {"its account is added on Settings > Devices, or in the section caldav; see docs/calendars.md", Why::no_provider}},
    {"camera", {kPictures, Why::no_integration}},
    {"cloud", {kNoCloud, Why::not_yet}},
    {"conversation", {kNoVoice, Why::not_yet}},
    {"deconz", {kZigbee, Why::no_provider}},
    {"device_tracker", {"MQTT, or a program of your own by the API, says where devices are", Why::no_integration}},
    {"dsmr",
     {"its meter is added on Settings > Devices, or by dsmr in configuration.yaml; see docs/dsmr.md",
      Why::no_provider}},
    {"esphome",
     {"its nodes are added on Settings > Devices, and their entities keep ids and history; see docs/esphome.md",
      Why::no_provider}},
    {"generic_hygrostat", {"automations with triggers numeric_state switch the device", Why::no_integration}},
    {"google_assistant", {"not there yet; a client of the API can do it", Why::not_yet}},
    {"hacs",
     {"what HACS has installed runs in Home Assistant only: keep it running for that; see docs/bridge.md",
      Why::no_provider}},
    {"hassio", {kAddOnProgram, Why::no_provider}},
    {"homekit", {"not there yet; a client of the API can do it", Why::not_yet}},
    {"mobile_app", {kPhone, Why::no_provider}},
    {"mold_indicator", {"a template sensor of temperature and humidity", Why::no_integration}},
    {"notify",
     {"a platform of notify that is here, such as rest, smtp or telegram; docs/building-blocks.md has them all",
      Why::no_integration}},
    {"ozw", {kZWave, Why::no_provider}},
    {"proximity", {"a template sensor with distance()", Why::no_integration}},
    {"pyscript", {"scripts with templates, or a program of your own by the API", Why::unknown_section}},
    {"python_script", {"scripts with templates, or a program of your own by the API", Why::unknown_section}},
    {"remote_calendar",
     {"its address is added on Settings > Devices, or in the section remote_calendar; see docs/calendars.md",
      Why::no_provider}},
    {"stt", {kNoVoice, Why::not_yet}},
    {"tasmota", {"built in: Tasmota's devices come by MQTT, see docs/mqtt.md", Why::no_provider}},
    {"tts", {"not there yet: Hearth has no speech", Why::not_yet}},
    {"wake_word", {kNoVoice, Why::not_yet}},
    {"wyoming", {kNoVoice, Why::not_yet}},
    {"zha", {kZigbee, Why::no_provider}},
    {"zwave", {kZWave, Why::no_provider}},
    {"zwave_js", {kZWave, Why::no_provider}},
};
static_assert(std::ranges::is_sorted(kRows, {}, &InsteadRow::name));

// Hearth's own of these have other identities.
constexpr core::Words kBuiltIn{"backup hassio recorder sun"};

const InsteadRow* row_of(std::string_view name) {
  const auto found = std::ranges::lower_bound(kRows, name, {}, &InsteadRow::name);
  return found == std::end(kRows) || found->name != name ? nullptr : found;
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

}  // namespace

Instead instead_of(std::string_view integration) {
  const InsteadRow* const row = row_of(integration);
  return row ? row->instead : Instead{kBridge, Why::no_provider};
}

bool is_built_in(std::string_view integration) {
  return kBuiltIn.contains(integration);
}

Instead instead_of_section(std::string_view section) {
  const InsteadRow* const row = row_of(section);
  if (!row) return {kBridge, Why::unknown_section};
  return {row->instead.way, row->instead.why == Why::not_yet ? Why::not_yet : Why::unknown_section};
}

std::string_view instead_of_addon(std::string_view addon) {
  const std::string name = lower(addon);
  const auto is = [&](std::string_view part) { return name.contains(part); };
  if (is("mosquitto") || is("emqx")) return kAnyBroker;
  if (is("zigbee2mqtt")) return "Zigbee2MQTT as a service of its own; its settings and network can be kept";
  if (is("zwave")) return "Z-Wave JS UI as a service of its own, with MQTT discovery; its network can be kept";
  if (is("esphome")) return "ESPHome's dashboard as a service of its own";
  if (is("whisper") || is("piper") || is("openwakeword") || is("assist")) return kNoVoice;
  if (is("nginx") || is("duckdns") || is("letsencrypt") || is("caddy"))
    return "a reverse proxy beside Hearth, see docs/reverse-proxy.md";
  if (is("samba") || is("ssh") || is("terminal") || is("configurator") || is("vscode") || is("studio"))
    return "the files of Hearth's folder lie on this machine, and are edited there";
  if (is("mariadb") || is("influxdb") || is("grafana") || is("postgres"))
    return "run the same program beside Hearth; docs/archive.md says how history gets into a database";
  return kAddOnProgram;
}

std::string_view sentence_of(std::string_view way) {
  return way == kBridge ? "keep Home Assistant running for it, and connect it on Settings > Devices; see docs/bridge.md"
                        : way;
}

std::span<const InsteadRow> instead_rows() {
  return kRows;
}

}  // namespace hearth::import_ha
