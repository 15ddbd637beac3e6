// SPDX-License-Identifier: Apache-2.0
#include "template/values/zoned_time.h"

#include "template/values/moment.h"

namespace hearth::templates {

std::expected<std::string, std::string_view> zoned_time(std::string_view text) {
  const auto time = parse_iso(text);
  if (!time) return std::unexpected("a time by ISO 8601");
  if (time->zone.kind == Zone::Kind::none) {
    return std::unexpected("a time with its zone (at the end, such as +01:00; in a template add | as_local)");
  }
  DateTime utc = at(moment_of(*time, Zone::utc()), Zone::utc());
  if (!in_range(utc.local)) return std::unexpected("a time by ISO 8601");
  utc.local = (utc.local - day_of(utc.local) * kDay) / kSecond * kSecond + day_of(utc.local) * kDay;
  return to_text(utc, 'T');
}

}  // namespace hearth::templates
