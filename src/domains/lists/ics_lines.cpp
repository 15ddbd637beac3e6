// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics_lines.h"

#include <date/tz.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/values/entity_id.h"
#include "core/values/words.h"

namespace hearth::domains::ics {
namespace {

constexpr core::Words kComponents{"vcalendar vevent vtodo"};
constexpr core::Words kProperties{
    "uid summary description location dtstart dtend duration rrule exdate rdate recurrence-id status due completed"};
constexpr std::size_t kLongestName = 13;  // of recurrence-id

// At most so many bytes, cut between code points.
std::string_view cut(std::string_view line, std::size_t most) {
  if (line.size() <= most) return line;
  while (most > 0 && (static_cast<unsigned char>(line[most]) & 0xC0U) == 0x80U) --most;
  return line.substr(0, most);
}

bool is_read(std::string_view line) {
  const std::size_t end = line.substr(0, kLongestName + 1).find_first_of(":;");
  return end != std::string_view::npos && kProperties.contains(core::lower_case(line.substr(0, end)));
}

// Names of Windows (Unicode CLDR, windowsZones) that calendars of Europe, America, Asia and Australia have.
constexpr std::pair<std::string_view, std::string_view> kWindowsZones[] = {
    {"AUS Eastern Standard Time", "Australia/Sydney"},
    {"Alaskan Standard Time", "America/Anchorage"},
    {"Arab Standard Time", "Asia/Riyadh"},
    {"Arabian Standard Time", "Asia/Dubai"},
    {"Argentina Standard Time", "America/Argentina/Buenos_Aires"},
    {"Atlantic Standard Time", "America/Halifax"},
    {"Cen. Australia Standard Time", "Australia/Adelaide"},
    {"Central America Standard Time", "America/Guatemala"},
    {"Central Europe Standard Time", "Europe/Budapest"},
    {"Central European Standard Time", "Europe/Warsaw"},
    {"Central Standard Time", "America/Chicago"},
    {"China Standard Time", "Asia/Shanghai"},
    {"E. Africa Standard Time", "Africa/Nairobi"},
    {"E. Australia Standard Time", "Australia/Brisbane"},
    {"E. Europe Standard Time", "Europe/Chisinau"},
    {"E. South America Standard Time", "America/Sao_Paulo"},
    {"Eastern Standard Time", "America/New_York"},
    {"Egypt Standard Time", "Africa/Cairo"},
    {"FLE Standard Time", "Europe/Kiev"},
    {"GMT Standard Time", "Europe/London"},
    {"GTB Standard Time", "Europe/Bucharest"},
    {"Greenwich Standard Time", "Atlantic/Reykjavik"},
    {"Hawaiian Standard Time", "Pacific/Honolulu"},
    {"India Standard Time", "Asia/Kolkata"},
    {"Israel Standard Time", "Asia/Jerusalem"},
    {"Korea Standard Time", "Asia/Seoul"},
    {"Mountain Standard Time", "America/Denver"},
    {"New Zealand Standard Time", "Pacific/Auckland"},
    {"Pacific SA Standard Time", "America/Santiago"},
    {"Pacific Standard Time", "America/Los_Angeles"},
    {"Romance Standard Time", "Europe/Paris"},
    {"Russian Standard Time", "Europe/Moscow"},
    {"SA Pacific Standard Time", "America/Bogota"},
    {"SE Asia Standard Time", "Asia/Bangkok"},
    {"Singapore Standard Time", "Asia/Singapore"},
    {"South Africa Standard Time", "Africa/Johannesburg"},
    {"Taipei Standard Time", "Asia/Taipei"},
    {"Tokyo Standard Time", "Asia/Tokyo"},
    {"Turkey Standard Time", "Europe/Istanbul"},
    {"US Mountain Standard Time", "America/Phoenix"},
    {"UTC", "Etc/UTC"},
    {"W. Australia Standard Time", "Australia/Perth"},
    {"W. Central Africa Standard Time", "Africa/Lagos"},
    {"W. Europe Standard Time", "Europe/Berlin"},
};

std::optional<std::string> zone_named(std::string_view name) {
  try {
    return date::locate_zone(name)->name();
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

std::string relevant_lines(std::string_view text) {
  std::string kept;
  std::size_t depth = 0, skipped = 0, line_bytes = 0;
  bool in_kept = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool folded = line.starts_with(' ') || line.starts_with('\t');
    const std::string name = folded ? std::string() : core::lower_case(line.substr(0, 6));
    if (name == "begin:") {
      const bool read = kComponents.contains(core::lower_case(line.substr(6)));
      if (skipped > 0 || !read || depth >= 2)
        ++skipped;
      else
        ++depth;
      in_kept = skipped == 0;
    } else if (name.size() > 4 && name.starts_with("end:")) {
      if (skipped > 0) {
        --skipped;
        in_kept = false;
        continue;
      }
      if (depth == 0) return {};
      --depth;
      in_kept = true;
    } else if (!folded) {
      in_kept = skipped == 0 && depth > 0 && is_read(line);
    }
    if (!in_kept || skipped > 0) continue;
    if (!folded) line_bytes = 0;
    const std::string_view part = cut(line, kMaxLine - std::min(line_bytes, kMaxLine));
    line_bytes += part.size();
    if (!part.empty()) kept.append(part) += "\r\n";
  }
  return depth == 0 && skipped == 0 ? kept : std::string();
}

std::optional<std::string> known_zone(std::string_view name) {
  if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
  if (auto found = zone_named(name)) return found;
  const auto windows = std::ranges::find(kWindowsZones, name, &std::pair<std::string_view, std::string_view>::first);
  if (windows != std::end(kWindowsZones)) return zone_named(windows->second);
  // /freeassociation.sourceforge.net/Tzfile/Europe/Berlin
  if (!name.starts_with('/')) return {};
  const std::size_t last = name.rfind('/');
  const std::size_t before = last == 0 ? std::string_view::npos : name.rfind('/', last - 1);
  return before == std::string_view::npos ? std::nullopt : zone_named(name.substr(before + 1));
}

}  // namespace hearth::domains::ics
