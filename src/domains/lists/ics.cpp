// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/registry/collection.h"
#include "domains/entities/local_time.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/ical_library.h"
#include "domains/lists/ics_lines.h"
#include "domains/lists/recurrence.h"

namespace hearth::domains::ics {
namespace {

using base::ErrorCode;

constexpr std::size_t kMaxText = 4'096, kMaxUid = 255;  // bytes
constexpr std::size_t kDayChars = 10;                   // of 2026-04-20
constexpr std::int64_t kDaySeconds = 86'400, kNoLength = 1'800;
constexpr std::size_t kMaxExdates = 1'000, kMaxLosses = 10'000;

struct FreeComponent {
  void operator()(icalcomponent* component) const { ical().icalcomponent_free(component); }
};
using Component = std::unique_ptr<icalcomponent, FreeComponent>;

std::unexpected<base::Error> no_calendar(std::string_view why) {
  return base::fail(ErrorCode::invalid, fmt::format("expected an iCalendar: {}.", why));
}

std::string value_of(icalproperty* property) {
  char* const text = ical().icalproperty_get_value_as_string_r(property);
  std::string value(text ? text : "");
  ical().icalmemory_free_buffer(text);
  return value;
}

class Reader {
 public:
  Reader(Entries& into, const std::string& zone, std::string_view kind, std::size_t most)
      : into_(into), zone_(zone), kind_(kind), most_(most) {}

  void begin(icalcomponent* component) {
    component_ = component;
    const char* const uid = ical().icalcomponent_get_uid(component);
    uid_ = uid ? uid : "";
  }
  const std::string& uid() const { return uid_; }
  void lost(std::string_view why) {
    if (into_.losses.size() == kMaxLosses) return;
    into_.losses.push_back(
        fmt::format("{} {}: {}", kind_, uid_.empty() ? "without a UID" : base::utf8_excerpt(uid_), why));
  }

  icalproperty* first(icalproperty_kind kind) const {
    return ical().icalcomponent_get_first_property(component_, kind);
  }
  icalproperty* next(icalproperty_kind kind) const { return ical().icalcomponent_get_next_property(component_, kind); }

  // Not longer than an item may have it.
  std::string text(icalproperty_kind kind, const char* given, std::string_view name) {
    if (!first(kind) || !given) return {};
    std::string found(given);
    if (found.size() <= kMaxText) return found;
    lost(fmt::format("{} is cut off after {} bytes", name, kMaxText));
    std::size_t size = kMaxText;
    while (size > 0 && (static_cast<unsigned char>(found[size]) & 0xC0U) == 0x80U) --size;
    found.resize(size);
    return found;
  }

  // A day, or a time with the offset of the home; empty if it is neither.
  std::string time(icalproperty* property) const {
    if (!property) return {};
    std::string value = value_of(property);
    const bool in_utc = value.ends_with('Z');
    if (in_utc) value.pop_back();
    const std::string wall = wall_of_recurrence_id(value);
    if (wall.empty() || wall.size() == kDayChars) return wall;
    const auto moment = parse_local_time(in_utc ? wall + "Z" : wall, zone_of(property));
    return moment ? local_time_text(*moment, zone_) : std::string();
  }
  // By whose clocks the property is.
  std::string zone_of(icalproperty* property) const {
    icalparameter* const parameter = ical().icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
    const char* const name = parameter ? ical().icalparameter_get_tzid(parameter) : nullptr;
    if (!name) return zone_;
    if (auto known = known_zone(name)) return *std::move(known);
    return zone_;
  }
  // Says so, if nobody knows the clocks of the property.
  void check_zone(icalproperty* property) {
    icalparameter* const parameter = ical().icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
    const char* const name = parameter ? ical().icalparameter_get_tzid(parameter) : nullptr;
    if (name && !known_zone(name))
      lost(fmt::format("TZID: the time zone {} is not known; it is read by the clocks of the home",
                       base::utf8_excerpt(name)));
  }

  void add(json::object fields) {
    if (uid_.empty() || uid_.size() > kMaxUid) return lost(fmt::format("expected a UID of 1 to {} bytes", kMaxUid));
    if (!seen_.emplace(uid_, into_.entries.size()).second) return lost("stands there twice");
    if (into_.entries.size() == most_) return lost(fmt::format("there are more than {} of them", most_));
    if (base::to_json(fields).size() > core::kMaxItemBytes)
      return lost(fmt::format("it has more than {} bytes", core::kMaxItemBytes));
    into_.entries.push_back({uid_, std::move(fields)});
  }
  // Null if there is none with this uid.
  Entry* find(const std::string& uid) {
    const auto found = seen_.find(uid);
    return found == seen_.end() || found->second >= into_.entries.size() ? nullptr : &into_.entries[found->second];
  }
  void rename(const std::string& uid) { uid_ = uid; }

 private:
  Entries& into_;
  const std::string& zone_;
  std::string_view kind_;
  const std::size_t most_;
  icalcomponent* component_ = nullptr;
  std::string uid_;
  std::map<std::string, std::size_t> seen_;  // places of the entries
};

json::object described(Reader& in, icalcomponent* component) {
  std::string summary = in.text(ICAL_SUMMARY_PROPERTY, ical().icalcomponent_get_summary(component), "SUMMARY");
  json::object fields{{"summary", summary.empty() ? "…" : summary}};
  const auto set = [&](std::string_view key, std::string text) {
    if (!text.empty()) fields[key] = std::move(text);
  };
  set("description",
      in.text(ICAL_DESCRIPTION_PROPERTY, ical().icalcomponent_get_description(component), "DESCRIPTION"));
  return fields;
}

void read_todo(Reader& in, icalcomponent* component) {
  json::object fields = described(in, component);
  const icalproperty_status status = ical().icalcomponent_get_status(component);
  const bool done = status == ICAL_STATUS_COMPLETED || status == ICAL_STATUS_CANCELLED ||
                    in.first(ICAL_COMPLETED_PROPERTY) != nullptr;
  fields["status"] = done ? "completed" : "needs_action";
  if (icalproperty* const due = in.first(ICAL_DUE_PROPERTY)) {
    std::string time = in.time(due);
    if (time.empty())
      in.lost("DUE is no time");
    else
      fields["due"] = std::move(time);
  }
  if (in.first(ICAL_RRULE_PROPERTY)) in.lost("RRULE: an item of a to-do list does not recur");
  in.add(std::move(fields));
}

// Sets `start` and `end`. False if there are none.
bool set_times(Reader& in, json::object& fields, const std::string& zone) {
  icalproperty* const starts = in.first(ICAL_DTSTART_PROPERTY);
  const std::string start = in.time(starts);
  if (start.empty()) return false;
  in.check_zone(starts);
  const bool is_day = start.size() == kDayChars;
  std::string end = in.time(in.first(ICAL_DTEND_PROPERTY));
  const auto moment = [&](const std::string& text) { return base::parse_timestamp(text).value_or(base::Timestamp()); };
  if (icalproperty* const duration = in.first(ICAL_DURATION_PROPERTY); end.empty() && duration) {
    const std::int64_t seconds = ical().icaldurationtype_as_int(ical().icalproperty_get_duration(duration));
    constexpr std::int64_t kLongest = 100 * 366 * kDaySeconds;
    if (seconds > 0 && seconds <= kLongest)
      end = is_day ? next_day(start, static_cast<int>(seconds / kDaySeconds))
                   : local_time_text(moment(start) + std::chrono::seconds(seconds), zone);
  }
  const bool fits = end.size() == start.size() && moment(end) > moment(start);
  if (!fits) end = is_day ? next_day(start) : local_time_text(moment(start) + std::chrono::seconds(kNoLength), zone);
  fields["start"] = start;
  fields["end"] = end;
  return true;
}

// The recurrence id of an EXDATE or RECURRENCE-ID in a series that begins at `first` by the clocks of its zone.
std::string recurrence_id(const Reader& in, icalproperty* property, const std::string& first, const std::string& zone) {
  const std::string text = in.time(property);
  if (text.empty()) return {};
  std::string wall = wall_time(text, zone);
  if (wall.size() > first.size()) wall.resize(first.size());
  if (wall.size() < first.size()) wall += first.substr(kDayChars);
  return recurrence_id_of(wall);
}

void read_event(Reader& in, icalcomponent* component, const std::string& zone) {
  json::object fields = described(in, component);
  if (const char* const location = ical().icalcomponent_get_location(component)) {
    if (std::string text = in.text(ICAL_LOCATION_PROPERTY, location, "LOCATION"); !text.empty())
      fields["location"] = std::move(text);
  }
  if (!set_times(in, fields, zone)) return in.lost("DTSTART: expected a time");
  if (in.first(ICAL_RDATE_PROPERTY)) in.lost("RDATE: such single times are not read");
  icalproperty* const rule = in.first(ICAL_RRULE_PROPERTY);
  if (!rule) return in.add(std::move(fields));
  const std::string rule_text = value_of(rule);
  if (in.next(ICAL_RRULE_PROPERTY)) in.lost("it has a second RRULE");
  icalproperty* const starts = in.first(ICAL_DTSTART_PROPERTY);
  const std::string own = in.zone_of(starts);
  auto made = series::changed(fields, {{series::kRule, rule_text}}, own);
  if (!made) {
    in.lost(made.error().message + " Only its first time is read.");
    return in.add(std::move(fields));
  }
  const std::string first = wall_time(made->at("start").get_string(), own);
  json::array gone;
  for (icalproperty* each = in.first(ICAL_EXDATE_PROPERTY); each; each = in.next(ICAL_EXDATE_PROPERTY)) {
    const json::value id(recurrence_id(in, each, first, own));
    if (id != "" && std::ranges::find(gone, id) == gone.end()) gone.push_back(id);
    if (gone.size() < kMaxExdates) continue;
    in.lost(fmt::format("EXDATE: only the first {} are read", kMaxExdates));
    break;
  }
  if (!gone.empty()) (*made)[series::kExdates] = std::move(gone);
  in.add(std::move(*made));
}

// Another VEVENT, which is about one occurrence.
void read_exception(Reader& in, icalcomponent* component, const std::string& zone) {
  json::object fields = described(in, component);
  if (const char* const location = ical().icalcomponent_get_location(component)) {
    if (std::string text = in.text(ICAL_LOCATION_PROPERTY, location, "LOCATION"); !text.empty())
      fields["location"] = std::move(text);
  }
  if (!set_times(in, fields, zone)) return in.lost("DTSTART: expected a time");
  icalproperty* const property = in.first(ICAL_RECURRENCEID_PROPERTY);
  Entry* const whole = in.find(in.uid());
  const bool recurs = whole && whole->fields.contains(series::kRule);
  const std::string own = recurs ? std::string(whole->fields.at(series::kZone).get_string()) : zone;
  const std::string first = wall_time((recurs ? whole->fields : fields).at("start").get_string(), own);
  const std::string id = recurrence_id(in, property, first, own);
  if (id.empty()) return in.lost("RECURRENCE-ID: expected a time");
  if (ical().icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER))
    in.lost("RECURRENCE-ID: its RANGE is not read, only this occurrence is changed");
  const bool cancelled = ical().icalcomponent_get_status(component) == ICAL_STATUS_CANCELLED;
  if (!recurs || !series::has(whole->fields, id)) {
    if (cancelled) return;
    // It stands for itself.
    if (whole || in.uid().empty()) in.rename(in.uid() + '-' + id);
    return in.add(std::move(fields));
  }
  json::object changed =
      cancelled ? series::without(whole->fields, id) : series::with(whole->fields, id, std::move(fields));
  if (base::to_json(changed).size() > core::kMaxItemBytes)
    return in.lost(fmt::format("with the occurrence {} it has more than {} bytes", id, core::kMaxItemBytes));
  whole->fields = std::move(changed);
}

template <class Visit>
void for_each(icalcomponent* root, icalcomponent_kind kind, const Visit& visit) {
  const auto within = [&](icalcomponent* calendar) {
    for (icalcomponent* each = ical().icalcomponent_get_first_component(calendar, kind); each;
         each = ical().icalcomponent_get_next_component(calendar, kind))
      visit(each);
  };
  if (ical().icalcomponent_isa(root) == ICAL_VCALENDAR_COMPONENT) return within(root);
  // Several, one after the other.
  for (icalcomponent* each = ical().icalcomponent_get_first_component(root, ICAL_VCALENDAR_COMPONENT); each;
       each = ical().icalcomponent_get_next_component(root, ICAL_VCALENDAR_COMPONENT))
    within(each);
}

base::Result<Component> parse(std::string_view text) {
  if (text.size() > kMaxBytes) return no_calendar(fmt::format("it has more than {} MiB", kMaxBytes / 1024 / 1024));
  if (text.contains('\0') || !base::utf8_length(text)) return no_calendar("it is not UTF-8 text");
  const std::string kept = relevant_lines(text);
  if (kept.empty()) return no_calendar("it is not BEGIN:VCALENDAR to END:VCALENDAR");
  if (auto loaded = load_ical(); !loaded) return std::unexpected(std::move(loaded.error()));
  Component root(ical().icalparser_parse_string(kept.c_str()));
  if (!root) return no_calendar("it cannot be read");
  return root;
}

}  // namespace

base::Result<Entries> read_todos(std::string_view text, const std::string& zone) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  Entries made;
  Reader in(made, zone, "VTODO", core::kMaxItems);
  for_each(root->get(), ICAL_VTODO_COMPONENT, [&](icalcomponent* each) {
    in.begin(each);
    read_todo(in, each);
  });
  return made;
}

base::Result<Entries> read_events(std::string_view text, const std::string& zone, const Limits& limits) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  Entries made;
  Reader in(made, zone, "VEVENT", limits.events);
  bool ended = false;
  for (const bool exceptions : {false, true}) {
    for_each(root->get(), ICAL_VEVENT_COMPONENT, [&](icalcomponent* each) {
      ended = ended || !limits.goes_on();
      if (ended) return;
      in.begin(each);
      if ((in.first(ICAL_RECURRENCEID_PROPERTY) != nullptr) != exceptions) return;
      if (exceptions)
        read_exception(in, each, zone);
      else
        read_event(in, each, zone);
    });
  }
  if (ended) return no_calendar("reading it takes too long");
  return made;
}

}  // namespace hearth::domains::ics
