// SPDX-License-Identifier: Apache-2.0
#include "app/sections/home_section.h"

#include <date/tz.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/net/web_origin.h"
#include "base/text/utf8.h"

namespace hearth::app {
namespace {

using OptionalText = std::optional<std::string>;

OptionalText parse_name(std::string_view text) {
  const auto length = base::utf8_length(text);
  if (length && *length >= 1 && *length <= 255) return std::string(text);
  return {};
}

OptionalText parse_time_zone(std::string_view text) {
  try {
    date::locate_zone(std::string(text));
    return std::string(text);
  } catch (const std::runtime_error&) {
    return {};
  }
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

OptionalText parse_currency(std::string_view text) {
  if (text.size() == 3 && std::ranges::all_of(text, is_capital)) return std::string(text);
  return {};
}

OptionalText parse_country(std::string_view text) {
  if (text.empty() || (text.size() == 2 && std::ranges::all_of(text, is_capital))) return std::string(text);
  return {};
}

// A language and its subtags (RFC 5646 §2.1, by shape): en, pt-BR, zh-Hans.
OptionalText parse_language(std::string_view text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_letter = [&](char c) { return is_lower(c) || is_capital(c) || (c >= '0' && c <= '9'); };
  const auto language = text.substr(0, text.find('-'));
  if (language.size() < 2 || language.size() > 3 || !std::ranges::all_of(language, is_lower)) return {};
  for (auto rest = text.substr(language.size()); !rest.empty();) {
    rest.remove_prefix(1);
    const auto subtag = rest.substr(0, rest.find('-'));
    if (subtag.size() < 2 || subtag.size() > 8 || !std::ranges::all_of(subtag, is_letter)) return {};
    rest.remove_prefix(subtag.size());
  }
  return std::string(text);
}

OptionalText parse_url(std::string_view text) {
  return text.empty() ? OptionalText("") : base::parse_web_origin(text);
}

}  // namespace

void read_home(base::ConfigReader& in, core::HubConfig& home, std::string_view name_key) {
  using core::UnitSystem;
  in.parsed(name_key, home.location_name, "a text of 1 to 255 characters", parse_name);
  in.number("latitude", home.latitude, -90, 90);
  in.number("longitude", home.longitude, -180, 180);
  in.integer("elevation", home.elevation, -1000, 10'000);
  in.parsed("time_zone", home.time_zone, "a time zone such as Europe/Berlin", parse_time_zone);
  in.option("unit_system", home.unit_system,
            {{"metric", UnitSystem::metric}, {"us_customary", UnitSystem::us_customary}});
  in.parsed("currency", home.currency, "three capital letters such as EUR", parse_currency);
  in.parsed("country", home.country, "two capital letters such as DE", parse_country);
  in.parsed("language", home.language, "a language such as en or pt-BR", parse_language);
  in.parsed("internal_url", home.internal_url, "an address such as http://192.168.1.5:8123", parse_url);
  in.parsed("external_url", home.external_url, "an address such as https://home.example.org", parse_url);
}

}  // namespace hearth::app
