// SPDX-License-Identifier: Apache-2.0
#include "automation/items/selector.h"

#include <gtest/gtest.h>

namespace hearth::automation {
namespace {

struct SelectorCase {
  std::string_view selector, value, expected;
};

std::ostream& operator<<(std::ostream& out, const SelectorCase& each) {
  return out << each.selector << ' ' << each.value;
}

struct SelectorTest : testing::TestWithParam<SelectorCase> {};

TEST_P(SelectorTest, SaysWhatItExpects) {
  const auto& [selector, value, expected] = GetParam();
  EXPECT_EQ(expected_by(base::parse_json(selector).value(), base::parse_json(value).value()), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Values, SelectorTest,
    testing::Values(
        SelectorCase{R"({"number": {"min": 1, "max": 5}})", "3", ""},
        SelectorCase{R"({"number": {"min": 1, "max": 5}})", "6", "a number from 1 to 5"},
        SelectorCase{R"({"number": {"min": 1, "max": 5}})", "\"4\"", ""},
        SelectorCase{R"({"number": {"min": 1}})", "0", "a number from 1"},
        SelectorCase{R"({"number": {"max": 5}})", "6", "a number up to 5"},
        SelectorCase{R"({"number": {}})", "\"x\"", "a number"}, SelectorCase{R"({"boolean": {}})", "true", ""},
        SelectorCase{R"({"boolean": null})", "\"on\"", "true or false"}, SelectorCase{R"({"text": null})", "\"a\"", ""},
        SelectorCase{R"({"text": null})", "7", ""}, SelectorCase{R"({"text": null})", "[]", "a text"},
        SelectorCase{R"({"text": {"multiple": true}})", R"(["a", "b"])", ""},
        SelectorCase{R"({"text": {"multiple": true}})", R"(["a", {}])", "a list, each a text"},
        SelectorCase{R"({"entity": {}})", "\"light.a\"", ""},
        SelectorCase{R"({"entity": {}})", "\"Light A.\"", "an entity id"},
        SelectorCase{R"({"entity": {}})", "\"01HXYZ\"", ""},
        SelectorCase{R"({"entity": {"domain": "light"}})", "\"switch.a\"", "the id of an entity of light"},
        SelectorCase{R"({"entity": {"filter": [{"domain": ["light", "switch"]}]}})", "\"switch.a\"", ""},
        SelectorCase{R"({"entity": {"filter": [{"domain": ["light", "switch"]}]}})", "\"Switch.A\"", ""},
        SelectorCase{R"({"entity": {"filter": [{"domain": "light"}, {"integration": "x"}]}})", "\"lock.a\"", ""},
        SelectorCase{R"({"entity": {"multiple": true, "domain": "light"}})", R"(["light.a", "lock.b"])",
                     "a list, each the id of an entity of light"},
        SelectorCase{R"({"target": {}})", R"({"entity_id": "light.a"})", ""},
        SelectorCase{R"({"target": {}})", "\"light.a\"", "keys with values"},
        SelectorCase{R"({"select": {"options": ["a", {"value": "b", "label": "B"}]}})", "\"b\"", ""},
        SelectorCase{R"({"select": {"options": ["a", "b"]}})", "\"c\"", "one of a, b"},
        SelectorCase{R"({"select": {"options": ["a"], "custom_value": true}})", "\"c\"", ""},
        SelectorCase{R"({"time": null})", "\"07:30:00\"", ""},
        SelectorCase{R"({"date": null})", "\"2026-02-31\"", "a date as 2026-04-20"},
        SelectorCase{R"({"duration": {}})", R"({"minutes": 5})", ""},
        SelectorCase{R"({"duration": {}})", "[]", "days, hours, minutes, seconds"},
        SelectorCase{R"({"color_rgb": {}})", "[1, 2, 300]", "a list of 3 numbers from 0 to 255"},
        SelectorCase{R"({"location": {}})", R"({"latitude": 1, "longitude": 2})", ""},
        SelectorCase{R"({"location": {}})", "5", "latitude and longitude"}, SelectorCase{R"({"action": {}})", "[]", ""},
        SelectorCase{R"({"location": {}})", R"({"latitude": 1000, "longitude": 2})",
                     "a latitude to 90 and a longitude to 180 degrees"},
        SelectorCase{R"({"target": {}})", R"({"entity_id": ["light.a"], "label_id": "x"})", ""},
        SelectorCase{R"({"target": {}})", R"({"foo": 1})", "entity_id, device_id, area_id, floor_id, label_id"},
        SelectorCase{R"({"media": {}})", R"({"media_content_id": "a", "media_content_type": "music"})", ""},
        SelectorCase{R"({"media": {}})", R"({"x": 1})", "media_content_id, media_content_type"},
        SelectorCase{R"({"datetime": {}})", "\"2026-04-20 05:04:20\"", ""},
        SelectorCase{R"({"datetime": {}})", "\"abc\"", "a date and time as 2026-04-20 05:04:20"},
        SelectorCase{R"({"duration": {}})", "\"00:05:00\"", ""},
        SelectorCase{R"({"duration": {}})", "\"abc\"", "days, hours, minutes, seconds"},
        SelectorCase{R"({"template": {}})", "\"{{ 1 }}\"", ""},
        SelectorCase{R"({"template": {}})", "\"{{ 1 +\"", "a template that compiles"},
        SelectorCase{R"({"trigger": {}})", R"([{"trigger": "state", "entity_id": "light.a"}])", ""},
        SelectorCase{R"({"trigger": {}})", R"({"trigger": "nonsense"})", "triggers"},
        SelectorCase{R"({"condition": {}})", R"([{"condition": "state", "entity_id": "light.a", "state": "on"}])", ""},
        SelectorCase{R"({"condition": {}})", R"({"condition": "nonsense"})", "conditions"},
        SelectorCase{R"({"action": {}})", R"([{"action": "light.turn_on"}, {"delay": 5}])", ""},
        SelectorCase{R"({"action": {}})", "[]", ""}, SelectorCase{R"({"action": {}})", R"({"nonsense": 1})", "actions"},
        SelectorCase{R"({"new_kind": {}})", "5", ""}, SelectorCase{"null", "5", ""},
        SelectorCase{R"({"text": null, "number": null})", "[]", ""}));

}  // namespace
}  // namespace hearth::automation
