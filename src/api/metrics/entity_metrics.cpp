// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/entity_metrics.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/json/json_fields.h"
#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "core/values/units.h"
#include "core/values/words.h"

namespace hearth::api {
namespace {

using Type = MetricText::Type;

constexpr core::Words kOnes{"on locked above_horizon open home"};
constexpr core::Words kZeros{"off unlocked below_horizon closed not_home"};
constexpr std::string_view kFahrenheit = "°F";

std::optional<double> number_of(std::string_view state) {
  if (kOnes.contains(state)) return 1;
  if (kZeros.contains(state)) return 0;
  return base::parse_number(state);
}

std::optional<double> number_of(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? 1 : 0;
  if (value.is_number()) return value.to_number<double>();
  return value.is_string() ? base::parse_number(value.get_string()) : std::nullopt;
}

// The form of a unit in a name. Degrees Fahrenheit are named celsius, because their values are converted.
std::string unit_word(std::string_view unit) {
  if (unit == "°C" || unit == kFahrenheit) return "celsius";
  if (unit == "%") return "percent";
  std::string word;
  for (const char c : unit) {
    if (c == '/')
      word += "_per_";
    else
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word;
}

double in_celsius(double value, std::string_view unit) {
  return unit == kFahrenheit ? core::convert_unit(value, kFahrenheit, "°C").value_or(value) : value;
}

// An attribute of a domain that is a metric of its own.
struct Attribute {
  std::string_view domain, attribute, metric, help;
  bool temperature = false;
};
constexpr Attribute kAttributes[] = {
    {"cover", "current_position", "cover_position", "Position of the cover, 0 to 100"},
    {"cover", "current_tilt_position", "cover_tilt_position", "Tilt position of the cover, 0 to 100"},
    {"climate", "temperature", "climate_target_temperature_celsius", "Target temperature", true},
    {"climate", "target_temp_high", "climate_target_temperature_high_celsius", "Highest wanted temperature", true},
    {"climate", "target_temp_low", "climate_target_temperature_low_celsius", "Lowest wanted temperature", true},
    {"climate", "current_temperature", "climate_current_temperature_celsius", "Temperature now", true},
    {"humidifier", "humidity", "humidifier_target_humidity_percent", "Target humidity"},
    {"fan", "percentage", "fan_speed_percent", "Speed of the fan, 0 to 100"},
    {"fan", "oscillating", "fan_is_oscillating", "The fan swings: 1, or not: 0"},
    {"sensor", "battery_level", "battery_level_percent", "Charge of the battery"},
};

// A metric for each word that a value may be: 1 for the current one, 0 for the others.
struct Choice {
  std::string_view domain, metric, label;
  std::string_view current;  // the attribute that has the current word; empty: the state
  std::string_view words;    // the attribute that lists the words; empty: `fixed`
  std::span<const std::string_view> fixed = {};
};
constexpr std::string_view kCoverStates[] = {"closed", "closing", "open", "opening"};
constexpr std::string_view kActions[] = {"cooling", "defrosting", "drying",     "fan",
                                         "heating", "idle",       "preheating", "off"};
constexpr Choice kChoices[] = {
    {"cover", "cover_state", "state", "", "", kCoverStates},
    {"climate", "climate_action", "action", "hvac_action", "", kActions},
    {"climate", "climate_mode", "mode", "", "hvac_modes"},
    {"humidifier", "humidifier_mode", "mode", "mode", "available_modes"},
    {"fan", "fan_preset_mode", "mode", "preset_mode", "preset_modes"},
};

// Domains whose state is one number without a unit: on and off, open and closed, home and not home.
constexpr core::Words kPlain{"binary_sensor input_boolean device_tracker person lock switch fan humidifier update"};
constexpr core::Words kMeasured{"input_number number"};  // with a unit

// The families by the names that they have here.
class Families {
 public:
  Families(MetricText& text, const EntityMetrics& wanted)
      : text_(text), prefix_(wanted.prefix.empty() ? "" : wanted.prefix + "_") {}

  MetricText& text() { return text_; }
  // The label of a choice, kept once.
  MetricText::LabelsId word(std::string_view label, std::string_view word) {
    const std::string both = fmt::format("{}={}", label, word);
    const auto known = words_.find(both);
    return known != words_.end() ? known->second : words_.emplace(both, text_.keep({{label, word}})).first->second;
  }
  MetricText::Family& find(std::string_view metric, std::string_view help) {
    const auto known = known_.find(metric);
    if (known != known_.end()) return *known->second;
    auto& family = text_.family(metric_name(prefix_ + std::string(metric)), Type::gauge, help);
    return *known_.emplace(metric, &family).first->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  MetricText& text_;
  const std::string prefix_;
  std::unordered_map<std::string, MetricText::Family*, Hash, std::equal_to<>> known_;
  std::unordered_map<std::string, MetricText::LabelsId> words_;
};

class Entity {
 public:
  // `memory` is for its attributes, and outlives it.
  Entity(Families& families, const core::State& state, json::storage_ptr memory)
      : families_(families),
        state_(state),
        domain_(state.domain()),
        value_(state.value()),
        attributes_(base::parse_json(state.attributes_json(), std::move(memory)).value().as_object()),
        unit_(base::text_at(attributes_, "unit_of_measurement")) {
    labels_ = families_.text().keep({{"domain", domain_},
                                     {"entity", state_.entity_id()},
                                     {"friendly_name", base::text_at(attributes_, "friendly_name")}});
  }

  void add() {
    const bool available = value_ != core::kUnavailable && value_ != core::kUnknown;
    if (available) add_value();
    put("entity_available", "The entity has a state: 1, or is unavailable or unknown: 0", available);
    const std::chrono::duration<double> updated = state_.last_updated().time_since_epoch();
    put("last_updated_time_seconds", "When the state was last written, since 1970", updated.count());
  }

 private:
  void put(std::string_view metric, std::string_view help, double value) {
    families_.find(metric, help).add_kept(value, labels_);
  }

  void add_value() {
    if (kPlain.contains(domain_)) {
      if (const auto number = number_of(value_))
        put(fmt::format("{}_state", domain_), "The state as a number: on, open, locked or home is 1", *number);
    } else if (kMeasured.contains(domain_)) {
      add_measured(fmt::format("{}_state{}", domain_, unit_.empty() ? "" : "_" + unit_word(unit_)));
    } else if (domain_ == "sensor") {
      add_sensor();
    } else if (domain_ == "counter") {
      add_measured("counter_value");
    } else if (domain_ == "light") {
      add_light();
    }
    for (const Attribute& each : kAttributes) {
      if (each.domain != domain_) continue;
      const auto number = number_of(base::value_at(attributes_, each.attribute));
      if (number) put(each.metric, each.help, *number);
    }
    for (const Choice& each : kChoices) {
      if (each.domain == domain_) add_choice(each);
    }
    if (domain_ == "fan") {
      const std::string direction = base::text_at(attributes_, "direction");
      if (direction == "forward" || direction == "reverse")
        put("fan_direction_reversed", "The fan turns in reverse: 1, or forward: 0", direction == "reverse");
    }
    if (domain_ == "switch") add_attributes_of_switch();
  }

  void add_measured(const std::string& metric) {
    if (const auto number = number_of(value_)) put(metric, "The state as a number", in_celsius(*number, unit_));
  }

  // By class and unit, by unit, or plain.
  void add_sensor() {
    const std::string kind = base::text_at(attributes_, "device_class");
    if (kind == "timestamp") {
      const auto time = base::parse_timestamp(value_);
      if (!time) return;
      const std::chrono::duration<double> since = time->time_since_epoch();
      return put("sensor_timestamp_seconds", "A time, since 1970", since.count());
    }
    const std::string unit = unit_word(unit_);
    if (!kind.empty())
      add_measured(fmt::format("sensor_{}_{}", kind, unit.empty() ? "None" : unit));
    else
      add_measured(unit.empty() ? "sensor_state" : "sensor_unit_" + unit);
  }

  void add_light() {
    constexpr double kBrightest = 255, kPercent = 100;
    const auto brightness = number_of(base::value_at(attributes_, "brightness"));
    const auto number = value_ == "on" && brightness ? *brightness / kBrightest : number_of(value_);
    if (number) put("light_brightness_percent", "Brightness of the light, 0 to 100", *number * kPercent);
  }

  void add_attributes_of_switch() {
    for (const auto& [key, value] : attributes_) {
      if (const auto number = number_of(value))
        put(fmt::format("switch_attr_{}", unit_word(key)), "An attribute of the switch", *number);
    }
  }

  void add_choice(const Choice& choice) {
    const std::string current =
        choice.current.empty() ? std::string(value_) : base::text_at(attributes_, choice.current);
    if (current.empty()) return;
    const auto put_word = [&](std::string_view word) {
      families_.find(choice.metric, "The current word has 1, others 0")
          .add_kept(word == current ? 1 : 0, labels_, families_.word(choice.label, word));
    };
    for (const std::string_view word : choice.fixed) put_word(word);
    const json::value& words = base::value_at(attributes_, choice.words);
    if (!words.is_array()) return;
    for (const json::value& word : words.get_array()) {
      if (word.is_string()) put_word(word.get_string());
    }
  }

  Families& families_;
  const core::State& state_;
  const std::string_view domain_, value_;
  const json::object attributes_;
  const std::string unit_;
  MetricText::LabelsId labels_ = 0;
};

}  // namespace

void add_entity_metrics(MetricText& text, const core::StateTable& states, const EntityMetrics& wanted) {
  Families families(text, wanted);
  std::array<unsigned char, 16 << 10> room;  // for the attributes of most states
  json::monotonic_resource memory(room.data(), room.size());
  states.for_each([&](const core::State& state) {
    if (!wanted.entities.matches(state.entity_id())) return;
    Entity(families, state, &memory).add();
    memory.release();
  });
}

}  // namespace hearth::api
