// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/mqtt_entry.h"

#include <fmt/format.h>

#include "base/json/json.h"
#include "import_ha/files/home_files.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEntriesFile = ".storage/core.config_entries";
constexpr std::string_view kSetUp = "Set the connection on the page of integrations.";

std::string text_at(const json::object& values, std::string_view key) {
  const json::value* const value = values.if_contains(key);
  if (!value) return {};
  if (value->is_string()) return std::string(value->get_string());
  if (value->is_bool()) return value->get_bool() ? "true" : "false";
  if (value->is_int64()) return std::to_string(value->get_int64());
  // Old pages wrote whole numbers with a fraction.
  if (value->is_double()) return fmt::format("{:g}", value->get_double());
  return {};
}

// `options` over `data`.
json::object joined_settings(const json::object& entry) {
  json::object all;
  for (const char* const part : {"data", "options"}) {
    const json::value* const values = entry.if_contains(part);
    if (!values || !values->is_object()) continue;
    for (const auto& [key, value] : values->get_object()) all[key] = value;
  }
  return all;
}

class MqttEntry {
 public:
  MqttEntry(const SettingsPlan& plan, const json::object& entry, CarriedSettings& carried, Report& report)
      : plan_(plan), entry_(entry), all_(joined_settings(entry)), carried_(carried), report_(report) {}

  base::Result<void> carry() {
    if (text_at(entry_, "disabled_by") == "user") {
      leave("", Why::expired, "it is switched off there", "mqtt_off", std::string(kSetUp));
      return {};
    }
    if (text_at(all_, "transport") == "websockets") {
      leave("", Why::not_yet, "it goes over WebSockets, which Hearth does not speak", "websockets",
            "Open the broker's plain or TLS port, and set the connection on the page of integrations.");
      return {};
    }
    for (const char* const key :
         {"broker", "port", "username", "protocol", "keepalive", "discovery", "discovery_prefix"}) {
      if (const std::string text = text_at(all_, key); !text.empty()) values_.emplace(key, text);
    }
    password();
    if (const std::string id = text_at(all_, "client_id"); !id.empty() && !plan_.side_by_side)
      values_.emplace("client_id", id);
    if (auto written = certificates(); !written) return written;
    for (const char* const key : {"birth_message", "will_message"}) status_message(key);
    return check();
  }

 private:
  void password() {
    const std::string text = text_at(all_, "password");
    if (text.empty()) return;
    if (plan_.credentials) {
      values_.emplace("password", text);
      return;
    }
    leave("password", Why::secret, "credentials were not asked for", "secret",
          "Set the password of the broker on the page of integrations.");
  }

  // The text of each is in the entry.
  base::Result<void> certificates() {
    constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
        {"certificate", "mqtt-ca.pem"}, {"client_cert", "mqtt-client.pem"}, {"client_key", "mqtt-client-key.pem"}};
    const storage::GoOn go_on = [] { return true; };
    const HomeFiles files(plan_.source, plan_.home, go_on, report_);
    for (const auto& [key, name] : kFiles) {
      const std::string text = text_at(all_, key);
      if (text.empty()) continue;
      if (text == "auto") {
        values_.emplace(key, text);
        continue;
      }
      if (key == "client_key" && !plan_.credentials) continue;
      if (!text.contains("-----BEGIN ")) {
        leave(std::string(key), Why::broken, "it is no PEM text", "broken", std::string(kSetUp));
        continue;
      }
      if (auto written = files.write(name, text.ends_with('\n') ? text : text + '\n'); !written) return written;
      values_.emplace(key, (plan_.final_home / name).native());
    }
    if (text_at(all_, "tls_insecure") == "true") values_.emplace("tls_insecure", "true");
    return {};
  }

  // Stored settings have no such messages: those of Hearth are the default ones of the old hub.
  void status_message(const std::string& key) {
    const json::value* const value = all_.if_contains(key);
    const json::object* const message = value ? value->if_object() : nullptr;
    if (!message) return;
    const std::string prefix = text_at(all_, "discovery_prefix");
    const std::string usual = prefix.empty() ? "homeassistant/status" : prefix + "/status";
    const bool is_usual = text_at(*message, "topic") == usual &&
                          text_at(*message, "payload") == (key == "birth_message" ? "online" : "offline") &&
                          (text_at(*message, "qos").empty() || text_at(*message, "qos") == "0") &&
                          text_at(*message, "retain") != "true";
    if (is_usual) return;
    leave(key, Why::not_yet, "only the section mqtt of configuration.yaml can have it", "status_message",
          fmt::format("Describe the connection in configuration.yaml with {}: docs/mqtt.md.", key));
  }

  base::Result<void> check() {
    base::ConfigNode::Map entries;
    for (const auto& [key, text] : values_) entries.push_back({key, base::ConfigNode({{}, 0, key}, text)});
    if (const auto valid = plan_.check_mqtt(base::ConfigNode({}, std::move(entries))); !valid) {
      // The message may show a value, and one of them is the password.
      leave("", Why::broken, "Hearth cannot use its values", "broken", std::string(kSetUp));
      return {};
    }
    carried_.mqtt = std::move(values_);
    report_.count("settings", Fate::carried, carried_.mqtt.size());
    return {};
  }

  void leave(const std::string& key, Why why, std::string text, std::string attention, std::string todo) {
    report_.add({.what = "setting",
                 .id = key.empty() ? "mqtt" : "mqtt." + key,
                 .name = text_at(entry_, "title"),
                 .fate = Fate::left,
                 .why = why,
                 .text = std::move(text),
                 .file = std::string(kEntriesFile),
                 .attention = std::move(attention),
                 .todo = std::move(todo)});
  }

  const SettingsPlan& plan_;
  const json::object& entry_;
  const json::object all_;
  CarriedSettings& carried_;
  Report& report_;
  std::map<std::string, std::string> values_;
};

}  // namespace

base::Result<void> carry_mqtt_entry(const SettingsPlan& plan, CarriedSettings& carried, Report& report) {
  const auto file = plan.source.read_storage("core.config_entries", report);
  if (!file) return std::unexpected(file.error());
  const json::object* const data = *file ? (*file)->data.if_object() : nullptr;
  const json::value* const entries = data ? data->if_contains("entries") : nullptr;
  const json::array* const list = entries ? entries->if_array() : nullptr;
  if (!list) return {};
  for (const json::value& each : *list) {
    const json::object* const entry = each.if_object();
    if (entry && text_at(*entry, "domain") == "mqtt") return MqttEntry(plan, *entry, carried, report).carry();
  }
  return {};
}

}  // namespace hearth::import_ha
