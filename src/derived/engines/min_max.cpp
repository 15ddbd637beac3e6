// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/min_max.h"

#include <algorithm>
#include <numeric>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {

void MinMax::receive(const Reading& reading) {
  Member& member = members_[std::string(reading.entity_id)];
  member.value = number_of(reading.state);
  if (!member.value) return;
  member.unit = text_attribute(reading.state, "unit_of_measurement");
  member.device_class = text_attribute(reading.state, "device_class");
  last_ = reading.entity_id;
  last_value_ = member.value;
}

Output MinMax::show(const Moment&) {
  Output shown{.state_class = "measurement", .icon = "mdi:calculator"};
  struct Known {
    double value;
    std::string_view id;
  };
  std::vector<Known> known;
  std::string unit, device_class;
  bool same_class = true;
  for (const std::string& id : options_.members) {
    const auto found = members_.find(id);
    if (found == members_.end() || !found->second.value) continue;
    const Member& member = found->second;
    if (known.empty()) {
      unit = member.unit;
      device_class = member.device_class;
    } else if (member.unit != unit) {
      // As other hubs show it: numbers of several units have nothing in common.
      shown.unit = "ERR";
      return shown;
    }
    same_class = same_class && member.device_class == device_class;
    known.push_back({*member.value, id});
  }
  shown.unit = unit;
  if (same_class) shown.device_class = device_class;
  const auto id_or_null = [](std::string_view id) { return id.empty() ? json::value() : json::value(id); };
  const auto [least, greatest] = std::ranges::minmax_element(known, {}, &Known::value);
  if (options_.type == Type::min)
    shown.attributes["min_entity_id"] = id_or_null(known.empty() ? std::string_view() : least->id);
  if (options_.type == Type::max)
    shown.attributes["max_entity_id"] =
        id_or_null(known.empty() ? std::string_view() : std::ranges::max_element(known, {}, &Known::value)->id);
  if (options_.type == Type::last) {
    shown.attributes["last_entity_id"] = id_or_null(last_);
    if (last_value_) shown.value = plain(*last_value_);
    return shown;
  }
  if (known.empty() || (options_.type == Type::sum && known.size() < options_.members.size())) return shown;
  const double sum =
      std::accumulate(known.begin(), known.end(), 0.0, [](double all, const Known& each) { return all + each.value; });
  switch (options_.type) {
    case Type::min:
      shown.value = plain(least->value);
      break;
    case Type::max:
      shown.value = plain(greatest->value);
      break;
    case Type::mean:
      shown.value = rounded(sum / static_cast<double>(known.size()), options_.round_digits);
      break;
    case Type::median: {
      std::ranges::sort(known, {}, &Known::value);
      const std::size_t half = known.size() / 2;
      const double middle = known.size() % 2 ? known[half].value : (known[half - 1].value + known[half].value) / 2;
      shown.value = rounded(middle, options_.round_digits);
      break;
    }
    case Type::range:
      shown.value = rounded(greatest->value - least->value, options_.round_digits);
      break;
    case Type::sum:
      shown.value = rounded(sum, options_.round_digits);
      break;
    case Type::last:
      break;
  }
  return shown;
}

void parse_min_max(Keys& in, Plan& plan) {
  using Type = MinMax::Type;
  MinMax::Options options;
  in.option<Type>("type", options.type,
                  {{"min", Type::min},
                   {"max", Type::max},
                   {"mean", Type::mean},
                   {"median", Type::median},
                   {"last", Type::last},
                   {"range", Type::range},
                   {"sum", Type::sum}});
  in.integer("round_digits", options.round_digits, 0, 15);
  plan.sources = options.members = in.entities("entity_ids", kNumbers);
  constexpr std::string_view names[] = {"Min", "Max", "Mean", "Median", "Last", "Range", "Sum"};
  if (plan.name.empty()) plan.name = std::string(names[static_cast<int>(options.type)]) + " sensor";
  plan.engine = [options] { return std::make_unique<MinMax>(options); };
}

}  // namespace hearth::derived
