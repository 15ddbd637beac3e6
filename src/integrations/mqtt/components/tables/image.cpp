// SPDX-License-Identifier: Apache-2.0
// Cameras and images: a picture a message.
#include <sodium.h>

#include "base/utf8.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace image {

using enum KeyType;

constexpr Key kCameraKeys[] = {
    {.name = "topic", .type = topic, .required = true},
    {.name = "image_encoding", .type = option, .options = "b64"},
};
constexpr Key kImageKeys[] = {
    {.name = "image_topic", .type = topic, .required = true},
    {.name = "image_encoding", .type = option, .options = "b64"},
    {.name = "content_type", .type = text, .fallback = "image/jpeg"},
};

std::optional<std::string> decoded(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t length = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(), "\r\n ",
                        &length, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0)
    return {};
  bytes.resize(length);
  return bytes;
}

// By its first bytes, because cameras have no key for it.
std::string_view content_type(std::string_view bytes, std::string_view otherwise) {
  if (bytes.starts_with("\xff\xd8")) return "image/jpeg";
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return "image/webp";
  return otherwise;
}

void take(ThingEntity& entity, const Reading& reading, const core::MqttMessage& message, std::string) {
  const Settings& settings = entity.settings();
  std::string bytes = message.payload();
  if (settings.text("image_encoding") == "b64") {
    auto plain = decoded(bytes);
    if (!plain) return entity.complain_text(reading.topic, "a picture in base64", bytes);
    bytes = std::move(*plain);
  }
  const std::string_view declared = settings.text("content_type");
  const auto type = core::picture_type(content_type(bytes, declared.empty() ? "image/jpeg" : declared));
  if (!type) return entity.complain_text("content_type", "one that browsers show", declared);
  entity.thing().show({.content_type = *type, .bytes = std::move(bytes)});
}

constexpr Reading kCameraReadings[] = {{.topic = "topic", .value_template = {}, .take = take, .raw = true}};
constexpr Reading kImageReadings[] = {{.topic = "image_topic", .value_template = {}, .take = take, .raw = true}};

}  // namespace image

const Component kCamera{.name = "camera",
                        .kind = &domains::kCamera,
                        .keys = image::kCameraKeys,
                        .readings = image::kCameraReadings,
                        .default_name = "MQTT Camera"};
const Component kImage{.name = "image",
                       .kind = &domains::kImage,
                       .keys = image::kImageKeys,
                       .readings = image::kImageReadings,
                       .default_name = "MQTT Image"};

}  // namespace hearth::integrations::mqtt
