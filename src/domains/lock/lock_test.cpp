// SPDX-License-Identifier: Apache-2.0
#include "domains/lock/lock.h"

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// Writes down what it was told.
class Bolt final : public LockDevice {
 public:
  void lock(const std::string& code) override { told += "lock " + code; }
  void unlock(const std::string& code) override { told += "unlock " + code; }
  void open(const std::string& code) override { told += "open " + code; }

  std::string told;
};

class LockServices : public testing::Test {
 protected:
  Bolt gate_device, safe_device;
  TestHome home;
  Lock& gate = home.add(std::make_unique<Lock>(test_entity("gate"), LockCapabilities{.open = true}, gate_device));
  Lock& safe = home.add(std::make_unique<Lock>(test_entity("safe"), LockCapabilities{.code_length = 4}, safe_device));
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
  EXPECT_EQ(safe_device.told, "unlock 0815lock 1234");
}

TEST_F(LockServices, RefuseACodeThatCannotBe) {
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
  gate.report(LockState::jammed);
  EXPECT_EQ(home.value("lock.gate"), "jammed");
  EXPECT_EQ(home.hub.states.find("lock.gate")->attributes_json(), R"({"supported_features":1,"friendly_name":"gate"})");
  EXPECT_EQ(home.attribute("lock.safe", "code_format"), R"("^\\d{4}$")");
}

}  // namespace
}  // namespace hearth::domains
