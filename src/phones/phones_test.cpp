// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/alerts/alert_rules.h"
#include "domains/people/texts.h"
#include "phones/choice.h"
#include "phones/phone.h"
#include "phones/phone_message.h"
#include "phones/sealed_message.h"
#include "phones/web_push.h"

namespace hearth::phones {
namespace {

TEST(Choice, IsQuietAlsoOverMidnight) {
  const Choice night{.quiet_from = "22:00", .quiet_to = "07:00"}, noon{.quiet_from = "12:00", .quiet_to = "14:00"};
  for (const char* const time : {"22:00", "23:59", "00:00", "06:59"}) EXPECT_TRUE(night.is_quiet(time)) << time;
  for (const char* const time : {"07:00", "12:00", "21:59"}) EXPECT_FALSE(night.is_quiet(time)) << time;
  EXPECT_TRUE(noon.is_quiet("12:00") && !noon.is_quiet("14:00") && !noon.is_quiet("11:59"));
  EXPECT_FALSE(Choice().is_quiet("00:00"));
}

TEST(Choice, ComesBackAsItWas) {
  const Choice chosen{.alerts = Choice::Alerts::all, .logins = false, .quiet_from = "22:30", .quiet_to = "06:00"};
  EXPECT_EQ(read_choice(to_json_object(chosen)).value(), chosen);
  EXPECT_EQ(read_choice(to_json_object(Choice())).value(), Choice());
}

TEST(SealedMessage, IsOpenedByItsKeyOnly) {
  const std::string secret = make_phone_secret(), other = make_phone_secret();
  for (const bool by_characters : {false, true}) {
    std::string sealed = seal_message(secret, "text", by_characters);
    const auto opened = open_message(secret, sealed);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->text, "text");
    EXPECT_EQ(opened->by_characters, by_characters);
    EXPECT_FALSE(open_message(other, sealed));
    sealed[40] = sealed[40] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(open_message(secret, sealed));
  }
}

TEST(Phone, ComesBackAsItWas) {
  Phone phone{.webhook_id = "w", .user_id = "u", .token_id = "t", .secret = "s", .key = "k"};
  phone.registration = {{"device_name", "Phone"}, {"app_data", json::object{{"push_token", "x"}}}};
  phone.sensors["b"] = {.unique_id = "b", .registered_as = "k_b", .fields = {{"unique_id", "b"}, {"type", "sensor"}}};
  const auto read = read_phone(base::to_json(to_json_object(phone)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->registration, phone.registration);
  EXPECT_EQ(read->sensors, phone.sensors);
  EXPECT_EQ(read->token_id + read->user_id + read->key + read->secret, "tuks");
}

TEST(PushKey, ComesBackAsItWas) {
  const PushKey key = PushKey::make();
  const auto read = PushKey::read(key.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->public_key(), key.public_key());
  EXPECT_EQ(key.public_key().size(), 87U);
  EXPECT_FALSE(PushKey::read("no key"));
}

TEST(AlertTitle, AreThereForEachKind) {
  for (const core::AlertRule& rule : core::alert_rules()) {
    EXPECT_NE(domains::alert_title(rule.kind, "en"), "Alert") << rule.kind;
    EXPECT_NE(domains::alert_title(rule.kind, "de-AT"), "Hinweis") << rule.kind;
  }
}

}  // namespace
}  // namespace hearth::phones
