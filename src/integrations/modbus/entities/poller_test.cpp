// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/poller.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "domains/test_home.h"

namespace hearth::integrations::modbus {
namespace {

// A device whose registers are their addresses; some of them are not there.
class PollerTest : public testing::Test {
 protected:
  void add(std::uint16_t address, std::uint16_t count = 1, std::uint8_t unit = 1, Table table = Table::holding) {
    poller.add({.unit = unit,
                .table = table,
                .address = address,
                .count = count,
                .interval = std::chrono::seconds(10),
                .got = [this, address](std::span<const std::uint16_t> values, const RequestFailure* failure) {
                  values_[address] = failure ? failure->message : fmt::format("{}+{}", values[0], values.size());
                }});
  }
  Answer answer(const Request& request) {
    if (request.count > most) return std::unexpected(RequestFailure{RequestFailure::Kind::exception, 3, "too many"});
    Words words;
    for (unsigned at = request.address; at < unsigned{request.address} + request.count; ++at) {
      if (missing.contains(at)) return std::unexpected(RequestFailure{RequestFailure::Kind::exception, 2, "missing"});
      words.push_back(static_cast<std::uint16_t>(at));
    }
    return words;
  }
  std::string asked() { return std::exchange(asked_, {}); }

  domains::TestHome home;
  std::set<unsigned> missing;
  unsigned most = 125;
  std::string asked_;
  std::map<unsigned, std::string> values_;
  Poller poller{home.bus, [this](const Request& request, const std::function<void(const Answer&)>& done) {
                  asked_ += fmt::format("{}+{} ", request.address, request.count);
                  done(answer(request));
                }};
};

TEST_F(PollerTest, ReadsNeighboursTogether) {
  add(5, 2);
  add(3, 2);
  add(4);  // within another
  add(8);
  add(7, 1, 2);
  add(7, 1, 1, Table::input);
  poller.start();
  poller.read_all();
  EXPECT_EQ(asked(), "3+4 8+1 7+1 7+1 ");
  EXPECT_EQ(values_[5], "5+2");
  EXPECT_EQ(values_[4], "4+1");
  home.advance(std::chrono::seconds(10));
  EXPECT_EQ(asked(), "3+4 8+1 7+1 7+1 ");
  poller.stop();
  home.advance(std::chrono::seconds(30));
  EXPECT_EQ(asked(), "");
}

TEST_F(PollerTest, ReadsNoMoreThanARequestMay) {
  for (std::uint16_t address = 0; address < 300; ++address) add(address);
  poller.start();
  poller.read_all();
  EXPECT_EQ(asked(), "0+125 125+125 250+50 ");
}

TEST_F(PollerTest, AWrongAddressIsReadAloneFromThenOn) {
  missing = {13};
  for (std::uint16_t address = 10; address < 18; ++address) add(address);
  poller.start();
  poller.read_all();
  EXPECT_EQ(values_[13], "missing");
  for (const unsigned address : {10U, 11U, 12U, 14U, 15U, 16U, 17U})
    EXPECT_EQ(values_[address], fmt::format("{}+1", address));
  asked();
  poller.read_all();
  EXPECT_EQ(asked(), "10+2 12+1 13+1 14+4 ");
}

TEST_F(PollerTest, FindsHowManyADeviceCanRead) {
  most = 30;
  for (std::uint16_t address = 0; address < 100; ++address) add(address);
  poller.start();
  poller.read_all();
  asked();
  poller.read_all();
  EXPECT_EQ(asked(), "0+25 25+25 50+25 75+25 ");
}

TEST_F(PollerTest, DoesNotAskAgainWhatStillWaits) {
  std::function<void(const Answer&)> waiting;
  int requests = 0;
  Poller slow(home.bus, [&](const Request&, std::function<void(const Answer&)> done) {
    ++requests;
    waiting = std::move(done);
  });
  slow.add({.interval = std::chrono::seconds(1), .got = [](auto, auto) {}});
  slow.start();
  home.advance(std::chrono::seconds(5));
  EXPECT_EQ(requests, 1);
  waiting(Words{1});
  home.advance(std::chrono::seconds(1));
  EXPECT_EQ(requests, 2);
}

}  // namespace
}  // namespace hearth::integrations::modbus
