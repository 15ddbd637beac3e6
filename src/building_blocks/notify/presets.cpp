// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/presets.h"

#include <algorithm>

namespace hearth::building_blocks {
namespace {

using Header = std::pair<std::string_view, std::string_view>;

constexpr Header kBotToken[] = {{"Authorization", "Bot {{ token }}"}};
constexpr Header kBearerToken[] = {{"Authorization", "{{ 'Bearer ' ~ token if token else '' }}"}};
constexpr Header kBearerKey[] = {{"Authorization", "Bearer {{ api_key }}"}};

constexpr Preset kPresets[] = {
    {.platform = "discord",
     .url = "https://discord.com",
     .needed = "token",
     .optional = "channel_id",
     .secret = "token",
     .path = "/api/v10/channels/{{ (target or channel_id) | int }}/messages",
     .headers = kBotToken,
     .body = R"({"content": "{{ '**' ~ title ~ '**\\n' ~ message if title else message }}"})"},
    {.platform = "ntfy",
     .url = "https://ntfy.sh",
     .needed = "topic",
     .optional = "token",
     .secret = "token",
     .has_credentials = true,
     .path = "/",
     .headers = kBearerToken,
     .body = R"({"topic": "{{ target or topic }}", "message": "{{ message }}", "title": "{{ title }}"})"},
    {.platform = "pushover",
     .url = "https://api.pushover.net",
     .needed = "api_key user_key",
     .optional = {},
     .secret = "api_key user_key",
     .path = "/1/messages.json",
     .headers = {},
     .body = R"({"token": "{{ api_key }}", "user": "{{ user_key }}", "message": "{{ message }}",
                 "title": "{{ title or home }}", "device": "{{ target }}"})"},
    {.platform = "slack",
     .url = "https://slack.com",
     .needed = "api_key default_channel",
     .optional = "username icon",
     .secret = "api_key",
     .path = "/api/chat.postMessage",
     .headers = kBearerKey,
     .body = R"({"channel": "{{ target or default_channel }}", "username": "{{ username }}",
                 "text": "{{ '*' ~ title ~ '*\\n' ~ message if title else message }}",
                 "icon_emoji": "{{ icon if icon.startswith(':') else '' }}",
                 "icon_url": "{{ icon if '://' in icon else '' }}"})",
     .ok = "ok"},
    {.platform = "telegram",
     .url = "https://api.telegram.org",
     .needed = "api_key chat_id",
     .optional = "parse_mode",
     .secret = "api_key",
     .path = "/bot{{ api_key }}/sendMessage",
     .headers = {},
     .body = R"({"chat_id": "{{ target or chat_id }}", "parse_mode": "{{ parse_mode }}",
                 "text": "{{ title ~ '\\n' ~ message if title else message }}"})"},
};

}  // namespace

const Preset* find_preset(std::string_view platform) {
  const auto found = std::ranges::find(kPresets, platform, &Preset::platform);
  return found == std::end(kPresets) ? nullptr : &*found;
}

}  // namespace hearth::building_blocks
