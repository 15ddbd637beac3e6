// SPDX-License-Identifier: Apache-2.0
// Entities that only tell: sensors, the weather, events, pictures, updates.
#include "domains/entities/kinds.h"
#include "template_entities/forms/all.h"

namespace hearth::template_entities {
namespace sensors {

using enum Fixed::Type;

constexpr Reading kSensorReadings[] = {
    {.key = "state", .old_key = "value_template", .required = true},
    {.key = "last_reset", .sets = "last_reset"},
};
constexpr Fixed kSensorFixed[] = {{"unit_of_measurement", "unit_of_measurement"},
                                  {"state_class", "state_class", text,
                                   "measurement measurement_angle total "
                                   "total_increasing"},
                                  {"options", "options", texts}};

constexpr Reading kBinaryReadings[] = {{.key = "state", .old_key = "value_template", .required = true}};

constexpr Reading kWeatherReadings[] = {
    {.key = "condition", .old_key = "condition_template", .required = true},
    {.key = "temperature", .old_key = "temperature_template", .sets = "temperature", .required = true},
    {.key = "humidity", .old_key = "humidity_template", .sets = "humidity", .required = true},
    {.key = "attribution", .old_key = "attribution_template", .sets = "attribution"},
    {.key = "pressure", .old_key = "pressure_template", .sets = "pressure"},
    {.key = "wind_speed", .old_key = "wind_speed_template", .sets = "wind_speed"},
    {.key = "wind_bearing", .old_key = "wind_bearing_template", .sets = "wind_bearing"},
    {.key = "wind_gust_speed", .old_key = "wind_gust_speed_template", .sets = "wind_gust_speed"},
    {.key = "ozone", .old_key = "ozone_template", .sets = "ozone"},
    {.key = "uv_index", .old_key = "uv_index_template", .sets = "uv_index"},
    {.key = "visibility", .old_key = "visibility_template", .sets = "visibility"},
    {.key = "cloud_coverage", .old_key = "cloud_coverage_template", .sets = "cloud_coverage"},
    {.key = "dew_point", .old_key = "dew_point_template", .sets = "dew_point"},
    {.key = "apparent_temperature", .old_key = "apparent_temperature_template", .sets = "apparent_temperature"},
    {.key = "forecast_daily", .old_key = "forecast_daily_template", .sets = "forecast_daily"},
    {.key = "forecast_hourly", .old_key = "forecast_hourly_template", .sets = "forecast_hourly"},
    {.key = "forecast_twice_daily", .old_key = "forecast_twice_daily_template", .sets = "forecast_twice_daily"},
};
constexpr Ability kWeatherAbilities[] = {{"forecast_daily", "forecast_daily"},
                                         {"forecast_hourly", "forecast_hourly"},
                                         {"forecast_twice_daily", "forecast_twice_daily"}};
constexpr Fixed kWeatherFixed[] = {{"temperature_unit", "temperature_unit"},
                                   {"pressure_unit", "pressure_unit"},
                                   {"wind_speed_unit", "wind_speed_unit"},
                                   {"visibility_unit", "visibility_unit"},
                                   {"precipitation_unit", "precipitation_unit"}};

constexpr Reading kImageReadings[] = {{.key = "url", .sets = "entity_picture", .required = true}};

constexpr Reading kEventReadings[] = {{.key = "event_types", .sets = "event_types", .required = true},
                                      {.key = "event_type", .sets = "event_type", .required = true}};

constexpr Reading kUpdateReadings[] = {
    {.key = "installed_version", .sets = "installed_version", .required = true},
    {.key = "latest_version", .sets = "latest_version", .required = true},
    {.key = "in_progress", .sets = "in_progress"},
    {.key = "release_summary", .sets = "release_summary"},
    {.key = "release_url", .sets = "release_url"},
    {.key = "title", .sets = "title"},
    {.key = "update_percentage", .sets = "update_percentage"},
};
constexpr Sending kUpdateSendings[] = {
    {.service = "install", .key = "install"},
};
constexpr Fixed kUpdateFixed[] = {{"backup", "backup", boolean}, {"specific_version", "specific_version", boolean}};
constexpr Ability kUpdateAbilities[] = {{"install", "install"},
                                        {"progress", "in_progress update_percentage"},
                                        {"backup", "backup"},
                                        {"specific_version", "specific_version"}};

}  // namespace sensors

const Form kSensor{.kind = &domains::kSensor,
                   .readings = sensors::kSensorReadings,
                   .fixed = sensors::kSensorFixed,
                   .ignored = "suggested_display_precision",
                   .list = "sensors"};
const Form kBinarySensor{
    .kind = &domains::kBinarySensor, .readings = sensors::kBinaryReadings, .delays = true, .list = "sensors"};
const Form kWeather{.kind = &domains::kWeather,
                    .readings = sensors::kWeatherReadings,
                    .abilities = sensors::kWeatherAbilities,
                    .fixed = sensors::kWeatherFixed};
const Form kImage{
    .kind = &domains::kImage, .readings = sensors::kImageReadings, .ignored = "verify_ssl", .only_new = true};
const Form kEvent{.kind = &domains::kEvent, .readings = sensors::kEventReadings, .only_new = true};
const Form kUpdate{.kind = &domains::kUpdate,
                   .readings = sensors::kUpdateReadings,
                   .sendings = sensors::kUpdateSendings,
                   .abilities = sensors::kUpdateAbilities,
                   .fixed = sensors::kUpdateFixed,
                   .only_new = true};

}  // namespace hearth::template_entities
