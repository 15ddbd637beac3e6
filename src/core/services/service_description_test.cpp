// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_description.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

ServiceDescription turn_on() {
  return {.domain = "light",
          .service = "turn_on",
          .name = "Turn on",
          .description = "Turns lights on.",
          .fields = {{"brightness", "How bright", 120, field::Integer{0, 255}},
                     {"effect", "Which effect", "rainbow", field::Text{}, true}},
          .target_domains = {"light"}};
}

std::string validated(const ServiceDescription& description, std::string_view data) {
  const auto valid = validate(description, base::parse_json(data).value().as_object());
  if (valid) return base::to_json(*valid);
  EXPECT_EQ(valid.error().code, base::ErrorCode::invalid);
  return valid.error().message;
}

TEST(ServiceDescription, FindsItsFieldsByName) {
  const auto description = turn_on();
  ASSERT_TRUE(description.find("effect"));
  EXPECT_EQ(description.find("effect")->description, "Which effect");
  EXPECT_FALSE(description.find("entity_id"));
}

TEST(ServiceDescription, ConvertsEachFieldAndLeavesTargetsOut) {
  EXPECT_EQ(validated(turn_on(), R"({"entity_id":"light.a","effect":"x","brightness":"101","target":{"area_id":"b"},)"
                                 R"("device_id":"c","floor_id":"d","label_id":"e"})"),
            R"({"effect":"x","brightness":101})");
}

TEST(ServiceDescription, NamesAnUnknownField) {
  EXPECT_EQ(validated(turn_on(), R"({"effect":"x","brightnes":1})"), "brightnes: unknown field of light.turn_on");
  EXPECT_LT(validated(turn_on(), R"({")" + std::string(1'000'000, 'x') + R"(":1})").size(), 200u);
}

TEST(ServiceDescription, HandsFurtherFieldsOnIfItSaysSo) {
  auto description = turn_on();
  description.hands_on = true;
  EXPECT_EQ(validated(description, R"({"effect":"x","speed":{"a":1},"entity_id":"light.a"})"),
            R"({"effect":"x","speed":{"a":1}})");
  EXPECT_EQ(validated(description, R"({"effect":"x","brightness":"bright","speed":1})"),
            R"(brightness: expected a whole number from 0 to 255, got "bright")");
}

TEST(ServiceDescription, NamesAMissingField) {
  EXPECT_EQ(validated(turn_on(), R"({"brightness":1})"), "effect: required field of light.turn_on is missing");
}

TEST(ServiceDescription, NamesAFieldOfAWrongType) {
  EXPECT_EQ(validated(turn_on(), R"({"effect":"x","brightness":[]})"),
            "brightness: expected a whole number from 0 to 255, got []");
}

TEST(ServiceDescription, TakesNoTargetIfItHasNone) {
  auto description = turn_on();
  description.has_target = false;
  EXPECT_EQ(validated(description, R"({"effect":"x","entity_id":"light.a"})"),
            "entity_id: unknown field of light.turn_on");
}

TEST(ServiceDescription, ShowsDescriptionAndExampleOfEveryField) {
  const auto object = to_json_object(turn_on());
  EXPECT_EQ(object.at("name").as_string(), "Turn on");
  EXPECT_EQ(object.at("description").as_string(), "Turns lights on.");
  const auto& fields = object.at("fields").as_object();
  EXPECT_EQ(fields.size(), 3u);
  for (const auto& [name, field] : fields) {
    EXPECT_TRUE(field.as_object().contains("description")) << std::string_view(name);
    EXPECT_TRUE(field.as_object().contains("example")) << std::string_view(name);
  }
  EXPECT_EQ(fields.at("entity_id").at("example").as_string(), "light.kitchen");
  EXPECT_EQ(base::to_json(object.at("target")), R"({"entity":[{"domain":["light"]}]})");
  EXPECT_FALSE(object.contains("response"));
}

TEST(ServiceDescription, ShowsNoTargetIfItHasNone) {
  auto description = turn_on();
  description.has_target = false;
  const auto object = to_json_object(description);
  EXPECT_FALSE(object.contains("target"));
  EXPECT_FALSE(object.at("fields").as_object().contains("entity_id"));
}

TEST(ServiceDescription, ShowsFieldsAndTargetAsAnotherHubWroteThem) {
  auto description = turn_on();
  description.fields = {};
  description.hands_on = true;
  description.written_fields = base::parse_json(R"({"speed":{"selector":{"text":null},"required":true}})")->as_object();
  description.written_target = base::parse_json(R"({"device":[{"integration":"zha"}]})")->as_object();
  const auto object = to_json_object(description);
  EXPECT_EQ(base::to_json(object.at("target")), R"({"device":[{"integration":"zha"}]})");
  const auto& fields = object.at("fields").as_object();
  EXPECT_FALSE(fields.contains("entity_id"));
  EXPECT_EQ(base::to_json(fields.at("speed")), R"({"selector":{"text":null},"required":true})");
  EXPECT_EQ(validated(description, R"({"speed":[1]})"), R"({"speed":[1]})");
  EXPECT_EQ(validated(description, "{}"), "{}");
}

TEST(ServiceDescription, ShowsWhetherItAnswersWithData) {
  auto description = turn_on();
  description.response = ResponseSupport::only;
  EXPECT_EQ(base::to_json(to_json_object(description).at("response")), R"({"optional":false})");
  description.response = ResponseSupport::optional;
  EXPECT_EQ(base::to_json(to_json_object(description).at("response")), R"({"optional":true})");
}

}  // namespace
}  // namespace hearth::core
