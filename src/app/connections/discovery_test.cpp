// SPDX-License-Identifier: Apache-2.0
#include "app/connections/discovery.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hearth::app {
namespace {

constexpr std::string_view kTypes[] = {"_lamp._tcp"};

std::optional<domains::Discovered> lamp(const net::MdnsInstance& service) {
  if (service.name == "throws") throw std::runtime_error("what is that");
  if (service.name == "none") return {};
  return domains::Discovered{.unique_id = service.name, .title = service.name};
}

constexpr IntegrationFactory kLamps[] = {
    {.name = "nothing", .check = nullptr, .create = nullptr, .change = nullptr},
    {.name = "lamps",
     .check = nullptr,
     .create = nullptr,
     .change = nullptr,
     .service_types = kTypes,
     .discovered = lamp},
};

class DiscoveryTest : public testing::Test {
 protected:
  DiscoveryTest() {
    discovery.start([this](std::vector<std::string> wanted, Discovery::Changed changed) {
      types = std::move(wanted);
      tell = std::move(changed);
      return base::Handle([this] { ended = true; });
    });
  }

  static net::MdnsChange lamp_named(const std::string& name, bool gone = false) {
    return {{.type = "_lamp._tcp", .name = name}, gone};
  }
  std::string heard() { return std::exchange(heard_, ""); }
  void advance(base::Duration time) {
    clock.advance(time);
    hub.bus.run_pending();
  }

  base::ManualClock clock;
  core::Hub hub{clock};
  std::string heard_;
  std::vector<std::string> types;
  Discovery::Changed tell;
  bool ended = false;
  Discovery discovery{hub, kLamps, [this](std::string_view domain, const domains::Discovered& device) {
                        heard_ += std::string(domain) + ":" + device.unique_id + " ";
                      }};
};

TEST_F(DiscoveryTest, TellsWhatIsFoundAndWhatIsStillThere) {
  EXPECT_EQ(types, std::vector<std::string>{"_lamp._tcp"});
  tell({lamp_named("a"),
        lamp_named("throws"),
        lamp_named("none"),
        lamp_named("b"),
        {{.type = "_other._tcp", .name = "c"}}});
  EXPECT_EQ(heard(), "lamps:a lamps:b ");
  tell({lamp_named("b", true)});
  EXPECT_EQ(heard(), "");
  advance(Discovery::kAgain);
  EXPECT_EQ(heard(), "lamps:a ");
  discovery.stop();
  EXPECT_TRUE(ended);
  advance(Discovery::kAgain);
  EXPECT_EQ(heard(), "");
}

TEST_F(DiscoveryTest, KeepsABoundedNumberOfThem) {
  std::vector<net::MdnsChange> many;
  for (std::size_t i = 0; i < 10 * Discovery::kMostDevices; ++i) many.push_back(lamp_named(std::to_string(i)));
  tell(many);
  heard();
  advance(Discovery::kAgain);
  EXPECT_EQ(std::ranges::count(heard(), ' '), static_cast<std::ptrdiff_t>(Discovery::kMostDevices));
}

}  // namespace
}  // namespace hearth::app
