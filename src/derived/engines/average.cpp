// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {

using base::Timestamp;

void Average::receive(const Reading& reading) {
  Source& source = sources_[std::string(reading.entity_id)];
  auto value = number_of(reading.state);
  if (!value) value = options_.undefined;
  if (reading.why == Reading::Why::past) {
    if (was_asked_for(reading.at)) source.earlier.push_back({reading.at, value});
    return;
  }
  if (is_known(reading.state)) {
    unit_ = text_attribute(reading.state, "unit_of_measurement");
    device_class_ = text_attribute(reading.state, "device_class");
  }
  if (!source.samples.empty() && reading.at <= source.samples.back().at && reading.why != Reading::Why::change) return;
  if (source.samples.size() == kMostSamples) source.samples.pop_front();
  source.samples.push_back({reading.at, value});
}

// Values from history belong before the rest.
void Average::join(Source& source) {
  if (source.earlier.empty()) return;
  source.earlier.insert(source.earlier.end(), source.samples.begin(), source.samples.end());
  std::ranges::sort(source.earlier, {}, &Sample::at);
  const std::size_t most = std::min(source.earlier.size(), kMostSamples);
  source.samples.assign(source.earlier.end() - static_cast<std::ptrdiff_t>(most), source.earlier.end());
  source.earlier.clear();
}

void Average::forget_before(Timestamp start) {
  for (auto& [id, source] : sources_)
    while (source.samples.size() > 1 && source.samples[1].at <= start) source.samples.pop_front();
  forgot_before(start);
}

std::optional<double> Average::mean_of(const Source& source, const Window& window, const Moment& now,
                                       Output& shown) const {
  Sum sum;
  std::optional<double> only;
  const Timestamp end = std::min(window.end, now.time);
  const auto extend = [&](const char* name, double value, bool more) {
    json::value& known = shown.attributes[name];
    if (known.is_null() || (more ? value > known.to_number<double>() : value < known.to_number<double>()))
      known = value;
  };
  for (std::size_t i = 0; i < source.samples.size(); ++i) {
    const Sample& each = source.samples[i];
    const Timestamp from = std::max(each.at, window.start);
    const Timestamp to = std::min(i + 1 < source.samples.size() ? source.samples[i + 1].at : end, end);
    const bool present = i + 1 == source.samples.size();
    if (!each.value || each.at > end || to < from || (to == from && each.at < window.start && !present)) continue;
    const double seconds = std::chrono::duration<double>(to - from).count();
    sum.seconds += seconds;
    sum.product += seconds * *each.value;
    only = each.value;
    shown.attributes["count"] = shown.attributes["count"].to_number<std::int64_t>() + 1;
    extend("min_value", *each.value, false);
    extend("max_value", *each.value, true);
  }
  return sum.seconds > 0 ? std::optional(sum.product / sum.seconds) : only;
}

Output Average::show(const Moment& now) {
  for (auto& [id, source] : sources_) join(source);
  Output shown{.attributes = {{"count", 0}, {"max_value", nullptr}, {"min_value", nullptr}},
               .unit = unit_,
               .device_class = device_class_,
               .state_class = "measurement",
               .icon = "mdi:calculator"};
  // A mean is no total.
  if (device_class_ == "energy" || device_class_ == "gas" || device_class_ == "water") shown.device_class.clear();
  std::optional<Window> of = Window{now.time, now.time};
  if (has_window()) of = window(now);
  shown.available = of.has_value();
  if (!of) return shown;
  if (has_window()) {
    forget_before(of->start);
    const auto text = [&](Timestamp time) {
      return json::string(templates::to_text(templates::at(time.time_since_epoch().count(), now.zone), 'T'));
    };
    shown.attributes["start"] = text(of->start);
    shown.attributes["end"] = text(of->end);
  } else {
    forget_before(now.time);
  }
  double sum = 0;
  int available = 0;
  for (const auto& [id, source] : sources_) {
    const auto mean = mean_of(source, *of, now, shown);
    if (!mean) continue;
    sum += *mean;
    ++available;
  }
  shown.attributes["sources"] = json::array(options_.sources.begin(), options_.sources.end());
  shown.attributes["count_sources"] = options_.sources.size();
  shown.attributes["available_sources"] = available;
  if (available) shown.value = rounded(sum / available, options_.precision);
  return shown;
}

std::optional<Timestamp> Average::next(const Moment& now) {
  if (!has_window()) return {};
  return std::chrono::floor<std::chrono::minutes>(now.time) + std::chrono::minutes(1);
}

void parse_average(Keys& in, Plan& plan) {
  Average::Options options;
  plan.sources = in.entities("entities", kNumbers);
  if (plan.sources.size() > Average::kMostSources)
    automation::note(in, *in.find("entities"), fmt::format("expected at most {} entities", Average::kMostSources));
  options.sources = plan.sources;
  options.window = WindowKeys::read(in, plan);
  if (options.window.count() == 3)
    automation::note(in, *in.find("duration"), "is there beside start and end; leave one out");
  if (options.window.has_end && options.window.count() == 1)
    automation::note(in, *in.find("end"), "needs start or duration");
  in.integer("precision", options.precision, 0, 15);
  options.undefined = in.limit("process_undef_as");
  plan.engine = [options] { return std::make_unique<Average>(options); };
}

}  // namespace hearth::derived
