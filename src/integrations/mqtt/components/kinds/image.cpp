// SPDX-License-Identifier: Apache-2.0
// Cameras and images: a picture a message.
#include <sodium.h>

#include "base/text/utf8.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace image {

constexpr Key kCameraKeys[] = {
    {.name = "topic", .type = field::TopicFilter{}, .required = true},
    {.name = "image_encoding", .type = field::Option{"b64"}},
};
constexpr Key kImageKeys[] = {
    {.name = "image_topic", .type = field::TopicFilter{}},
    {.name = "url_topic", .type = field::TopicFilter{}},
    {.name = "url_template", .type = field::Template{}},
    {.name = "image_encoding", .type = field::Option{"b64"}},
    {.name = "content_type", .type = field::Text{}, .fallback = "image/jpeg"},
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

void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage& message, std::string) {
  const Settings& settings = entity.settings();
  std::string bytes = message.payload();
  if (settings.text("image_encoding") == "b64") {
    auto plain = decoded(bytes);
    if (!plain) return entity.complain_text(reading.topic, "a picture in base64", bytes);
    bytes = std::move(*plain);
  }
  const std::string_view declared = settings.text("content_type");
  entity.show_picture(declared.empty() ? "image/jpeg" : declared, std::move(bytes));
}

void receive_url(ThingEntity& entity, const Reading&, const core::MqttMessage&, std::string text) {
  entity.fetch_picture(std::move(text));
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  const bool has_image = settings.has("image_topic"), has_url = settings.has("url_topic");
  if (!has_image && !has_url)
    return base::fail(base::ErrorCode::invalid, "image_topic: expected this or url_topic, got neither");
  if (has_image && has_url) settings.drop("url_topic", "expected either this or image_topic, got both", dropped);
  return {};
}

constexpr Reading kCameraReadings[] = {{.topic = "topic", .value_template = {}, .receive = receive, .raw = true}};
constexpr Reading kImageReadings[] = {
    {.topic = "image_topic", .value_template = {}, .receive = receive, .raw = true},
    {.topic = "url_topic", .value_template = "url_template", .receive = receive_url},
};

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
                       .default_name = "MQTT Image",
                       .check = image::check};

}  // namespace hearth::integrations::mqtt
