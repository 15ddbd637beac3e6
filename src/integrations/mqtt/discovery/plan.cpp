// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "integrations/mqtt/components/component.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::size_t kMaxName = core::Registry::kMaxTextLength;  // code points
constexpr std::size_t kMaxUniqueId = 255;                         // bytes
// Keys that only planning needs: the entity has them in its info.
constexpr core::Words kPlanned(
    "unique_id name object_id default_entity_id icon entity_category enabled_by_default availability_mode");

// Names that are more than their class with spaces.
constexpr std::pair<std::string_view, std::string_view> kClassNames[] = {
    {"aqi", "Air quality index"},
    {"carbon_dioxide", "Carbon dioxide"},
    {"ph", "pH"},
    {"pm1", "PM1"},
    {"pm10", "PM10"},
    {"pm25", "PM2.5"},
    {"pm4", "PM4"},
};

void check_class(const Component& component, Settings& settings, std::vector<DroppedKey>& dropped) {
  const std::string device_class(settings.text("device_class"));
  if (device_class.empty() || component.device_classes.contains(device_class)) return;
  settings.drop("device_class",
                component.device_classes.empty()
                    ? fmt::format("a {} has none", component.name)
                    : fmt::format("{} is none of a {}", base::utf8_excerpt(device_class), component.name),
                dropped);
}

void check_category(const Component& component, Settings& settings, std::vector<DroppedKey>& dropped) {
  const bool reads_only = component.sendings.empty() && !component.create;
  if (reads_only && settings.text("entity_category") == "config")
    settings.drop("entity_category", fmt::format("a {} has nothing to configure", component.name), dropped);
}

// True if the description says that it has no name of its own.
bool is_nameless(const json::object& keys) {
  const json::value* const name = keys.if_contains("name");
  return name && (name->is_null() || *name == json::value(""));
}

std::string own_name(const Component& component, const Settings& settings, const json::object& keys) {
  if (is_nameless(keys)) return {};
  if (settings.has("name")) return std::string(settings.text("name"));
  const std::string_view device_class = settings.text("device_class");
  return device_class.empty() ? std::string(component.default_name) : name_of_class(device_class);
}

// The name without the device's at its start, which comes before it anyway.
std::string without_device(std::string name, std::string_view device) {
  if (device.empty() || !name.starts_with(device)) return name;
  const std::string_view rest = std::string_view(name).substr(device.size());
  if (rest.empty()) return {};
  const auto first = rest.find_first_not_of(" -_:");
  if (first == 0 || first == std::string_view::npos) return name;
  return std::string(rest.substr(first));
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// The wished object id; otherwise one from names.
std::string object_id(const Component& component, const Settings& settings, std::string_view full_name,
                      std::string_view unique_id) {
  std::string_view wished = settings.text("default_entity_id");
  const auto dot = wished.find('.');
  if (dot != std::string_view::npos)
    wished = wished.substr(0, dot) == component.kind->domain ? wished.substr(dot + 1) : std::string_view();
  for (const std::string_view each : {wished, settings.text("object_id"), full_name, unique_id, component.name}) {
    std::string slug = core::slugify(each);
    // Room for the domain and a number at the end.
    constexpr std::size_t kMaxSlug = 180;
    if (slug.size() > kMaxSlug) slug = core::slugify(slug.substr(0, kMaxSlug));
    if (!slug.empty()) return slug;
  }
  return std::string(component.name);
}

}  // namespace

std::string name_of_class(std::string_view device_class) {
  const auto* const known =
      std::ranges::find(kClassNames, device_class, &std::pair<std::string_view, std::string_view>::first);
  if (known != std::end(kClassNames)) return std::string(known->second);
  std::string name(device_class);
  std::ranges::replace(name, '_', ' ');
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 32);
  return name;
}

base::Result<EntityPlan> plan_entity(Description& description, std::string_view device_id, std::string_view device_name,
                                     TemplateTexts& templates) {
  const Component* const component = find_component(description.component, description.keys);
  if (!component) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} is no component that the hub knows", base::utf8_excerpt(description.component)));
  }
  auto settings = Settings::read(component->keys, description.keys, templates, description.dropped);
  if (!settings) return std::unexpected(settings.error());
  if (settings->text("unique_id").size() > kMaxUniqueId)
    return base::fail(base::ErrorCode::invalid, fmt::format("unique_id: expected at most {} bytes", kMaxUniqueId));
  if (base::utf8_length(settings->text("name")).value_or(0) > kMaxName)
    settings->drop("name", fmt::format("expected at most {} characters", kMaxName), description.dropped);
  check_class(*component, *settings, description.dropped);
  check_category(*component, *settings, description.dropped);
  if (component->check) {
    if (auto good = component->check(*settings, description.dropped); !good) return std::unexpected(good.error());
  }

  domains::EntityInfo info;
  info.integration = "mqtt";
  info.unique_id = settings->text("unique_id");
  if (info.unique_id.empty()) info.unique_id = fmt::format("{} {}", description.component, description.id);
  info.name = trimmed(own_name(*component, *settings, description.keys));
  if (device_id.empty()) {
    if (info.name.empty()) info.name = component->default_name;
  } else {
    info.device_id = std::string(device_id);
    info.has_entity_name = true;
    info.name = without_device(std::move(info.name), device_name);
  }
  const std::string full_name = trimmed(fmt::format("{} {}", device_name, info.name));
  info.object_id = object_id(*component, *settings, full_name, info.unique_id);
  info.device_class = settings->text("device_class");
  info.icon = settings->text("icon");
  info.entity_category = settings->text("entity_category");
  info.disabled = !settings->boolean("enabled_by_default");
  info.force_update = settings->boolean("force_update");
  auto availability = Availability::parse(description.keys, *settings, templates, description.dropped);
  settings->forget(kPlanned);
  return EntityPlan{component, std::move(*settings), std::move(availability), std::move(info)};
}

}  // namespace hearth::integrations::mqtt
