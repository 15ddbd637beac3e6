// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "core/values/words.h"
#include "domains/entities/local_time.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/ics_lines.h"
#include "domains/lists/recurrence.h"

namespace hearth::domains::ics {
namespace {

constexpr std::size_t kWallDay = 10;  // of 2026-04-20
constexpr core::Words kTimeNames{"dtstart dtend duration rrule"};
constexpr core::Words kOwnNames{"uid dtstamp last-modified sequence recurrence-id exdate"};

using Lines = std::vector<std::string>;

// Lines with their continuations.
Lines unfolded(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if ((line.starts_with(' ') || line.starts_with('\t')) && !lines.empty())
      lines.back() += line.substr(1);
    else if (!line.empty())
      lines.emplace_back(line);
  }
  return lines;
}

// In lines of at most 75 bytes, cut between code points.
void append_folded(std::string& text, std::string_view line) {
  std::size_t most = 75;
  while (line.size() > most) {
    std::size_t size = most;
    while (size > 1 && (static_cast<unsigned char>(line[size]) & 0xC0U) == 0x80U) --size;
    (text += line.substr(0, size)) += "\r\n ";
    line.remove_prefix(size);
    most = 74;  // and the blank
  }
  (text += line) += "\r\n";
}

std::string property_name(std::string_view line) {
  return core::lower_case(line.substr(0, line.find_first_of(":;")));
}

// Of "NAME;PARAMETERS:value".
std::string_view value_of_line(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == ':' && !quoted) return line.substr(i + 1);
  }
  return {};
}

std::string escaped_text(std::string_view text) {
  std::string made;
  for (const char each : text) {
    if (each == '\r') continue;
    if (each == '\n') {
      made += "\\n";
      continue;
    }
    if (each == '\\' || each == ';' || each == ',') made += '\\';
    made += each;
  }
  return made;
}

std::string utc_text(base::Timestamp time) {
  return recurrence_id_of(base::to_string(time).substr(0, 19)) + "Z";
}

std::string field_of(const json::object& fields, std::string_view key) {
  return base::text_at(fields, key);
}

// NAME of a day or a moment; by the clocks of `own`, if there is one.
std::string time_line(std::string_view name, std::string_view text, const std::string& own) {
  if (text.size() == kWallDay) return fmt::format("{};VALUE=DATE:{}", name, recurrence_id_of(text));
  if (own.empty()) return fmt::format("{}:{}", name, utc_text(base::parse_timestamp(text).value_or(base::Timestamp())));
  return fmt::format("{};TZID={}:{}", name, own, recurrence_id_of(wall_time(text, own)));
}

std::string id_line(std::string_view name, std::string_view id, const std::string& own) {
  if (id.size() == 8) return fmt::format("{};VALUE=DATE:{}", name, id);
  return fmt::format("{};TZID={}:{}", name, own, id);
}

// The rule with its UNTIL as a moment, if the event has times (RFC 5545 §3.3.10).
std::string rule_text(std::string rule, bool is_day, const std::string& own) {
  constexpr std::string_view kName = "RRULE:", kUntil = "UNTIL=";
  if (rule.starts_with(kName)) rule.erase(0, kName.size());
  const auto place = rule.find(kUntil);
  if (place == std::string::npos || is_day) return rule;
  const auto begin = place + kUntil.size();
  const auto end = std::min(rule.find(';', begin), rule.size());
  std::string wall = wall_of_recurrence_id(rule.substr(begin, end - begin));
  if (wall.empty()) return rule;  // it has one
  if (wall.size() == kWallDay) wall += "T23:59:59";
  const auto moment = parse_local_time(wall, own);
  return moment ? rule.replace(begin, end - begin, utc_text(*moment)) : rule;
}

// The VEVENTs of the text, by their recurrence ids; that of the whole event has none.
struct Block {
  Lines lines;  // without BEGIN and END
  int sequence = 0;
};

class Writer {
 public:
  Writer(std::string_view uid, const json::object& before, const json::object& after, base::Timestamp now)
      : uid_(escaped_text(uid)), before_(before), after_(after), now_(now), own_(field_of(after, series::kZone)) {}

  Lines whole(const Block* old) const {
    Lines lines = begin(old);
    const bool same_times = old && same("start") && same("end") && same(series::kRule);
    keep(lines, old, before_, after_, same_times);
    texts(lines, old ? &before_ : nullptr, after_);
    if (!same_times) {
      const std::string start = field_of(after_, "start");
      lines.push_back(time_line("DTSTART", start, own_));
      lines.push_back(time_line("DTEND", field_of(after_, "end"), own_));
      if (const std::string rule = field_of(after_, series::kRule); !rule.empty())
        lines.push_back("RRULE:" + rule_text(rule, start.size() == kWallDay, own_));
    }
    if (const json::value* const gone = after_.if_contains(series::kExdates); gone && gone->is_array()) {
      for (const json::value& id : gone->get_array()) lines.push_back(id_line("EXDATE", id.get_string(), own_));
    }
    lines.emplace_back("END:VEVENT");
    return lines;
  }

  Lines exception(std::string_view id, const json::object& fields, const json::object* former, const Block* old) const {
    Lines lines = begin(old);
    static const json::object kNone;
    const json::object& was = former ? *former : kNone;
    const auto same_of = [&](std::string_view key) { return old && field_of(was, key) == field_of(fields, key); };
    const bool same_times = same_of("start") && same_of("end");
    keep(lines, old, was, fields, same_times);
    texts(lines, old ? former : nullptr, fields);
    lines.push_back(id_line("RECURRENCE-ID", id, own_));
    if (!same_times) {
      lines.push_back(time_line("DTSTART", field_of(fields, "start"), own_));
      lines.push_back(time_line("DTEND", field_of(fields, "end"), own_));
    }
    lines.emplace_back("END:VEVENT");
    return lines;
  }

 private:
  bool same(std::string_view key) const { return field_of(before_, key) == field_of(after_, key); }

  Lines begin(const Block* old) const {
    return {"BEGIN:VEVENT", fmt::format("UID:{}", uid_), "DTSTAMP:" + utc_text(now_), "LAST-MODIFIED:" + utc_text(now_),
            fmt::format("SEQUENCE:{}", old ? old->sequence + 1 : 0)};
  }

  // The lines of the text that stay.
  static void keep(Lines& lines, const Block* old, const json::object& was, const json::object& is, bool same_times) {
    if (!old) return;
    std::size_t depth = 0;
    for (const std::string& line : old->lines) {
      const std::string name = property_name(line);
      if (name == "begin") ++depth;
      const bool within = depth > 0;
      if (name == "end" && depth > 0) --depth;
      if (!within) {
        if (kOwnNames.contains(name) || (kTimeNames.contains(name) && !same_times)) continue;
        const bool is_text = name == "summary" || name == "description" || name == "location";
        if (is_text && field_of(was, name) != field_of(is, name)) continue;
      }
      lines.push_back(line);
    }
  }
  // The new ones. `was`: null if all are.
  static void texts(Lines& lines, const json::object* was, const json::object& is) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"summary", "SUMMARY"}, {"description", "DESCRIPTION"}, {"location", "LOCATION"}};
    for (const auto& [key, name] : kNames) {
      const std::string text = field_of(is, key);
      if (text.empty() || (was && field_of(*was, key) == text)) continue;
      lines.push_back(fmt::format("{}:{}", name, escaped_text(text)));
    }
  }

  const std::string uid_;
  const json::object& before_;
  const json::object& after_;
  const base::Timestamp now_;
  const std::string own_;
};

const json::object* exception_of(const json::object& fields, std::string_view id) {
  const json::value* const all = fields.if_contains("exceptions");
  const json::value* const found = all && all->is_object() ? all->get_object().if_contains(id) : nullptr;
  return found && found->is_object() ? &found->get_object() : nullptr;
}

// The id of a RECURRENCE-ID by the clocks of the event.
std::string id_of_line(std::string_view line, const std::string& own) {
  std::string value(value_of_line(line));
  const bool in_utc = value.ends_with('Z');
  if (in_utc) value.pop_back();
  const std::string wall = wall_of_recurrence_id(value);
  if (wall.empty() || !in_utc) return wall.empty() ? std::string() : value;
  return recurrence_id_of(wall_time(wall + "Z", own));
}

}  // namespace

std::string write_event(std::string_view uid, const json::object& fields, base::Timestamp now) {
  std::string text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Hearth//Hearth//EN\r\n";
  const std::string own = field_of(fields, series::kZone), start = field_of(fields, "start");
  if (!own.empty() && start.size() != kWallDay) text += time_zone_component(own, wall_time(start, own));
  static const json::object kNone;
  const Writer writer(uid, kNone, fields, now);
  for (const std::string& line : writer.whole(nullptr)) append_folded(text, line);
  if (const json::value* const all = fields.if_contains("exceptions"); all && all->is_object()) {
    for (const auto& [id, exception] : all->get_object()) {
      for (const std::string& line : writer.exception(id, exception.as_object(), nullptr, nullptr))
        append_folded(text, line);
    }
  }
  return text + "END:VCALENDAR\r\n";
}

base::Result<std::string> rewrite_event(std::string_view text, std::string_view uid, const json::object& before,
                                        const json::object& after, base::Timestamp now) {
  const std::string own = field_of(after, series::kZone), former_own = field_of(before, series::kZone);
  Lines around;  // what is not of this event; the event comes before its last line
  std::map<std::string, Block> blocks;
  bool has_zone = false;
  const Lines lines = unfolded(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (core::lower_case(lines[i]) != "begin:vevent") {
      has_zone = has_zone || lines[i] == "TZID:" + own;
      around.push_back(lines[i]);
      continue;
    }
    Block block;
    std::string its_uid, id;
    std::size_t depth = 1;
    const std::size_t first = i;
    for (++i; i < lines.size(); ++i) {
      const std::string name = property_name(lines[i]);
      if (name == "begin") ++depth;
      if (name == "end" && --depth == 0) break;
      block.lines.push_back(lines[i]);
      if (depth != 1) continue;
      if (name == "uid") its_uid = value_of_line(lines[i]);
      if (name == "sequence")
        block.sequence = std::clamp(std::atoi(std::string(value_of_line(lines[i])).c_str()), 0, 1'000'000);
      if (name == "recurrence-id") id = id_of_line(lines[i], former_own);
    }
    if (its_uid == uid || its_uid == escaped_text(uid))
      blocks.insert_or_assign(std::move(id), std::move(block));
    else
      around.insert(around.end(), lines.begin() + static_cast<std::ptrdiff_t>(first),
                    lines.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1, lines.size())));
  }
  const auto whole = blocks.find("");
  if (whole == blocks.end() || around.empty())
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("uid: the server has no event {} any more.", base::utf8_excerpt(uid)));
  std::string made;
  const std::string last = around.back();
  around.pop_back();
  for (const std::string& line : around) append_folded(made, line);
  const std::string start = field_of(after, "start");
  if (!own.empty() && !has_zone && start.size() != kWallDay) made += time_zone_component(own, wall_time(start, own));
  const Writer writer(uid, before, after, now);
  for (const std::string& line : writer.whole(&whole->second)) append_folded(made, line);
  if (const json::value* const all = after.if_contains("exceptions"); all && all->is_object()) {
    for (const auto& [id, exception] : all->get_object()) {
      const auto old = blocks.find(std::string(id));
      const Block* const block = old == blocks.end() ? nullptr : &old->second;
      for (const std::string& line : writer.exception(id, exception.as_object(), exception_of(before, id), block))
        append_folded(made, line);
    }
  }
  append_folded(made, last);
  return made;
}

}  // namespace hearth::domains::ics
