// SPDX-License-Identifier: Apache-2.0
// A portal and the site `kitchen` at a NATS server of the tests' own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fleet/nats/test_nats_server.h"

namespace hearth::fleet {

class NatsLink : public testing::Test {
 protected:
  void SetUp() override {
    if (!TestNatsServer::installed()) GTEST_SKIP() << "nats-server is missing: tools/bootstrap --test installs it";
  }

  // Everything at once, with the stream.
  void start(const std::string& ca = {}) {
    server_.start();
    auto of_portal = server_.options("portal-a"), of_site = server_.options("kitchen");
    of_portal.ca = of_site.ca = ca;
    portal_ = connect_portal(of_portal).value();
    reader_ = portal_->reader().value();
    ASSERT_TRUE(eventually([&] { return reader_->name().has_value(); })) << reader_->name().error().message;
    site_ = connect_site(of_site, "kitchen").value();
  }

  // As a site does: until it is kept.
  static bool publish(SiteLink& site, std::string_view id, std::string_view payload, Kind kind = Kind::log,
                      std::size_t part = 0) {
    base::Result<void> done;
    const bool kept = eventually([&] { return (done = site.publish(kind, part, id, payload)).has_value(); },
                                 std::chrono::seconds(60));
    if (!kept) ADD_FAILURE() << done.error().message;
    return kept;
  }

  Messages read(std::uint64_t after, std::size_t most = 1000, base::Duration patience = {}) {
    base::Result<Messages> messages;
    eventually([&] { return (messages = reader_->read(after, most, patience)).has_value(); });
    if (!messages) ADD_FAILURE() << messages.error().message;
    return messages ? *messages : Messages{};
  }

  // All pieces.
  std::vector<Message> latest() {
    std::vector<Message> all;
    const auto done = reader_->latest([&](std::vector<Message> piece) {
      all.insert(all.end(), std::move_iterator(piece.begin()), std::move_iterator(piece.end()));
    });
    if (!done) ADD_FAILURE() << done.error().message;
    return all;
  }

  using Texts = std::vector<std::string>;
  static Texts payloads(const std::vector<Message>& list) {
    Texts all;
    for (const Message& message : list) all.push_back(message.payload);
    return all;
  }

  TestNatsServer server_;
  std::unique_ptr<PortalLink> portal_;
  std::unique_ptr<FleetReader> reader_;
  std::unique_ptr<SiteLink> site_;
};

}  // namespace hearth::fleet
