// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/hosts.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/threads/descriptor.h"
#include "building_blocks/hosts/echo.h"
#include "building_blocks/hosts/host_lookup.h"
#include "building_blocks/hosts/host_source.h"
#include "building_blocks/hosts/magic_packet.h"
#include "building_blocks/polled/test_polled.h"

namespace hearth::building_blocks {
namespace {

constexpr Block kHostsTested[] = {{kPing, &read_ping}, {kWakeOnLan, &read_wake_on_lan, &add_wake_services}};
constexpr auto kWanted = [] { return true; };

// A socket of this machine that is bound to a free port.
class BoundSocket {
 public:
  explicit BoundSocket(int type) : socket_(::socket(AF_INET, type | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    if (type == SOCK_STREAM) ::listen(socket_.number(), 16);
  }
  int port() const { return port_; }
  // The next datagram; waits for it.
  std::string receive() const {
    std::string text(1'500, '\0');
    const ssize_t bytes = ::recv(socket_.number(), text.data(), text.size(), 0);
    text.resize(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
    return text;
  }

 private:
  const base::Descriptor socket_;
  int port_ = 0;
};

TEST(MagicPacket, KnowsAddressesOfCards) {
  const Mac mac{0x00, 0x11, 0x22, 0xAA, 0xbb, 0xFF};
  for (const char* const text : {"00:11:22:aa:BB:ff", "00-11-22-AA-BB-FF", "001122aabbff", "0011.22aa.bbff"})
    EXPECT_EQ(parse_mac(text), mac) << text;
  for (const char* const text : {"", "00:11:22:aa:bb", "00:11:22:aa:bb:fg", "00:11-22:aa:bb:ff", "0:011:22:aa:bb:ff",
                                 "001122aabbff:", "00112.2aa.bbff", "00:11:22:aa:bb:ff:00", ":::::001122aabbff"})
    EXPECT_FALSE(parse_mac(text)) << text;
}

TEST(MagicPacket, HasTheAddressSixteenTimes) {
  const std::string packet = magic_packet({1, 2, 3, 4, 5, 6});
  ASSERT_EQ(packet.size(), 102U);
  EXPECT_EQ(packet.substr(0, 12), "\xFF\xFF\xFF\xFF\xFF\xFF\x01\x02\x03\x04\x05\x06");
  EXPECT_EQ(packet.substr(96), "\x01\x02\x03\x04\x05\x06");
}

TEST(Echo, ComesFromAPortThatIsOpenOrRefuses) {
  const auto here = boost::asio::ip::make_address("127.0.0.1");
  const BoundSocket open(SOCK_STREAM), silent(SOCK_DGRAM);
  const auto times = [&](int port) {
    const auto echoes = ask_for_echo(here, {.count = 2, .port = port, .icmp = false}, kWanted);
    return echoes ? echoes->milliseconds.size() : 99;
  };
  EXPECT_EQ(times(open.port()), 2U);
  EXPECT_EQ(times(silent.port()), 2U) << "nobody listens on that port of TCP, and the host says so";
}

TEST(Echo, SaysThatItCannotBeAskedFor) {
  const auto here = boost::asio::ip::make_address("127.0.0.1");
  const auto echoes = ask_for_echo(here, {.icmp = false}, kWanted);
  ASSERT_FALSE(echoes);
  EXPECT_TRUE(echoes.error().message.contains("net.ipv4.ping_group_range")) << echoes.error().message;
}

TEST(Echo, ComesByIcmpWhereThatIsPermitted) {
  for (const char* const text : {"127.0.0.1", "::1"}) {
    const auto echoes = ask_for_echo(boost::asio::ip::make_address(text), {.count = 3}, kWanted);
    // A host without the protocol says nothing.
    if (echoes && !echoes->milliseconds.empty()) EXPECT_EQ(echoes->milliseconds.size(), 3U) << text;
  }
}

TEST(Echo, IsGivenUpWhenTheHubStops) {
  const BoundSocket full(SOCK_STREAM);
  const auto nowhere = boost::asio::ip::make_address("127.0.0.1");
  const auto echoes = ask_for_echo(nowhere, {.port = full.port(), .icmp = true}, [] { return false; });
  if (!echoes) EXPECT_EQ(echoes.error().message, "the hub stops");
}

TEST(Echo, TellsTheTimes) {
  EXPECT_EQ(
      base::to_json(round_trip_times({{1, 3}})),
      R"({"round_trip_time_avg":2.0,"round_trip_time_max":3.0,"round_trip_time_mdev":1.0,"round_trip_time_min":1.0})");
  EXPECT_EQ(base::to_json(round_trip_times({})), "{}");
}

TEST(HostLookup, WaitsForOneAnswerAtATime) {
  std::atomic<int> asked = 0;
  std::atomic<bool> answers = false;
  HostLookup lookup("somewhere.test", [&](const std::string&) -> std::expected<net::Addresses, net::Failure> {
    ++asked;
    while (!answers) std::this_thread::yield();
    return net::Addresses{boost::asio::ip::make_address("127.0.0.9")};
  });
  for (int time = 0; time < 3; ++time) EXPECT_FALSE(lookup.find([] { return false; }));
  answers = true;
  EXPECT_EQ(lookup.find(kWanted).value().to_string(), "127.0.0.9");
  EXPECT_EQ(asked, 1);
}

TEST(HostLookup, NeedsNobodyForDigits) {
  HostLookup lookup("127.0.0.3",
                    [](const std::string&) -> std::expected<net::Addresses, net::Failure> { std::abort(); });
  EXPECT_EQ(lookup.find(kWanted).value().to_string(), "127.0.0.3");
}

class HostsTest : public ::testing::Test {
 protected:
  HostsTest() {
    home_.entities->add_services([](const core::Context&, const core::ServiceReply&) {});
  }

  TestPolled home_{kHostsTested};
};

TEST_F(HostsTest, ShowsWhetherAHostAnswers) {
  const BoundSocket open(SOCK_STREAM);
  home_.apply("none", "[]", "binary_sensor",
              fmt::format(R"([{{"platform": "ping", "host": "127.0.0.1", "count": 2, "port": {}, "name": "Here"}}])",
                          open.port()));
  EXPECT_EQ(home_.errors(), "");
  EXPECT_EQ(home_.becomes("binary_sensor.here", "on"), "on");
  EXPECT_NE(home_.attribute("binary_sensor.here", "round_trip_time_avg"), "");
  EXPECT_EQ(home_.attribute("binary_sensor.here", "device_class"), "\"connectivity\"");
}

TEST_F(HostsTest, WakesAMachine) {
  const BoundSocket machine(SOCK_DGRAM);
  home_.apply(
      "none", "[]", "switch",
      fmt::format(
          R"([{{"platform": "wake_on_lan", "name": "PC", "mac": "01:02:03:04:05:06", "broadcast_address": "127.0.0.1",
                               "broadcast_port": {}, "turn_off": [{{"action": "test.note", "data": {{"text": "off"}}}}]}}])",
          machine.port()));
  EXPECT_EQ(home_.errors(), "");
  home_.automations.call("switch.turn_on", R"({"entity_id": "switch.pc"})");
  EXPECT_EQ(machine.receive(), magic_packet({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(home_.becomes("switch.pc", "on"), "on");
  home_.automations.call("switch.turn_off", R"({"entity_id": "switch.pc"})");
  EXPECT_EQ(home_.becomes("switch.pc", "off"), "off");
  EXPECT_EQ(home_.automations.notes, std::vector<std::string>{"off"});
}

TEST_F(HostsTest, SendsAPacketByService) {
  const BoundSocket machine(SOCK_DGRAM);
  home_.automations.call(
      "wake_on_lan.send_magic_packet",
      fmt::format(R"({{"mac": "010203040506", "broadcast_address": "127.0.0.1", "broadcast_port": {}}})",
                  machine.port()));
  EXPECT_EQ(machine.receive(), magic_packet({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(home_.automations.call("wake_on_lan.send_magic_packet", R"({"mac": "x"})"),
            "invalid: mac: expected a MAC address such as 00:11:22:33:44:55");
  EXPECT_EQ(
      home_.automations.call("wake_on_lan.send_magic_packet", R"({"mac": "010203040506", "broadcast_address": "a.b"})"),
      "invalid: broadcast_address: expected an IPv4 address such as 192.168.1.255");
}

TEST_F(HostsTest, NamesWhatIsWrong) {
  home_.apply(
      "wake_on_lan", R"({"mac": 1})", "switch",
      R"([{"platform": "wake_on_lan", "name": "a"}, {"platform": "wake_on_lan", "name": "b", "mac": "x", "broadcast_port": 0},
                  {"platform": "wake_on_lan", "name": "c", "mac": "010203040506", "host": "a b"}, {"platform": "ping", "host": "x"}])");
  const std::string all = home_.errors();
  for (const char* const error : {"wake_on_lan: expected nothing", "mac is missing", "mac: expected a MAC address",
                                  "broadcast_port: ", "host: expected a name or an address",
                                  "ping is a platform of binary_sensor, not of switch"})
    EXPECT_TRUE(all.contains(error)) << error << " in\n" << all;
}

}  // namespace
}  // namespace hearth::building_blocks
