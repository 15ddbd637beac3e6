// SPDX-License-Identifier: Apache-2.0
#include "app/network/announcement.h"

#include <gtest/gtest.h>

#include <map>

namespace hearth::app {
namespace {

std::map<std::string, std::string> texts_of(const net::MdnsService& service) {
  return {service.texts.begin(), service.texts.end()};
}

TEST(Announcement, IsForHubsThatOthersReach) {
  EXPECT_TRUE(reaches_network({}));
  EXPECT_TRUE(reaches_network({"0.0.0.0"}));
  EXPECT_TRUE(reaches_network({"127.0.0.1", "192.168.1.5"}));
  EXPECT_FALSE(reaches_network({"127.0.0.1", "::1"}));
}

TEST(Announcement, TellsWhatClientsAskFor) {
  core::HubConfig home;
  home.location_name = "Our home";
  home.uuid = "0123456789abcdef0123456789abcdef";
  home.version = "2026.11.0";
  home.internal_url = home.external_url = "http://10.0.0.2:8123";  // made by the hub at its start
  const auto service = announced_service(home, 8123, "http://10.0.0.2:8123", "http://10.0.0.3:8123");
  EXPECT_EQ("Our home", service.name);
  EXPECT_EQ("_home-assistant._tcp", service.type);
  EXPECT_EQ(8123, service.port);
  const std::map<std::string, std::string> expected{{"location_name", "Our home"},
                                                    {"uuid", home.uuid},
                                                    {"version", "2026.11.0"},
                                                    {"internal_url", "http://10.0.0.3:8123"},
                                                    {"external_url", ""},
                                                    {"base_url", "http://10.0.0.3:8123"},
                                                    {"requires_api_password", "True"}};
  EXPECT_EQ(expected, texts_of(service));
}

TEST(Announcement, TellsTheAddressesThatTheHomeHas) {
  core::HubConfig home;
  home.location_name = "...";
  home.internal_url = "https://hub.home.arpa";
  home.external_url = "https://home.example.org";
  const auto service = announced_service(home, 8123, "http://10.0.0.2:8123", "http://10.0.0.3:8123");
  EXPECT_EQ("Home", service.name);
  const auto texts = texts_of(service);
  EXPECT_EQ("https://hub.home.arpa", texts.at("internal_url"));
  EXPECT_EQ("https://home.example.org", texts.at("external_url"));
  EXPECT_EQ("https://home.example.org", texts.at("base_url"));
}

}  // namespace
}  // namespace hearth::app
