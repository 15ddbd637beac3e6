// SPDX-License-Identifier: Apache-2.0
#include "app/sections/foreign_words.h"

#include <algorithm>
#include <array>

namespace hearth::app {
namespace {

using enum ForeignWord::Kind;

constexpr std::string_view kOwnPages = "the hub's own pages need none";
constexpr std::string_view kDevicesByMqtt = "a bridge to MQTT brings such devices, see docs/mqtt.md";
constexpr std::string_view kOwnMetricNames = "names follow from class and unit";
constexpr std::string_view kByClient = "a client of the API can do it, such as a program of your own";
constexpr std::string_view kByWebhook =
    "an automation with a webhook or an event, and a client of the API that does it";

constexpr ForeignWord kForeignWords[] = {
    {"default_config", built_in, "all that it turns on is on"},
    {"air_quality", not_here, kDevicesByMqtt},
    {"alert", not_here, "an automation with for_each or repeat notifies again and again"},
    {"alexa", not_here, kByClient},
    {"analytics", built_in, "the hub sends nothing to anybody"},
    {"api.base_url", not_here, "home: internal_url and external_url say how the hub is reached"},
    {"application_credentials", built_in, "no integration here needs them"},
    {"assist_pipeline", not_here, "there is no voice assistant"},
    {"automation_editor", built_in, kOwnPages},
    {"backup", built_in, "see docs/backup.md"},
    {"blueprint", built_in, "files in blueprints/ are read"},
    {"bluetooth", not_here, kDevicesByMqtt},
    {"browser_mod", not_here, "the hub's pages cannot be steered"},
    {"camera", not_here, "pictures come by MQTT, see docs/mqtt.md"},
    {"cast", not_here, kDevicesByMqtt},
    {"cloud", not_here, "a reverse proxy or a VPN reaches the hub from outside"},
    {"config", built_in, "automations, scripts and scenes are made on the page"},
    {"conversation", not_here, "there is no voice assistant"},
    {"deconz", not_here, kDevicesByMqtt},
    {"device_automation", built_in, "devices are chosen in automations"},
    {"device_tracker", not_here, "phones report where they are with the companion app, other devices by MQTT"},
    {"dhcp", built_in, "nothing is searched for in the network; devices come by MQTT"},
    {"diagnostics", built_in, "see the page of the hub"},
    {"discovery", built_in, "devices that announce themselves by MQTT are found"},
    {"downloader", not_here, kByWebhook},
    {"energy", built_in, "the energy page is always there"},
    {"ffmpeg", not_here, "pictures come by MQTT, see docs/mqtt.md"},
    {"file_upload", built_in, "backups are uploaded on the page"},
    {"folder_watcher", not_here, kByWebhook},
    {"frontend.development_repo", built_in, "frontend: folder names pages of another build"},
    {"frontend.extra_html_url", built_in, kOwnPages},
    {"frontend.extra_html_url_es5", built_in, kOwnPages},
    {"frontend.extra_js_url_es5", built_in, kOwnPages},
    {"frontend.extra_module_url", built_in, kOwnPages},
    {"frontend.javascript_version", built_in, kOwnPages},
    {"frontend.themes", built_in, "the hub's own pages are light or dark, as the browser asks"},
    {"geo_location", not_here, kDevicesByMqtt},
    {"google_assistant", not_here, kByClient},
    {"hardware", built_in, "see the page of the hub"},
    {"hassio", built_in, "there are no add-ons"},
    {"history", built_in, "recorder says whose history is kept"},
    {"home.allowlist_external_dirs", built_in, "the hub reads no files outside of its folder"},
    {"home.allowlist_external_urls", built_in, "the hub sends no files to addresses"},
    {"home.auth_mfa_modules", built_in, "each user may set up an authenticator app in the profile"},
    {"home.auth_providers", built_in, "users log in with name and password"},
    {"home.customize", translated, "attributes of entities"},
    {"home.customize_domain", translated, "attributes of the entities of a domain"},
    {"home.customize_glob", translated, "attributes of entities by patterns"},
    {"home.debug", built_in, "log: level sets what is logged"},
    {"home.legacy_templates", built_in, "templates give values with their types"},
    {"home.media_dirs", built_in, "the hub plays no files"},
    {"home.radius", not_here, "zone: has the zone home with its radius"},
    {"home.temperature_unit", built_in, "unit_system says it"},
    {"home.whitelist_external_dirs", built_in, "the hub reads no files outside of its folder"},
    {"homeassistant_alerts", built_in, "what is wrong is shown on the page of repairs"},
    {"homekit", not_here, kByClient},
    {"http.api_password", not_here, "users log in, and clients have tokens"},
    {"http.base_url", not_here, "home: internal_url and external_url say how the hub is reached"},
    {"http.ip_ban_enabled", built_in, "addresses that guess passwords are delayed, then banned"},
    {"http.login_attempts_threshold", built_in, "addresses that guess passwords are delayed, then banned"},
    {"http.ssl_certificate", not_here, "http: tls: certificate names it, see docs/configuration.md"},
    {"http.ssl_key", not_here, "http: tls: key names it, see docs/configuration.md"},
    {"http.ssl_peer_certificate", not_here, "a reverse proxy can ask clients for certificates"},
    {"http.ssl_profile", not_here, "http: tls: min_version says which clients may come"},
    {"http.trusted_networks", not_here, "users log in from everywhere"},
    {"http.use_x_forwarded_for", built_in, "trusted_proxies alone says whose X-Forwarded-For counts"},
    {"http.use_x_frame_options", built_in, "pages are shown in no frame of another site"},
    {"hue", not_here, kDevicesByMqtt},
    {"humidifier", not_here, kDevicesByMqtt},
    {"image_processing", not_here, "a program of your own reports states by the API or by MQTT"},
    {"image_upload", built_in, "pictures of persons are not kept"},
    {"influxdb", not_here, "recorder: archive keeps history in PostgreSQL, see docs/archive.md"},
    {"intent_script", not_here, "scripts do the same, called by their services"},
    {"introduction", built_in, kOwnPages},
    {"ios", built_in, "the companion app registers itself"},
    {"logbook", built_in, "the logbook is always there"},
    {"logger", translated, "log: level"},
    {"logger.filters", built_in, "the log names each source; filter where it is read"},
    {"logger.logs", built_in, "the service logger.set_level changes levels of parts"},
    {"lovelace", built_in, "dashboards are made on the page; paste one of YAML into its raw editor"},
    {"mailbox", not_here, "there is no mailbox"},
    {"map", built_in, kOwnPages},
    {"media_extractor", not_here, "the hub plays no files"},
    {"media_source", built_in, "the hub plays no files"},
    {"microsoft_face", not_here, "a program of your own reports states by the API or by MQTT"},
    {"mqtt.tls_version", built_in, "the newest that both sides know"},
    {"my", built_in, kOwnPages},
    {"number", not_here, kDevicesByMqtt},
    {"onboarding", built_in, "the first user is made on the page"},
    {"panel_custom", not_here, "frontend: folder serves pages of your own"},
    {"panel_iframe", not_here, "a link on a dashboard"},
    {"persistent_notification", built_in, "notes for people are always there"},
    {"prometheus.component_config", not_here, kOwnMetricNames},
    {"prometheus.component_config_domain", not_here, kOwnMetricNames},
    {"prometheus.component_config_glob", not_here, kOwnMetricNames},
    {"prometheus.default_metric", not_here, kOwnMetricNames},
    {"prometheus.override_metric", not_here, kOwnMetricNames},
    {"prometheus.requires_auth", built_in, "a token is always needed: hearth token create --metrics-only"},
    {"pyscript", not_here, "scripts with templates, or a program of your own by the API"},
    {"python_script", not_here, "scripts with templates, or a program of your own by the API"},
    {"recorder.auto_purge", translated, "keep"},
    {"recorder.auto_repack", built_in, "space of old history is returned to the disk"},
    {"recorder.commit_interval", translated, "seconds without a unit"},
    {"recorder.db_integrity_check", built_in, "a damaged database is found and repaired at a start"},
    {"recorder.db_max_retries", built_in, "the database is a file that is always there"},
    {"recorder.db_retry_wait", built_in, "the database is a file that is always there"},
    {"recorder.db_url", not_here,
     "history is in history.db; archive has more of it in PostgreSQL, see docs/archive.md"},
    {"recorder.exclude.event_types", built_in, "events are not kept"},
    {"recorder.include.event_types", built_in, "events are not kept"},
    {"recorder.purge_interval", built_in, "old history is deleted once a day"},
    {"recorder.purge_keep_days", translated, "keep"},
    {"remote", not_here, kDevicesByMqtt},
    {"repairs", built_in, "what is wrong is shown on the page of repairs"},
    {"search", built_in, kOwnPages},
    {"select", not_here, kDevicesByMqtt},
    {"shopping_list", built_in, "to-do lists are made on the page"},
    {"siren", not_here, kDevicesByMqtt},
    {"ssdp", built_in, "nothing is searched for in the network; devices come by MQTT"},
    {"stream", built_in, "pictures of cameras are shown one after the other"},
    {"stt", not_here, "there is no voice assistant"},
    {"sun", built_in, "sun.sun is always there"},
    {"system_health", built_in, "see the page of the hub"},
    {"system_log", built_in, "the log is on the page"},
    {"tag", built_in, "tags are made on the page"},
    {"telegram_bot", not_here, kByWebhook},
    {"text", not_here, kDevicesByMqtt},
    {"todo", not_here, "to-do lists are made on the page"},
    {"trace", built_in, "automations and scripts keep their last traces"},
    {"tts", not_here, "there is no speech; notifications reach phones"},
    {"updater", built_in, "the hub asks nobody for updates"},
    {"usb", built_in, "nothing is searched for at USB; devices come by MQTT"},
    {"valve", not_here, kDevicesByMqtt},
    {"wake_word", not_here, "there is no voice assistant"},
    {"water_heater", not_here, kDevicesByMqtt},
    {"webhook", built_in, "webhooks are always on"},
    {"websocket_api", built_in, "the WebSocket API is always on"},
    {"zeroconf.default_interface", built_in, "all interfaces are used; `interfaces` names those that are"},
    {"zeroconf.ipv6", built_in, "IPv4 and IPv6 are used"},
    {"zha", not_here, "Zigbee2MQTT brings the same devices, see docs/mqtt.md"},
    {"zwave", not_here, "Z-Wave JS UI brings the same devices, see docs/mqtt.md"},
    {"zwave_js", not_here, "Z-Wave JS UI brings the same devices, see docs/mqtt.md"},
};

}  // namespace

std::string_view to_string(ForeignWord::Kind kind) {
  return kind == built_in ? "built in" : kind == translated ? "translated" : "not here";
}

std::span<const ForeignWord> foreign_words() {
  return kForeignWords;
}

const ForeignWord* find_foreign(std::string_view name) {
  const auto found = std::ranges::find(kForeignWords, name, &ForeignWord::name);
  return found == std::end(kForeignWords) ? nullptr : found;
}

}  // namespace hearth::app
