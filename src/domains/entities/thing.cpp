// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/thing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kState = "state";  // the value's name among attributes
constexpr std::string_view kPictureToken = "access_token", kPicturePath = "entity_picture";

std::string excerpt(const json::value& value) {
  return base::utf8_excerpt(base::to_json(value));
}

}  // namespace

Thing::Thing(const Kind& kind, EntityInfo info, Abilities can, ThingDevice* device)
    : Entity(kind.domain, std::move(info), device),
      kind_(kind),
      device_(device),
      features_(kind.features_of(can.features) | can.feature_bits),
      decimals_(can.decimals) {
  std::string wrong;
  for (const auto& [name, value] : can.attributes) take_attribute(name, value, wrong);
  if (!wrong.empty()) {
    base::log_warning("domains", "{} of {} has abilities that no {} can have: {}", this->info().unique_id,
                      this->info().integration, kind_.domain, wrong);
  }
}

Thing::~Thing() {
  if (kind_.pictures && added()) pictures().remove(registry_id());
}

void Thing::show(core::Picture picture) {
  const bool first = attribute(kPictureToken).is_null();
  if (auto taken = pictures().set(registry_id(), std::move(picture)); !taken) {
    const base::LogScope own({.entity = entity_id()});
    if (!std::exchange(logged_wrong_, true))
      base::log_warning("domains", "{} of {}: {}", entity_id(), info().integration, taken.error().message);
    return;
  }
  if (first) renew_picture_token();
  if (first || kind_.stamped == Stamped::when_reported) report({});
}

void Thing::renew_picture_token() {
  attributes_[kPictureToken] = pictures().renew_token(registry_id());
  picture_token_ = bus().schedule(kPictureTokenLife, [this] {
    renew_picture_token();
    write();
  });
}

const json::value& Thing::attribute(std::string_view name) const {
  static const json::value none;
  const json::value* const found = attributes_.if_contains(name);
  return found ? *found : none;
}

std::optional<double> Thing::number(std::string_view name) const {
  const json::value& value = attribute(name);
  return value.is_number() ? std::optional(value.to_number<double>()) : std::nullopt;
}

const Feature* Thing::lacks(core::Words features) const {
  for (const std::string_view name : features) {
    const Feature* const feature = kind_.find_feature(name);
    if (feature && !(features_ & feature->bit)) return feature;
  }
  return nullptr;
}

bool Thing::offers(std::string_view list, std::string_view option) const {
  const json::value& options = attribute(list);
  return !options.is_array() ||
         std::ranges::find(options.get_array(), json::value(option)) != options.get_array().end();
}

void Thing::take_value(const json::value& value, std::string& wrong) {
  auto text = value_text(kind_, value, decimals_);
  if (text && (kind_.bounds.options.empty() || *text == core::kUnknown || offers(kind_.bounds.options, *text))) {
    value_ = std::move(*text);
    return;
  }
  wrong += fmt::format("{}the value {}, expected {}", wrong.empty() ? "" : "; ", excerpt(value),
                       text ? fmt::format("one of {}", kind_.bounds.options) : field::expected(kind_.value));
}

void Thing::take_attribute(std::string_view name, const json::value& value, std::string& wrong) {
  const Attribute* const attribute = kind_.find_attribute(name);
  const auto say = [&](std::string_view what) {
    wrong += fmt::format("{}{}: {}", wrong.empty() ? "" : "; ", base::utf8_excerpt(name), what);
  };
  if (!attribute) return say("no such attribute");
  if (value.is_null()) {
    attributes_[name] = nullptr;
    return;
  }
  auto converted = field::convert(attribute->type, value);
  const bool listed =
      attribute->options.empty() || !value.is_string() || offers(attribute->options, value.get_string());
  if (!converted || !listed) {
    return say(fmt::format("expected {}, got {}",
                           listed ? field::expected(attribute->type) : fmt::format("one of {}", attribute->options),
                           excerpt(value)));
  }
  attributes_[name] = std::move(*converted);
}

void Thing::report(Report report, const core::Context* cause) {
  std::string wrong;
  // Before the value, which may be one of the options that they list.
  for (const auto& [name, value] : report.attributes) take_attribute(name, value, wrong);
  if (report.value)
    take_value(*report.value, wrong);
  else if (kind_.stamped == Stamped::when_reported && added())
    value_ = base::to_string(now());
  if (kind_.value_of) value_ = kind_.value_of(attributes_);
  if (!wrong.empty() && !std::exchange(logged_wrong_, true)) {
    const base::LogScope own({.entity = added() ? entity_id() : std::string_view()});
    base::log_warning("domains", "{} of {} reports values that no {} can have: {}",
                      added() ? entity_id() : std::string_view(info().unique_id), info().integration, kind_.domain,
                      wrong);
  }
  write(cause);
}

void Thing::add_capabilities(json::object& attributes) const {
  for (const Attribute& each : kind_.attributes) {
    if (each.shown != Shown::once || lacks(each.needs)) continue;
    if (const json::value& value = attribute(each.name); !value.is_null()) attributes[each.name] = value;
  }
  if (!kind_.features.empty()) attributes["supported_features"] = features_;
}

void Thing::add_attributes(json::object& attributes) const {
  for (const Attribute& each : kind_.attributes) {
    if (each.shown == Shown::once || lacks(each.needs)) continue;
    const json::value& value = attribute(each.name);
    if (each.shown == Shown::always || !value.is_null()) attributes[each.name] = value;
  }
  if (const json::value& token = attribute(kPictureToken); kind_.pictures && token.is_string()) {
    const std::string_view text = token.get_string();
    attributes[kPicturePath] = fmt::format("/api/{}_proxy/{}?token={}", kind_.domain, entity_id(), text);
  }
}

void Thing::obey(const Order& order) {
  if (order.action->by_hub) return report(outcome(kind_, *order.action, order.data));
  if (device_) device_->obey(order);
  if (kind_.stamped == Stamped::when_done) report({.value = base::to_string(now())});
}

base::Result<json::object> Thing::answer(const Order& order) const {
  if (!device_) return base::fail(base::ErrorCode::unavailable, fmt::format("{} has no device to ask.", entity_id()));
  return device_->answer(*order.action, order.data);
}

Report outcome(const Kind& kind, const Action& action, const json::object& data) {
  Report report;
  if (!action.value.empty()) report.value = action.value;
  for (const auto& [key, value] : data) {
    std::string_view name = key;
    for (const Input& input : action.fields) {
      if (input.field.name == name && !input.sets.empty()) name = input.sets;
    }
    if (name == kState)
      report.value = value;
    else if (kind.find_attribute(name))
      report.attributes[name] = value;
  }
  return report;
}

Report restored(const Kind& kind, Report first, const core::State& last) {
  if (last.value() == core::kUnavailable || last.value() == core::kUnknown) return first;
  const auto arrival = std::ranges::find(kind.arrivals, last.value(), &Arrival::from);
  const std::string_view value = arrival == kind.arrivals.end() ? last.value() : arrival->to;
  if (const auto text = value_text(kind, json::value(value))) first.value = *text;
  const json::object attributes = last.attributes();
  for (const Attribute& each : kind.attributes) {
    const json::value* const kept = each.restored ? attributes.if_contains(each.name) : nullptr;
    if (!kept || kept->is_null()) continue;
    if (auto converted = field::convert(each.type, *kept)) first.attributes[each.name] = std::move(*converted);
  }
  return first;
}

}  // namespace hearth::domains
