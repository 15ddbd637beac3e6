// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/settings_step.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json/json.h"
#include "import_ha/files/mqtt_entry.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kCoreConfig = "core.config";

// As configuration.yaml has it; null for what is no such value, or is not set.
std::optional<std::string> setting_text(const json::value& value) {
  if (value.is_string() && !value.get_string().empty()) return std::string(value.get_string());
  if (value.is_number() || value.is_bool()) return base::to_json(value);
  return {};
}

class CoreConfig {
 public:
  CoreConfig(const SettingsPlan& plan, const json::object& data, CarriedSettings& carried, Report& report)
      : plan_(plan), data_(data), carried_(carried), report_(report) {}

  void carry() {
    for (const std::string_view key : {"location_name", "latitude", "longitude", "time_zone", "currency", "country",
                                       "language", "internal_url", "external_url"}) {
      if (const auto text = find(key)) put(std::string(key), *text);
    }
    if (const json::value* const metres = data_.if_contains("elevation"); metres && metres->is_number())
      put("elevation", std::to_string(std::lround(metres->to_number<double>())));
    if (auto system = find("unit_system_v2")) {
      put("unit_system", *system);
    } else if (system = find("unit_system"); system) {
      put("unit_system", *system == "imperial" ? "us_customary" : *system);
    }
    const json::value* const radius = data_.if_contains("radius");
    if (radius && radius->is_number() && radius->to_number<double>() > 0) {
      carried_.radius = radius->to_number<double>();
      report_.count("settings", Fate::carried);
    }
  }

 private:
  std::optional<std::string> find(std::string_view key) const {
    const json::value* const value = data_.if_contains(key);
    return value ? setting_text(*value) : std::nullopt;
  }

  void put(const std::string& key, const std::string& text) {
    base::ConfigNode::Map values;
    values.push_back({key, base::ConfigNode({{}, 0, key}, text)});
    const auto valid = plan_.check_home(base::ConfigNode({}, std::move(values)));
    if (valid) {
      carried_.home.emplace(key, text);
      report_.count("settings", Fate::carried);
      return;
    }
    report_.add({.what = "setting",
                 .id = key,
                 .fate = Fate::left,
                 .why = Why::out_of_range,
                 .text = valid.error().message,
                 .file = fmt::format(".storage/{}", kCoreConfig),
                 .attention = "out_of_range",
                 .todo = "Set it on the page of settings, or in the section home of configuration.yaml."});
  }

  const SettingsPlan& plan_;
  const json::object& data_;
  CarriedSettings& carried_;
  Report& report_;
};

}  // namespace

base::Result<CarriedSettings> carry_settings(const SettingsPlan& plan, Report& report) {
  CarriedSettings carried;
  const auto core = plan.source.read_storage(kCoreConfig, report);
  if (!core) return std::unexpected(core.error());
  if (*core) {
    const json::object* const data = (*core)->data.if_object();
    if (!data) return base::fail(base::ErrorCode::invalid, fmt::format("{}: data is no object", (*core)->file));
    CoreConfig(plan, *data, carried, report).carry();
  } else {
    report.note(".storage/core.config: none found; name and place of the home are those of configuration.yaml");
  }
  if (auto done = carry_mqtt_entry(plan, carried, report); !done) return std::unexpected(done.error());
  return carried;
}

}  // namespace hearth::import_ha
