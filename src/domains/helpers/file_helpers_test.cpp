// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/file_helpers.h"

#include "core/registry/collection_type.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

struct FileHelpersTest : testing::Test {
  static HelperItem item(std::string collection, std::string id, const json::object& given) {
    HelperItem made{
        .collection = std::move(collection), .id = std::move(id), .place = "f.yaml:1", .fields = {}, .error = {}};
    json::object named = given;
    named["name"] = made.id;
    made.fields = core::find_collection_type(made.collection)->fields_of(named).value();
    return made;
  }
  void apply(const std::vector<HelperItem>& items, bool complete = true) {
    EXPECT_TRUE(helpers.apply(items, complete).empty());
    home.hub.bus.run_pending();
  }

  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
};

TEST_F(FileHelpersTest, KeepTheirValuesAndCannotBeEdited) {
  apply({item("input_number", "x", {{"min", 1}, {"max", 9}}), item("input_boolean", "guests", {})});
  EXPECT_EQ(home.value("input_number.x"), "1.0");
  EXPECT_EQ(home.value("input_boolean.guests"), "off");
  EXPECT_EQ(home.attribute("input_number.x", "editable"), "false");
  home.call("input_number.set_value", R"({"entity_id": "input_number.x", "value": 7})");
  apply({item("input_number", "x", {{"min", 1}, {"max", 9}})});
  EXPECT_EQ(home.value("input_number.x"), "7.0");
  EXPECT_EQ(home.value("input_boolean.guests"), "");
  apply({item("input_number", "x", {{"min", 1}, {"max", 5}})});
  EXPECT_EQ(home.value("input_number.x"), "5.0");
}

TEST_F(FileHelpersTest, StayWithoutACompleteConfigurationAndWhenBroken) {
  apply({item("input_boolean", "a", {}), item("input_boolean", "b", {})});
  HelperItem broken{.collection = "input_boolean", .id = "a", .place = "f.yaml:1", .fields = {}, .error = "wrong"};
  apply({broken}, false);
  EXPECT_EQ(home.value("input_boolean.a"), "off");
  EXPECT_EQ(home.value("input_boolean.b"), "off");
}

TEST_F(FileHelpersTest, LeaveThoseMadeByCommandsAlone) {
  home.hub.registry.create_item("input_boolean", "made", {{"name", "Made"}}, core::Context::create(home.clock.now()))
      .value();
  home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local,
                    core::Context::create(home.clock.now()));
  home.hub.bus.run_pending();
  ASSERT_EQ(home.value("input_boolean.made"), "off");
  apply({item("input_boolean", "a", {})});
  apply({});
  EXPECT_EQ(home.value("input_boolean.made"), "off");
  EXPECT_EQ(home.value("input_boolean.a"), "");
}

TEST_F(FileHelpersTest, KeepTheOptionsThatAreSetUntilTheFileSaysOthers) {
  const auto options = [&] { return home.attribute("input_select.s", "options"); };
  const auto apply_options = [&](const json::array& written) {
    apply({item("input_select", "s", {{"options", written}, {"initial", "a"}})});
  };
  apply_options({"a", "b"});
  home.call("input_select.set_options", R"({"entity_id": "input_select.s", "options": ["b", "c"]})");
  EXPECT_EQ(options(), R"(["b","c"])");
  EXPECT_EQ(home.value("input_select.s"), "b");
  home.call("input_select.select_last", R"({"entity_id": "input_select.s"})");
  apply_options({"a", "b"});
  EXPECT_EQ(options(), R"(["b","c"])");
  // Read again by the next hub.
  FileHelpers next{home.hub, home.domains.entities()};
  apply({});
  EXPECT_TRUE(next.apply({item("input_select", "s", {{"options", {"a", "b"}}, {"initial", "a"}})}, true).empty());
  home.hub.bus.run_pending();
  EXPECT_EQ(options(), R"(["b","c"])");
  EXPECT_TRUE(next.apply({item("input_select", "s", {{"options", {"a", "x"}}})}, true).empty());
  home.hub.bus.run_pending();
  EXPECT_EQ(options(), R"(["a","x"])");
  EXPECT_TRUE(next.apply({item("input_select", "s", {{"options", {"a", "b"}}})}, true).empty());
  home.hub.bus.run_pending();
  EXPECT_EQ(options(), R"(["a","b"])");
}

}  // namespace
}  // namespace hearth::domains
