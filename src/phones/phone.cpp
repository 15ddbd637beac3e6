// SPDX-License-Identifier: Apache-2.0
#include "phones/phone.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;

struct KnownText {
  std::string_view name;
  bool required = false;
};
constexpr KnownText kRegistrationTexts[] = {{"device_id"},         {"app_id", true},      {"app_name", true},
                                            {"app_version", true}, {"device_name", true}, {"manufacturer", true},
                                            {"model", true},       {"os_name", true},     {"os_version"}};
constexpr KnownText kSensorTexts[] = {{"unique_id", true},     {"type", true},      {"name"},
                                      {"device_class"},        {"entity_category"}, {"icon"},
                                      {"unit_of_measurement"}, {"state_class"}};

// An empty text is one that is missing.
template <std::size_t Size>
Result<json::object> take_texts(const json::object& sent, const KnownText (&known)[Size], bool changes) {
  json::object taken;
  for (const KnownText& text : known) {
    const json::value& value = base::value_at(sent, text.name);
    if (value.is_null()) {
      if (text.required && !changes)
        return base::fail(ErrorCode::invalid, fmt::format("{}: expected a text", text.name));
      continue;
    }
    if (!value.is_string() || value.get_string().size() > Phone::kMaxText || !base::utf8_length(value.get_string()))
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: expected a text of at most {} bytes", text.name, Phone::kMaxText));
    if (text.required && value.get_string().empty())
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected a text that is not empty", text.name));
    taken[text.name] = value;
  }
  return taken;
}

}  // namespace

std::string Phone::text(std::string_view field) const {
  return base::text_at(registration, field);
}

Result<json::object> read_registration(const json::object& sent, bool changes) {
  auto taken = take_texts(sent, kRegistrationTexts, changes);
  if (!taken) return taken;
  if (const json::value& data = base::value_at(sent, "app_data"); !data.is_null()) {
    if (!data.is_object() || base::to_json(data).size() > Phone::kMaxAppData)
      return base::fail(ErrorCode::invalid,
                        fmt::format("app_data: expected an object of at most {} bytes", Phone::kMaxAppData));
    taken->insert_or_assign("app_data", data);
  }
  return taken;
}

Result<PhoneSensor> read_sensor(const json::object& sent) {
  auto fields = take_texts(sent, kSensorTexts, false);
  if (!fields) return std::unexpected(fields.error());
  const std::string type = base::text_at(*fields, "type");
  if (type != "sensor" && type != "binary_sensor")
    return base::fail(ErrorCode::invalid, "type: expected sensor or binary_sensor");
  for (const char* const empty : {"device_class", "entity_category", "icon", "unit_of_measurement", "state_class"})
    if (base::text_at(*fields, empty).empty()) fields->erase(empty);
  if (const std::string category = base::text_at(*fields, "entity_category");
      category != "config" && category != "diagnostic")
    fields->erase("entity_category");
  if (type == "binary_sensor") {
    fields->erase("unit_of_measurement");
    fields->erase("state_class");
  }
  if (base::flag_at(sent, "disabled")) fields->insert_or_assign("disabled", true);
  std::string id = base::text_at(*fields, "unique_id");
  return PhoneSensor{.unique_id = std::move(id), .registered_as = {}, .fields = std::move(*fields)};
}

json::object to_json_object(const Phone& phone) {
  json::array sensors;
  for (const auto& [id, sensor] : phone.sensors)
    sensors.push_back(json::object{{"as", sensor.registered_as}, {"fields", sensor.fields}});
  return {{"token_id", phone.token_id},         {"secret", phone.secret},        {"key", phone.key},
          {"registration", phone.registration}, {"sensors", std::move(sensors)}, {"user_id", phone.user_id}};
}

Result<Phone> read_phone(std::string_view stored) {
  const auto parsed = base::parse_json(stored);
  if (!parsed || !parsed->is_object()) return base::fail(ErrorCode::invalid, "not an object");
  const json::object& object = parsed->get_object();
  const json::value& registration = base::value_at(object, "registration");
  const json::value& sensors = base::value_at(object, "sensors");
  if (!registration.is_object() || !sensors.is_array()) return base::fail(ErrorCode::invalid, "incomplete");
  Phone phone{.webhook_id = {},
              .user_id = base::text_at(object, "user_id"),
              .token_id = base::text_at(object, "token_id"),
              .secret = base::text_at(object, "secret"),
              .key = base::text_at(object, "key"),
              .registration = registration.get_object()};
  for (const json::value& each : sensors.get_array()) {
    if (!each.is_object() || !base::value_at(each.get_object(), "fields").is_object()) continue;
    auto sensor = read_sensor(base::value_at(each.get_object(), "fields").get_object());
    if (!sensor) continue;
    sensor->registered_as = base::text_at(each.get_object(), "as");
    std::string id = sensor->unique_id;
    phone.sensors.emplace(std::move(id), std::move(*sensor));
  }
  return phone;
}

std::string make_phone_secret() {
  std::array<unsigned char, crypto_secretbox_KEYBYTES> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  std::string text(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

}  // namespace hearth::phones
