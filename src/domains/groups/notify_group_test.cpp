// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/notify_group.h"

#include "domains/groups/test_groups.h"

namespace hearth::domains {
namespace {

struct NotifyGroupTest : TestGroups {
  // A service of notify that notes what it is told.
  core::Registration phone() {
    core::ServiceDescription description;
    description.domain = "notify";
    description.service = "phone";
    description.has_target = false;
    description.fields = {{"message", "", {}, core::field::Text{}, true},
                          {"title", "", {}, core::field::Text{}},
                          {"target", ""},
                          {"data", "", {}, core::field::Object{}}};
    return home.hub.services.add(description, [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
      if (call.data().at("message") == "fail") return reply(base::fail(base::ErrorCode::invalid, "no signal"));
      told += base::to_json(call.data()) + " ";
      reply(json::value());
    });
  }
  // Data that cannot be added.
  std::string put(const std::string& name, std::string_view services) {
    const std::string id = "notify/" + core::slugify(name);
    std::erase_if(items, [&](const HelperItem& item) { return item.id == id; });
    items.push_back({.collection = "group",
                     .id = id,
                     .place = "f.yaml:1",
                     .fields = {{"name", name},
                                {"group_type", "notify"},
                                {NotifyGroup::kServices, base::parse_json(services).value()}},
                     .error = {}});
    std::string all;
    for (const std::string& error : helpers.apply(items, true)) all += error + " ";
    return all;
  }

  std::string told;
};

TEST_F(NotifyGroupTest, SaysItToServicesAndToEntities) {
  const auto service = phone();
  TestDevice &screen = add("notify", "screen", "title"), &plain = add("notify", "plain");
  EXPECT_EQ(
      put("All of us", R"([{"service": "phone", "data": {"target": "ann", "title": "T", "data": {"a": 1, "b": 2}}},
                                 {"service": "screen"}, {"service": "plain"}, {"service": "gone"}])"),
      "");
  home.call("notify.all_of_us", R"({"message": "m", "data": {"b": 3}})");
  EXPECT_EQ(told, R"({"message":"m","data":{"b":3,"a":1},"target":"ann","title":"T"} )");
  EXPECT_EQ(screen.told + plain.told, R"(send_message{"message":"m"} send_message{"message":"m"} )");
  screen.told = plain.told = "";
  home.call("notify.all_of_us", R"({"message": "m", "title": "t"})");
  EXPECT_EQ(screen.told + plain.told, R"(send_message{"message":"m","title":"t"} send_message{"message":"m"} )");
}

TEST_F(NotifyGroupTest, FailsIfNobodyCouldBeTold) {
  const auto service = phone();
  put("two", R"([{"service": "phone"}, {"service": "screen"}])");
  EXPECT_EQ(home.call("notify.two", R"({"message": "fail"})"), "invalid: no signal");
  TestDevice& screen = add("notify", "screen");
  EXPECT_FALSE(home.call("notify.two", R"({"message": "fail"})").starts_with("invalid"));
  EXPECT_EQ(screen.told, R"(send_message{"message":"fail"} )");
}

TEST_F(NotifyGroupTest, GroupsThatHoldEachOtherEnd) {
  const auto service = phone();
  put("a", R"([{"service": "b"}, {"service": "phone"}])");
  put("b", R"([{"service": "a"}])");
  EXPECT_EQ(home.call("notify.a", R"({"message": "m"})"), "");
  EXPECT_EQ(told, R"({"message":"m"} )");
  put("b", R"([{"service": "b"}])");
  EXPECT_EQ(home.call("notify.b", R"({"message": "m"})"),
            "invalid: notify.b is a member of itself, perhaps by another group.");
}

TEST_F(NotifyGroupTest, FollowsItsFile) {
  const auto service = phone();
  EXPECT_EQ(put("send message", R"([{"service": "phone"}])"),
            "f.yaml:1: There is a service notify.send_message already. ");
  items.clear();
  put("a", R"([{"service": "gone"}])");
  home.call("notify.a", R"({"message": "1"})");
  put("a", R"([{"service": "phone"}])");
  home.call("notify.a", R"({"message": "2"})");
  EXPECT_EQ(told, R"({"message":"2"} )");
  helpers.apply({}, true);
  EXPECT_EQ(home.hub.services.find("notify", "a"), nullptr);
}

}  // namespace
}  // namespace hearth::domains
