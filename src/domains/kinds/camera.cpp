// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace camera {

constexpr Feature kFeatures[] = {
    {"on_off", 1, "be turned on or off"},
    {"stream", 2},
};
constexpr Attribute kAttributes[] = {
    {"brand", field::Text{}, Shown::once},
    {"model_name", field::Text{}, Shown::once},
    {"frontend_stream_type", field::Option{"hls web_rtc"}, Shown::once},
    {"access_token", field::Text{}, Shown::if_reported},
    {"entity_picture", field::Text{}, Shown::if_reported},
    {"motion_detection", field::Boolean{}, Shown::if_reported, {}, true},
};
constexpr Action kActions[] = {
    {"turn_on", "Turn on", "Turns cameras on.", {}, "on_off"},
    {"turn_off", "Turn off", "Turns cameras off.", {}, "on_off"},
    {"enable_motion_detection", "Enable motion detection", "Lets cameras look for motion."},
    {"disable_motion_detection", "Disable motion detection", "Lets cameras look for motion no more."},
};

constexpr Input kSnapshot[] = {
    {{"filename", "The file within the home's folder snapshots/.", "door/today.jpg", field::Text{}, true}}};
constexpr Action kServices[] = {{"snapshot", "Take snapshot", "Writes what a camera shows into a file.", kSnapshot}};

}  // namespace camera

constexpr Kind kCamera{.domain = "camera",
                       .description = "A camera. Its newest picture is at /api/camera_proxy/<entity_id>.",
                       .value = field::Option{"idle streaming recording"},
                       .on = "turn_on",
                       .off = "turn_off",
                       .active = "idle streaming recording",
                       .features = camera::kFeatures,
                       .attributes = camera::kAttributes,
                       .actions = camera::kActions,
                       .services = camera::kServices,
                       .pictures = true};

}  // namespace hearth::domains
