// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace weather {

constexpr Feature kFeatures[] = {
    {"forecast_daily", 1},
    {"forecast_hourly", 2},
    {"forecast_twice_daily", 4},
};
constexpr field::Number kTemperature{-200, 200}, kShare{0, 100}, kNotNegative{0, 1e6};
constexpr Attribute kAttributes[] = {
    {"temperature_unit", field::Text{}, Shown::once},
    {"pressure_unit", field::Text{}, Shown::once},
    {"wind_speed_unit", field::Text{}, Shown::once},
    {"visibility_unit", field::Text{}, Shown::once},
    {"precipitation_unit", field::Text{}, Shown::once},
    {"attribution", field::Text{}, Shown::once},
    {"temperature", kTemperature, Shown::always, {}, true, true},
    {"apparent_temperature", kTemperature, Shown::if_reported},
    {"dew_point", kTemperature, Shown::if_reported},
    {"humidity", kShare, Shown::if_reported, {}, true, true},
    {"cloud_coverage", kShare, Shown::if_reported},
    {"ozone", kNotNegative, Shown::if_reported},
    {"uv_index", kNotNegative, Shown::if_reported},
    {"pressure", kNotNegative, Shown::if_reported, {}, true, true},
    {"wind_bearing", field::Number{0, 360}, Shown::if_reported},
    {"wind_speed", kNotNegative, Shown::if_reported, {}, true, true},
    {"wind_gust_speed", kNotNegative, Shown::if_reported},
    {"visibility", kNotNegative, Shown::if_reported},
};
constexpr Input kForecastFields[] = {
    {.field = {"type", "What each part of the forecast is of: a day, an hour, or half a day.", "daily",
               field::Option{"daily hourly twice_daily"}, true}}};
constexpr Action kActions[] = {{.service = "get_forecasts",
                                .name = "Get forecasts",
                                .description = "Answers with the forecast of each weather entity.",
                                .fields = kForecastFields,
                                .answers = true}};

base::Result<void> check_type(const Thing& thing, Order& order) {
  const std::string_view type = order.data.at("type").get_string();
  const std::string feature = fmt::format("forecast_{}", type);
  if (thing.lacks(feature.c_str())) {
    return cannot(thing, type == "daily"    ? "forecast by the day"
                         : type == "hourly" ? "forecast by the hour"
                                            : "forecast by the half day");
  }
  return {};
}

}  // namespace weather

constexpr Kind kWeather{
    .domain = "weather",
    .description = "The weather at a place, and its forecast.",
    .value =
        field::Option{"clear-night cloudy exceptional fog hail lightning lightning-rainy partlycloudy pouring rainy "
                      "snowy snowy-rainy sunny windy windy-variant"},
    .features = weather::kFeatures,
    .attributes = weather::kAttributes,
    .actions = weather::kActions,
    .check = weather::check_type};

}  // namespace hearth::domains
