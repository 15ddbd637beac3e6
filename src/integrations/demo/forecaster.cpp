// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/forecaster.h"

#include <algorithm>
#include <cmath>

#include "base/text/timestamp.h"

namespace hearth::integrations::demo {
namespace {

constexpr int kHours = 24, kDays = 7;

double rounded(double value) {
  return std::round(value * 10) / 10;
}

// The clouds in percent, the rain in millimetres an hour.
std::string_view condition(const Weather& weather, bool night) {
  if (weather.rain > 0.1) {
    if (weather.temperature < 0) return "snowy";
    return weather.rain > 2 ? "pouring" : "rainy";
  }
  if (weather.clouds > 75) return "cloudy";
  if (weather.clouds > 40) return "partlycloudy";
  if (weather.wind > 24) return "windy";
  return night ? "clear-night" : "sunny";
}

bool is_night(double hour) {
  return hour < 6 || hour >= 20;
}

}  // namespace

Forecaster::Forecaster(World& world, const domains::EntityInfo& info)
    : world_(world), pulse_(world, std::chrono::minutes(5), [this] { thing_->report(reading()); }) {
  thing_ = &world.add(domains::kWeather, reading(), info,
                      {.features = "forecast_daily forecast_hourly forecast_twice_daily",
                       .attributes = {{"temperature_unit", "°C"},
                                      {"pressure_unit", "hPa"},
                                      {"wind_speed_unit", "km/h"},
                                      {"precipitation_unit", "mm"}}},
                      this);
}

domains::Report Forecaster::reading() const {
  const Weather now = world_.weather();
  return {.value = condition(now, is_night(world_.time().hour)),
          .attributes = {{"temperature", rounded(now.temperature)},
                         {"humidity", std::round(now.humidity)},
                         {"cloud_coverage", std::round(now.clouds)},
                         {"pressure", rounded(now.pressure)},
                         {"wind_speed", rounded(now.wind)},
                         {"wind_bearing", std::round(now.wind_bearing)}}};
}

json::object Forecaster::part(double begin, int hours) const {
  Weather mean{};
  double warmest = -100, coldest = 100, rain = 0;
  for (int hour = 0; hour < hours; ++hour) {
    const Weather weather = world_.weather(begin + hour);
    warmest = std::max(warmest, weather.temperature);
    coldest = std::min(coldest, weather.temperature);
    rain += weather.rain;
    mean.clouds += weather.clouds / hours;
    mean.wind += weather.wind / hours;
    mean.humidity += weather.humidity / hours;
    mean.wind_bearing += weather.wind_bearing / hours;
  }
  mean.temperature = (warmest + coldest) / 2;
  mean.rain = rain / hours;
  const bool night = hours < kHours && is_night(later(world_.time(), begin + hours / 2.0).hour);
  json::object made{{"datetime", base::to_string(std::chrono::round<std::chrono::minutes>(world_.now(begin)))},
                    {"condition", condition(mean, night)},
                    {"temperature", rounded(warmest)},
                    {"precipitation", rounded(rain)},
                    {"precipitation_probability", std::round(std::min(95.0, mean.clouds * (rain > 0.1 ? 1 : 0.2)))},
                    {"humidity", std::round(mean.humidity)},
                    {"wind_speed", rounded(mean.wind)},
                    {"wind_bearing", std::round(mean.wind_bearing)}};
  if (hours > 1) made["templow"] = rounded(coldest);
  return made;
}

base::Result<json::object> Forecaster::answer(const domains::Action&, const json::object& data) {
  const std::string_view type = data.at("type").get_string();
  const double hour = world_.time().hour;
  json::array parts;
  if (type == "hourly") {
    for (int next = 1; next <= kHours; ++next) parts.push_back(part(std::floor(hour) - hour + next, 1));
  } else if (type == "daily") {
    for (int day = 0; day < kDays; ++day) parts.push_back(part(24 * day - hour, kHours));
  } else {
    // Half days from six to six; the current half comes first.
    const double begun = 12 * std::floor((hour - 6) / 12) + 6 - hour;
    for (int half = 0; half < 2 * kDays; ++half) {
      const double begin = begun + 12 * half;
      json::object made = part(begin, 12);
      made["is_daytime"] = std::lround(later(world_.time(), begin).hour) == 6;
      parts.push_back(std::move(made));
    }
  }
  return json::object{{"forecast", std::move(parts)}};
}

}  // namespace hearth::integrations::demo
