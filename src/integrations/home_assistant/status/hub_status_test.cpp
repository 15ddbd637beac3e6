// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/status/hub_status.h"

#include <gtest/gtest.h>

#include "base/json/json_fields.h"
#include "domains/test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using Health = domains::ConnectionHealth;

class HubStatusTest : public testing::Test {
 protected:
  HubStatusTest() {
    place_.report = [this](Health health) { health_ = std::move(health); };
    place_.raise = [this](std::vector<core::ConnectionIssue> issues) { issues_ = std::move(issues); };
    options_.url = "http://cabin:8123";
    status_.emplace(place_, options_);
  }
  // "bridge_token bridge_rights".
  std::string kinds() const {
    std::string all;
    for (const core::ConnectionIssue& issue : issues_) all += (all.empty() ? "" : " ") + issue.kind;
    return all;
  }
  std::string text(std::string_view key) const { return base::text_at(status_->json(), key); }
  static OtherHub hub() {
    return {.version = "2026.2.3", .name = "Cabin", .user_id = "u", .user_name = "Ann", .administrator = true};
  }

  domains::TestHome home_;
  domains::IntegrationHome place_ = home_.place("home_assistant");
  Options options_;
  Health health_;
  std::vector<core::ConnectionIssue> issues_;
  std::optional<HubStatus> status_;
};

TEST_F(HubStatusTest, IsReadyOnceTheHubThereRuns) {
  EXPECT_EQ(text("state"), "connecting");
  status_->opened(hub());
  status_->pictured(false);
  EXPECT_EQ(health_.state, Health::State::waiting);
  EXPECT_EQ(health_.reason, "Cabin is starting.");
  status_->running();
  EXPECT_EQ(health_.state, Health::State::ready);
  EXPECT_EQ(text("state"), "connected");
  EXPECT_EQ(text("version"), "2026.2.3");
  EXPECT_EQ(kinds(), "");
}

TEST_F(HubStatusTest, NeedsAPersonForARefusedToken) {
  status_->lost({.why = Lost::Why::refused, .message = "It refuses the token.", .retry_in = std::chrono::hours(1)});
  EXPECT_EQ(health_.state, Health::State::needs_person);
  EXPECT_EQ(kinds(), "bridge_token");
  EXPECT_EQ(text("state"), "refused");
  status_->opened(hub());
  EXPECT_EQ(kinds(), "");
}

TEST_F(HubStatusTest, TellsOfATokenThatEndsWithinTwoWeeks) {
  status_->token_ends(home_.clock.now() + HubStatus::kTokenWarning + std::chrono::hours(1));
  EXPECT_EQ(kinds(), "");
  status_->token_ends(home_.clock.now() + HubStatus::kTokenWarning);
  EXPECT_EQ(kinds(), "bridge_token_ends");
  EXPECT_EQ(issues_.front().details.at("date"), "2026-12-05");
  status_->token_ends({});
  EXPECT_EQ(kinds(), "");
}

TEST_F(HubStatusTest, KeepsTheRepairOfItselfWhateverComesThen) {
  status_->opened(hub());
  status_->is_self();
  status_->running();
  status_->lost({.message = "It is gone."});
  EXPECT_EQ(health_.state, Health::State::needs_person);
  EXPECT_EQ(kinds(), "bridge_self");
  EXPECT_EQ(text("state"), "self");
}

TEST_F(HubStatusTest, CountsChangesOfTheLastSeconds) {
  for (int second = 0; second < 30; ++second) {
    status_->changed(20);
    home_.clock.advance(std::chrono::seconds(1));
  }
  EXPECT_EQ(status_->json().at("changes_per_second"), json::value(20.0));
  home_.clock.advance(std::chrono::minutes(1));
  EXPECT_EQ(status_->json().at("changes_per_second"), json::value(0.0));
}

TEST_F(HubStatusTest, NamesAutomationsThatRunInBoth) {
  status_->doubles("Night");
  EXPECT_EQ(kinds(), "bridge_double");
  status_->doubles("");
  EXPECT_EQ(kinds(), "");
}

TEST_F(HubStatusTest, SaysWhatATokenMayNotDo) {
  OtherHub plain = hub();
  plain.administrator = false;
  status_->opened(plain);
  EXPECT_EQ(kinds(), "bridge_rights");
  EXPECT_EQ(issues_.front().details.at("user"), "Ann");
  status_->opened(hub());
  EXPECT_EQ(kinds(), "");
  status_->rights_missing(true);
  EXPECT_EQ(kinds(), "bridge_rights");
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
