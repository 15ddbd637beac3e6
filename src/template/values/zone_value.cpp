// SPDX-License-Identifier: Apache-2.0
#include "template/values/zone_value.h"

#include <fmt/format.h>

#include "template/values/call.h"

namespace hearth::templates {
namespace {

class ZoneObject final : public Object {
 public:
  explicit ZoneObject(Zone zone) : zone_(zone) {}
  const Zone& zone() const { return zone_; }
  std::string_view type_name() const override {
    return zone_.kind == Zone::Kind::named ? "zoneinfo.ZoneInfo" : "datetime.timezone";
  }
  std::string to_text() const override { return templates::to_text(zone_); }
  std::string quoted_text() const override { return quoted(zone_); }
  bool equals(const Object& other) const override {
    const auto* const zone = dynamic_cast<const ZoneObject*>(&other);
    return zone && zone->zone_ == zone_;
  }
  std::optional<Value> attribute(std::string_view name) const override;

 private:
  const Zone zone_;
};

// zone.utcoffset(time) and its like.
class ZoneMethod final : public Object {
 public:
  enum class Kind { utcoffset, dst, tzname, fromutc };
  ZoneMethod(Zone zone, Kind kind) : zone_(zone), kind_(kind) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  bool callable() const override { return true; }
  Value call(Call& call) const override {
    const Parameters in(call, "a time zone's method", {"dt"}, 1);
    const auto* const given = in[0].get<DateTime>();
    if (!given && !in[0].is_none()) {
      fail(FailureKind::type,
           fmt::format("a time zone's method needs a datetime or None, not {}", type_name_of(in[0])));
    }
    const bool fixed = zone_.kind == Zone::Kind::fixed;
    if (kind_ == Kind::fromutc) {
      if (!given || !(given->zone == zone_)) fail(FailureKind::value, "fromutc: dt.tzinfo is not self");
      return at(given->local, zone_);
    }
    if (kind_ == Kind::dst && fixed) return {};
    if (!given && !fixed) return {};
    const DateTime time{given ? given->local : 0, zone_, given && given->fold};
    if (kind_ == Kind::tzname) return Value(name_of(time));
    return TimeDelta{(kind_ == Kind::dst ? summer_offset_of(time).value_or(0) : offset_of(time)) * kSecond};
  }

 private:
  static std::string_view type_name_of(const Value& value) { return templates::type_name(value); }

  const Zone zone_;
  const Kind kind_;
};

std::optional<Value> ZoneObject::attribute(std::string_view name) const {
  using enum ZoneMethod::Kind;
  const auto method = [this](ZoneMethod::Kind kind) {
    return Value(ObjectPtr(std::make_shared<const ZoneMethod>(zone_, kind)));
  };
  if (name == "utcoffset") return method(utcoffset);
  if (name == "dst") return method(dst);
  if (name == "tzname") return method(tzname);
  if (name == "fromutc") return method(fromutc);
  if (zone_.kind == Zone::Kind::named)
    return name == "key" ? std::optional(Value(templates::to_text(zone_))) : std::nullopt;
  constexpr std::int32_t most = 24 * 3600 - 60;
  if (name == "utc") return zone_value(Zone::utc());
  if (name == "min") return zone_value(Zone::fixed(-most));
  if (name == "max") return zone_value(Zone::fixed(most));
  return {};
}

}  // namespace

Value zone_value(const Zone& zone) {
  if (zone.kind == Zone::Kind::none) return {};
  return ObjectPtr(std::make_shared<const ZoneObject>(zone));
}

std::optional<Zone> zone_of(const Value& value) {
  if (value.is_none()) return Zone{};
  const auto* const object = value.get<ObjectPtr>();
  const auto* const zone = object ? dynamic_cast<const ZoneObject*>(object->get()) : nullptr;
  if (!zone) return {};
  return zone->zone();
}

}  // namespace hearth::templates
