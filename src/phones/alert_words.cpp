// SPDX-License-Identifier: Apache-2.0
#include "phones/alert_words.h"

#include <algorithm>

namespace hearth::phones {
namespace {

struct Row {
  std::string_view kind, english, german;
};
constexpr Row kRows[] = {
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

}  // namespace

std::string_view alert_words(std::string_view kind, bool german) {
  const auto row = std::ranges::find(kRows, kind, &Row::kind);
  if (row == std::end(kRows)) return german ? "Hinweis" : "Alert";
  return german ? row->german : row->english;
}

}  // namespace hearth::phones
