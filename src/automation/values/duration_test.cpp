// SPDX-License-Identifier: Apache-2.0
#include "automation/values/duration.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

std::string read_duration_text(std::string_view json, DurationData::Sign sign = DurationData::Sign::positive) {
  const auto parsed = DurationData::parse(test_node(json), sign);
  if (!parsed) return parsed.error().message;
  const auto value = parsed->evaluate(Renderer(), templates::Variables{{"n", templates::Value(3)}});
  return value ? std::to_string(value->count() / 1000) + " ms" : value.error().message;
}

TEST(DurationData, ReadsSecondsClocksAndObjects) {
  EXPECT_EQ(read_duration_text("5"), "5000 ms");
  EXPECT_EQ(read_duration_text("0.25"), "250 ms");
  EXPECT_EQ(read_duration_text(R"("90")"), "90000 ms");
  EXPECT_EQ(read_duration_text(R"("00:01:30")"), "90000 ms");
  EXPECT_EQ(read_duration_text(R"("01:30")"), "5400000 ms");
  EXPECT_EQ(read_duration_text(R"("00:61:90")"), "3750000 ms");
  EXPECT_EQ(read_duration_text(R"("00:00:01.5")"), "1500 ms");
  EXPECT_EQ(read_duration_text(R"({"minutes": 1, "seconds": "2", "milliseconds": 3})"), "62003 ms");
  EXPECT_EQ(read_duration_text(R"({"days": 1, "hours": 1})"), "90000000 ms");
}

TEST(DurationData, RendersTemplates) {
  EXPECT_EQ(read_duration_text(R"("{{ n * 2 }}")"), "6000 ms");
  EXPECT_EQ(read_duration_text(R"({"minutes": "{{ n }}"})"), "180000 ms");
  EXPECT_EQ(read_duration_text(R"("{{ {'seconds': n} }}")"), "3000 ms");
  EXPECT_EQ(read_duration_text(R"("00:00:{{ '%02d' % n }}")"), "3000 ms");
}

TEST(DurationData, RefusesWhatIsNone) {
  EXPECT_TRUE(read_duration_text(R"("soon")").ends_with(R"(, found "soon")"));
  for (const char* const wrong : {R"("1:2:3:4")", R"({"weeks": 1})", "{}", "[1]", "null", "true", R"("00:-1")"})
    EXPECT_TRUE(read_duration_text(wrong).contains("expected a duration")) << wrong << read_duration_text(wrong);
  EXPECT_TRUE(read_duration_text("-1").contains("not negative"));
  EXPECT_EQ(read_duration_text(R"("-00:00:10")", DurationData::Sign::any), "-10000 ms");
  EXPECT_TRUE(read_duration_text(R"("{{ 'soon' }}")").contains("the template gave soon"));
}

TEST(TimeOfDay, IsWhatAClockShows) {
  EXPECT_EQ(parse_time_of_day("07:30"), 7h + 30min);
  EXPECT_EQ(parse_time_of_day("7:30:15.5"), 7h + 30min + 15'500ms);
  for (const char* const wrong : {"07:60", "07:00:60", "24:00", "7", "-01:00", "07:-1", "001:00"})
    EXPECT_FALSE(parse_time_of_day(wrong)) << wrong;
}

}  // namespace
}  // namespace hearth::automation
