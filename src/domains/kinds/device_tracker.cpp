// SPDX-License-Identifier: Apache-2.0
#include "domains/kinds.h"

namespace hearth::domains {
namespace device_tracker {

constexpr Attribute kAttributes[] = {
    {"source_type", field::Option{"gps router bluetooth bluetooth_le"}, Shown::once},
    {"battery_level", kPercent, Shown::if_reported, {}, true},
    {"latitude", field::Number{-90, 90}, Shown::if_reported, {}, true, true},
    {"longitude", field::Number{-180, 180}, Shown::if_reported, {}, true, true},
    {"gps_accuracy", field::Number{0, 1e6}, Shown::if_reported, {}, true},
    {"altitude", field::Number{}, Shown::if_reported},
    {"course", field::Number{0, 360}, Shown::if_reported},
    {"speed", field::Number{0, 1e4}, Shown::if_reported},
    {"ip", field::Text{}, Shown::if_reported},
    {"mac", field::Text{}, Shown::if_reported},
    {"host_name", field::Text{}, Shown::if_reported},
};

}  // namespace device_tracker

constexpr Kind kDeviceTracker{.domain = "device_tracker",
                              .description = "Where something is: home, not_home, or the name of a zone.",
                              .value = field::Text{},
                              .attributes = device_tracker::kAttributes};

}  // namespace hearth::domains
