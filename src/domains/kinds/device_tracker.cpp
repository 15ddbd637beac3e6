// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace device_tracker {

constexpr Attribute kAttributes[] = {
    {"source_type", field::Option{"gps router bluetooth bluetooth_le"}, Shown::if_reported, {}, true},
    {"battery_level", kPercent, Shown::if_reported, {}, true},
    {"latitude", field::Number{-90, 90}, Shown::if_reported, {}, true, true},
    {"longitude", field::Number{-180, 180}, Shown::if_reported, {}, true, true},
    {"gps_accuracy", field::Number{0, 1e6}, Shown::if_reported, {}, true},
    {"altitude", field::Number{}, Shown::if_reported},
    {"course", field::Number{0, 360}, Shown::if_reported},
    {"speed", field::Number{0, 1e4}, Shown::if_reported},
    {"ip", field::Text{}, Shown::if_reported},
    {"mac", field::Text{}, Shown::if_reported, {}, true},
    {"host_name", field::Text{}, Shown::if_reported, {}, true},
};

constexpr Input kSee[] = {
    {{"dev_id", "The entity becomes device_tracker.<dev_id>. By default the host name or the address.", "anns_phone",
      field::Text{}}},
    {{"mac", "The device's network address.", "5c:e9:1e:8a:00:42", field::Text{}}},
    {{"host_name", "What the network calls it.", "anns-phone", field::Text{}}},
    {{"location_name", "Where it is: home, not_home, or the name of a zone.", "home", field::Text{}}},
    {{"gps", "Latitude and longitude.", core::Example::Json{"[52.52, 13.405]"}, field::Numbers{2, -180, 180}}},
    {{"gps_accuracy", "Metres.", 20, field::Number{0, 1e6}}},
    {{"battery", "Per cent.", 80, kPercent}}};
constexpr Action kServices[] = {{"see", "See", "Says where a device was seen. A new device gets an entity.", kSee}};

}  // namespace device_tracker

constexpr Kind kDeviceTracker{.domain = "device_tracker",
                              .description = "Where something is: home, not_home, or the name of a zone.",
                              .value = field::Text{},
                              .attributes = device_tracker::kAttributes,
                              .services = device_tracker::kServices};

}  // namespace hearth::domains
