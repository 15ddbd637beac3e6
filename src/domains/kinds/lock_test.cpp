// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class LockServices : public testing::Test {
 protected:
  TestDevice gate_device, safe_device;
  TestHome home;
  Thing& gate =
      home.add(std::make_unique<Thing>(kLock, test_entity("gate"), Abilities{.features = "open"}, &gate_device));
  Thing& safe = home.add(std::make_unique<Thing>(
      kLock, test_entity("safe"), Abilities{.attributes = {{"code_format", R"(^\d{4}$)"}}}, &safe_device));
};

TEST_F(LockServices, CommandTheDevice) {
  home.begin("lock.lock", R"({"entity_id": "lock.gate"})");
  home.begin("lock.unlock", R"({"entity_id": "lock.gate"})");
  home.begin("lock.open", R"({"entity_id": "lock.gate"})");
  EXPECT_EQ(gate_device.told, "lock unlock open ");
}

TEST_F(LockServices, PassTheCodeOn) {
  home.begin("lock.unlock", R"({"entity_id": "lock.safe", "code": "0815"})");
  home.begin("lock.lock", R"({"entity_id": "lock.safe", "code": 1234})");
  EXPECT_EQ(safe_device.told, R"(unlock{"code":"0815"} lock{"code":"1234"} )");
}

TEST_F(LockServices, RefuseACodeOfTheWrongForm) {
  for (const char* code : {R"("12345")", R"("12a4")", R"("")"}) {
    EXPECT_EQ(
        home.call("lock.unlock", R"({"entity_id": ["lock.gate", "lock.safe"], "code": )" + std::string(code) + "}"),
        "invalid: code: lock.safe needs 4 digits");
  }
  EXPECT_EQ(home.call("lock.unlock", R"({"entity_id": "lock.safe"})"), "invalid: code: lock.safe needs 4 digits");
  EXPECT_EQ(gate_device.told + safe_device.told, "");
}

TEST_F(LockServices, NameTheLockThatCannotOpen) {
  EXPECT_EQ(home.call("lock.open", R"({"entity_id": "lock.safe", "code": "1234"})"),
            "invalid: lock.safe cannot open its latch.");
}

TEST_F(LockServices, ShowState) {
  EXPECT_EQ(home.value("lock.gate"), "unknown");
  gate.report({.value = "jammed"});
  EXPECT_EQ(home.value("lock.gate"), "jammed");
  EXPECT_EQ(home.hub.states.find("lock.gate")->attributes_json(), R"({"supported_features":1,"friendly_name":"gate"})");
  EXPECT_EQ(home.attribute("lock.safe", "code_format"), R"("^\\d{4}$")");
}

}  // namespace
}  // namespace hearth::domains
