// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/thing_entity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "core/values/units.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kState = "state", kNone = "None";

domains::Abilities abilities(const Component& component, const Settings& settings) {
  domains::Abilities can;
  for (const Ability& ability : component.abilities) {
    if (settings.has_any(ability.keys)) can.feature_bits |= component.kind->features_of(ability.feature);
  }
  for (const Fixed& fixed : component.fixed) {
    if (!settings.texts(fixed.key).empty())
      can.attributes[fixed.attribute] = settings.texts(fixed.key);
    else if (const std::string_view text = settings.text(fixed.key); !text.empty())
      can.attributes[fixed.attribute] = text;
    else if (settings.is_number(fixed.key))
      can.attributes[fixed.attribute] = settings.number(fixed.key);
  }
  if (component.describe) component.describe(settings, can);
  return can;
}

// By its first bytes; senders are often wrong.
std::string_view content_type(std::string_view bytes, std::string_view otherwise) {
  if (bytes.starts_with("\xff\xd8")) return "image/jpeg";
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return "image/webp";
  return otherwise;
}

// The data of a call as a template sees them.
templates::Variables variables_of(const json::object& data) {
  templates::Variables variables;
  for (const auto& [name, value] : data) variables.emplace_back(name, template_value(value));
  return variables;
}

// The state is in the unit that the user wants; the device reports in its own.
void keep_unit(domains::Report& report, const core::State& last, std::string_view unit) {
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains("unit_of_measurement");
  if (unit.empty() || !shown || !shown->is_string() || shown->get_string() == unit || !report.value) return;
  const auto own = core::convert_unit_of(printed(*report.value), shown->get_string(), unit);
  report.value = own ? domains::OptionalValue(*own) : domains::OptionalValue();
}

}  // namespace

ThingEntity::ThingEntity(EntityHome& home, EntityPlan plan) : MqttEntity(home, std::move(plan)) {}

ThingEntity::~ThingEntity() {
  home().picture_bytes -= picture_bytes_;
}

std::unique_ptr<domains::Entity> ThingEntity::make(domains::EntityInfo info, const core::State* last) {
  const domains::Kind& kind = *component().kind;
  auto made = std::make_unique<domains::Thing>(kind, std::move(info), abilities(component(), settings()), this);
  thing_ = made.get();
  domains::Report first;
  // Without a topic for it, the device is taken at its word; it starts off.
  const bool assumed = !is_read(kState) && kind.stamped == domains::Stamped::never && !kind.value_of;
  if (assumed && (kind.domain == "switch" || kind.domain == "fan" || kind.domain == "siren")) first.value = false;
  if (kind.domain == "camera") first.value = "idle";
  if (last) {
    first = domains::restored(kind, std::move(first), *last);
    keep_unit(first, *last, settings().text("unit_of_measurement"));
  }
  thing_->report(std::move(first));
  return made;
}

void ThingEntity::listen_to_all() {
  for (const Reading& reading : component().readings) {
    // A value that cannot be read is not shown raw.
    if (settings().broken(reading.value_template)) continue;
    listen(reading.topic, [this, &reading](const core::MqttMessage& message) { read(reading, message); });
  }
}

bool ThingEntity::is_read(std::string_view sets) const {
  return std::ranges::any_of(component().readings, [&](const Reading& reading) {
    return reading.sets == sets && !settings().text(reading.topic).empty();
  });
}

void ThingEntity::read(const Reading& reading, const core::MqttMessage& message) {
  if (reading.raw) {
    heard();
    return reading.receive(*this, reading, message, {});
  }
  auto text = rendered(reading.value_template, message);
  if (!text || text->empty()) return;
  heard();
  if (reading.receive)
    reading.receive(*this, reading, message, std::move(*text));
  else
    receive(reading, std::move(*text));
}

void ThingEntity::complain_text(std::string_view key, std::string_view expected, std::string_view text) {
  complain(key, fmt::format("expected {}, got {}", expected, base::utf8_excerpt(base::utf8_repaired(text))));
}

void ThingEntity::receive(const Reading& reading, std::string text) {
  const std::string_view reset = reading.reset.empty() ? kNone : settings().text(reading.reset);
  const bool is_choice = !reading.listed.empty() && settings().lists(reading.listed, text);
  if (text == reset && !is_choice) return report(reading.sets, json::value());
  if (reading.as == Reading::As::words) {
    for (const Word& word : reading.words) {
      if (settings().denied(word.key) || text != settings().text(word.key)) continue;
      return report(reading.sets, word.value);
    }
    std::vector<std::string_view> known;
    for (const Word& word : reading.words) known.push_back(settings().text(word.key));
    return complain_text(reading.topic, fmt::format("{}", fmt::join(known, ", ")), text);
  }
  if (reading.as != Reading::As::text) {
    const auto number = base::parse_number(text);
    if (!number) return complain_text(reading.topic, "a number", text);
    if (reading.as == Reading::As::integer)
      return report(reading.sets, static_cast<std::int64_t>(std::lround(*number)));
    return report(reading.sets, *number);
  }
  if (!reading.listed.empty() && !is_choice)
    return complain_text(reading.topic, fmt::format("one of {}", reading.listed), text);
  report(reading.sets, std::move(text));
}

void ThingEntity::report(std::string_view sets, domains::OptionalValue value) {
  domains::Report report;
  if (sets == kState)
    report.value = std::move(value);
  else
    report.attributes[sets] = std::move(*value);
  this->report(std::move(report));
}

// A value that no state can hold is left out, and the rest counts.
void ThingEntity::drop_long(domains::Report& report) {
  constexpr std::size_t kMaxValue = core::StateMachine::kMaxValueLength, kMaxAttribute = 32 * 1024;
  const json::string* const value = report.value ? report.value->if_string() : nullptr;
  if (value && base::utf8_length(*value).value_or(0) > kMaxValue) {
    complain_text("state", fmt::format("at most {} characters", kMaxValue), *value);
    report.value.reset();
  }
  std::vector<std::string> longer;
  for (const auto& [name, each] : report.attributes) {
    if (each.is_string() && each.get_string().size() > kMaxAttribute) longer.emplace_back(name);
  }
  for (const std::string& name : longer) {
    complain_text(name, fmt::format("at most {} KiB", kMaxAttribute / 1024), report.attributes[name].get_string());
    report.attributes.erase(name);
  }
}

void ThingEntity::report(domains::Report report) {
  const domains::Kind& kind = *component().kind;
  const bool says_something = report.value || !report.attributes.empty();
  drop_long(report);
  if (says_something && !report.value && report.attributes.empty()) return;
  bool same = kind.stamped == domains::Stamped::never && !must_report();
  if (same && report.value) same = domains::value_text(kind, *report.value) == thing_->reported();
  for (const auto& [name, value] : report.attributes) same = same && thing_->attribute(name) == value;
  if (same) return;
  reported();
  thing_->report(std::move(report));
}

void ThingEntity::show_picture(std::string_view type, std::string bytes) {
  const auto known = core::picture_type(content_type(bytes, type));
  if (!known) return complain_text("content_type", "a picture that browsers show", type);
  const std::size_t size = bytes.size();
  if (home().picture_bytes - picture_bytes_ + size > kMaxPictures) {
    return complain("picture",
                    fmt::format("expected at most {} MiB of pictures of all entities", kMaxPictures / 1024 / 1024));
  }
  home().picture_bytes += size - picture_bytes_;
  picture_bytes_ = size;
  thing_->show({.content_type = *known, .bytes = std::move(bytes)});
}

void ThingEntity::fetch_picture(std::string url) {
  if (!fetching_) {
    fetching_ = std::make_unique<Fetching>();
    fetching_->self = std::make_shared<ThingEntity*>(this);
  }
  fetching_->next_url = std::move(url);
  if (!fetching_->under_way) fetch_next();
}

void ThingEntity::fetch_next() {
  if (!home().fetcher) {
    auto made = Fetcher::create(home().bus, home().hub.port);
    if (!made) return complain("url_topic", made.error().message);
    home().fetcher = std::move(*made);
  }
  const auto done = [weak = std::weak_ptr(fetching_->self)](base::Result<Fetcher::Answer> answer) {
    const auto self = weak.lock();
    if (!self) return;
    ThingEntity& entity = **self;
    entity.fetching_->under_way = false;
    if (!answer)
      entity.complain("url_topic", answer.error().message);
    else if (entity.entity())
      entity.show_picture(answer->content_type, std::move(answer->bytes));
    if (!entity.fetching_->next_url.empty()) entity.fetch_next();
  };
  auto begun = home().fetcher->fetch(std::exchange(fetching_->next_url, {}), done);
  fetching_->under_way = begun.has_value();
  if (!begun) complain("url_topic", begun.error().message);
}

void ThingEntity::show_beside(json::object attributes) {
  const std::string text = base::to_json(attributes);
  if (const std::size_t most = home().hub.limits.attributes_bytes / 2; text.size() > most)
    return complain_text("attributes", fmt::format("at most {} bytes", most), text);
  thing_->set_extra_attributes(with_fixed(std::move(attributes)));
}

void ThingEntity::stop() {
  MqttEntity::stop();
  cancel_timer();
}

base::Result<void> ThingEntity::check(const domains::Action& action, const json::object& data) const {
  return component().allow ? component().allow(*this, action, data) : base::Result<void>();
}

void ThingEntity::obey(const domains::Order& order) {
  const std::string_view asked = order.asked ? order.asked->service : order.action->service;
  const bool turns_off = order.action->service == component().kind->off;
  commanded(asks_for_change(*order.action, order.data));
  send_rows(!turns_off && component().as_asked.contains(asked) ? asked : order.action->service, order.data);
  assume(*order.action, order.data);
}

// Of what the device reports.
bool ThingEntity::asks_for_change(const domains::Action& action, const json::object& data) const {
  const domains::Kind& kind = *component().kind;
  const domains::Report wish = domains::outcome(kind, action, data);
  if (wish.value && is_read(kState) && domains::value_text(kind, *wish.value) != thing_->reported()) return true;
  return std::ranges::any_of(wish.attributes, [&](const auto& each) {
    return is_read(each.key()) && thing_->attribute(each.key()) != each.value();
  });
}

void ThingEntity::act(const domains::Action& action, const json::object& data) {
  obey({.action = &action, .data = data});
}

void ThingEntity::send_rows(std::string_view service, const json::object& data) {
  for (const Sending& row : component().sendings) {
    if (row.service != service || (!row.topic.empty() && settings().text(row.topic).empty())) continue;
    if (row.send) {
      row.send(*this, row, data);
      continue;
    }
    const json::value* const value = row.field.empty() ? nullptr : data.if_contains(row.field);
    if (!row.field.empty() && !value) continue;
    if (value && value->is_number())
      send(row.topic, row.command_template, value->to_number<double>(), variables_of(data));
    else
      send(row.topic, row.command_template, value ? printed(*value) : std::string(settings().text(row.payload)),
           variables_of(data));
  }
}

// A command that the device does not report is taken as done.
void ThingEntity::assume(const domains::Action& action, const json::object& data) {
  if (component().kind->stamped == domains::Stamped::when_done) return reported();
  domains::Report done = domains::outcome(*component().kind, action, data);
  const bool all = settings().boolean("optimistic");
  if (!all && is_read(kState)) done.value = {};
  json::object kept;
  for (const auto& [name, value] : done.attributes) {
    if (all || !is_read(name)) kept[name] = value;
  }
  done.attributes = std::move(kept);
  if (!done.value && done.attributes.empty()) return;
  reported();
  thing_->report(std::move(done));
}

}  // namespace hearth::integrations::mqtt
