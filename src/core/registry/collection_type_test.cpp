// SPDX-License-Identifier: Apache-2.0
#include "core/registry/collection_type.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

// The zone's fields as JSON, or the error.
std::string zone(json::object given, const json::object* former = nullptr) {
  const auto fields = find_collection_type("zone")->fields_of(given, former);
  return fields ? base::to_json(*fields) : fields.error().message;
}

const json::object kWork{{"name", "Work"}, {"latitude", 52.5}, {"longitude", 13}};

json::object work_with(std::string_view key, json::value value) {
  json::object fields = kWork;
  fields[key] = std::move(value);
  return fields;
}

TEST(CollectionType, FillsInWhatANewItemDoesNotName) {
  EXPECT_EQ(zone(kWork), R"({"name":"Work","latitude":52.5,"longitude":13.0,"radius":100,"passive":false})");
  EXPECT_EQ(find_collection_type("nothing"), nullptr);
}

TEST(CollectionType, ChangesOnlyWhatIsNamed) {
  const json::object former = base::parse_json(zone(work_with("icon", "mdi:desk"))).value().as_object();
  EXPECT_EQ(zone({}, &former), base::to_json(former));
  EXPECT_NE(zone({{"radius", "7.5"}}, &former).find(R"("radius":7.5)"), std::string::npos);
  EXPECT_EQ(zone({{"icon", nullptr}}, &former).find("icon"), std::string::npos);
}

TEST(CollectionType, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(zone({{"name", "Work"}, {"latitude", 1}}), "longitude: required field of a zone is missing");
  EXPECT_EQ(zone(work_with("height", 1)), "height: unknown field of a zone");
  EXPECT_EQ(zone(work_with("latitude", 90.1)), "latitude: expected a number from -90 to 90 °, got 90.1");
  EXPECT_TRUE(zone(work_with("latitude", nullptr)).starts_with("latitude: expected a number"));
  EXPECT_TRUE(zone(work_with("radius", 0)).starts_with("radius: expected"));
  EXPECT_TRUE(zone(work_with("passive", "perhaps")).starts_with("passive: expected"));
  EXPECT_EQ(zone(work_with("name", "")), "name: expected a text of 1 to 255 bytes");
  EXPECT_EQ(zone(work_with("name", json::string(256, 'x'))), "name: expected a text of 1 to 255 bytes");
}

}  // namespace
}  // namespace hearth::core
