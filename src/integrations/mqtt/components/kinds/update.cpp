// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace update {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "latest_version_topic", .type = field::TopicFilter{}},
    {.name = "latest_version_template", .type = field::Template{}},
    {.name = "command_topic", .type = field::Topic{}},
    {.name = "payload_install", .type = field::Payload{}, .fallback = "INSTALL"},
    {.name = "display_precision", .type = field::Number{0, 20}},
    {.name = "release_summary", .type = field::Text{}},
    {.name = "release_url", .type = field::Text{}},
    {.name = "title", .type = field::Text{}},
};
constexpr std::string_view kTexts[] = {"installed_version", "latest_version", "title",
                                       "release_summary",   "release_url",    "entity_picture"};

void receive_object(ThingEntity& entity, const json::object& object) {
  domains::Report report;
  for (const std::string_view name : kTexts) {
    const json::value* const value = object.if_contains(name);
    if (!value) continue;
    if (value->is_null() || value->is_string())
      report.attributes[name] = *value;
    else if (value->is_number())
      report.attributes[name] = printed(*value);
    else
      entity.complain_text(name, "a text", printed(*value));
  }
  const json::value* const progress = object.if_contains("in_progress");
  if (progress && (progress->is_bool() || progress->is_null()))
    report.attributes["in_progress"] = progress->is_bool() && progress->get_bool();
  const json::value* const percent = object.if_contains("update_percentage");
  if (percent && (percent->is_number() || percent->is_null())) {
    report.attributes["update_percentage"] = *percent;
    if (percent->is_number()) report.attributes["in_progress"] = true;
  }
  entity.report(std::move(report));
}

// An object, or the installed version alone.
void receive(ThingEntity& entity, const Reading&, const core::MqttMessage&, std::string text) {
  const auto parsed = base::parse_json(text);
  if (parsed && parsed->is_object()) return receive_object(entity, parsed->get_object());
  if (text == "None" || text == "null") return;
  entity.report("installed_version", std::move(text));
}

void describe(const Settings& settings, domains::Abilities& can) {
  if (settings.has("command_topic")) can.feature_bits |= domains::kUpdate.features_of("install");
  can.feature_bits |= domains::kUpdate.features_of("progress");
  can.attributes["auto_update"] = false;
  can.attributes["in_progress"] = false;
  for (const std::string_view key : {"release_summary", "release_url", "title"}) {
    if (settings.has(key)) can.attributes[key] = settings.text(key);
  }
}

constexpr Reading kReadings[] = {
    {.topic = "state_topic", .value_template = "value_template", .receive = receive},
    {.topic = "latest_version_topic", .value_template = "latest_version_template", .sets = "latest_version"},
};
constexpr Sending kSendings[] = {
    {.service = "install", .topic = "command_topic", .command_template = {}, .payload = "payload_install"}};

}  // namespace update

const Component kUpdate{.name = "update",
                        .kind = &domains::kUpdate,
                        .keys = update::kKeys,
                        .readings = update::kReadings,
                        .sendings = update::kSendings,
                        .device_classes = "firmware",
                        .default_name = "MQTT Update",
                        .describe = update::describe};

}  // namespace hearth::integrations::mqtt
