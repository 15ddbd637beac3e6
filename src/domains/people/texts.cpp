// SPDX-License-Identifier: Apache-2.0
#include "domains/people/texts.h"

#include <algorithm>

namespace hearth::domains {
namespace {

struct PeopleText {
  std::string_view key, english, german;
};
constexpr PeopleText kTexts[] = {
    {"tell", "Tell {}", "{} Bescheid sagen"},
    {"tell_everyone", "Tell everyone", "Allen Bescheid sagen"},
    {"failed_login", "Failed login", "Anmeldung fehlgeschlagen"},
    {"failed_login_of", "{} from {}", "{} von {}"},
    {"somebody", "somebody", "jemand"},
    {"cost_of", "{} cost", "{}: Kosten"},
    {"compensation_of", "{} compensation", "{}: Vergütung"},
};
constexpr PeopleText kAnyAlert{"", "Alert", "Hinweis"};
constexpr PeopleText kAlertTitles[] = {
    {"smoke", "Smoke", "Rauch"},
    {"carbon_monoxide", "Carbon monoxide", "Kohlenmonoxid"},
    {"gas", "Gas", "Gas"},
    {"moisture", "Water", "Wasser"},
    {"alarm", "Alarm", "Alarm"},
    {"safety", "Danger", "Gefahr"},
    {"tamper", "Tampering", "Manipulation"},
    {"jammed", "Lock is jammed", "Schloss klemmt"},
    {"vacuum_error", "Vacuum cleaner with an error", "Staubsauger mit Fehler"},
    {"mower_error", "Mower with an error", "Mäher mit Fehler"},
    {"problem", "Problem", "Problem"},
    {"heat", "Too hot", "Zu heiß"},
    {"cold", "Too cold", "Zu kalt"},
    {"open", "Open for long", "Lange offen"},
    {"battery", "Battery low", "Batterie schwach"},
    {"unavailable", "Device does not answer", "Gerät antwortet nicht"},
    {"update", "Update", "Aktualisierung"},
};

std::string_view in_language(const PeopleText& text, std::string_view language) {
  return language.starts_with("de") ? text.german : text.english;
}

}  // namespace

std::string_view text_for_people(std::string_view key, std::string_view language) {
  const auto* const found = std::ranges::find(kTexts, key, &PeopleText::key);
  return found == std::end(kTexts) ? key : in_language(*found, language);
}

std::string_view text_for_people(std::string_view key, const core::Hub& hub) {
  return text_for_people(key, hub.config.load()->language);
}

std::string_view alert_title(std::string_view kind, std::string_view language) {
  const auto* const found = std::ranges::find(kAlertTitles, kind, &PeopleText::key);
  return in_language(found == std::end(kAlertTitles) ? kAnyAlert : *found, language);
}

}  // namespace hearth::domains
