// SPDX-License-Identifier: Apache-2.0
#include "http/messages/client_address.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

constexpr const char* kUntrusted = "untrusted";
constexpr const char* kUnreadable = "unreadable";

std::string client(const std::string& peer, const RequestHeaders& headers) {
  const std::vector<base::IpNetwork> trusted = {
      *base::IpNetwork::parse("10.0.0.0/8"), *base::IpNetwork::parse("fd00::/8"), *base::IpNetwork::parse("127.0.0.1")};
  const auto found = client_address(boost::asio::ip::make_address(peer), headers, trusted);
  if (!found) return found.error() == ForwardingError::untrusted ? kUntrusted : kUnreadable;
  return found->to_string();
}

// The client if the proxy at `peer` sends X-Forwarded-For.
std::string client(const std::string& peer, std::string_view forwarded) {
  RequestHeaders headers;
  headers.has_x_forwarded_for = true;
  headers.x_forwarded_for = forwarded;
  return client(peer, headers);
}

// The client if it sends Forwarded.
std::string client_by_standard(const std::string& peer, std::string_view forwarded) {
  RequestHeaders headers;
  headers.has_forwarded = true;
  headers.forwarded = forwarded;
  return client(peer, headers);
}

TEST(ClientAddress, IsThePeerWithoutProxies) {
  EXPECT_EQ(client("192.0.2.1", RequestHeaders()), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", RequestHeaders()), "10.0.0.1");
  EXPECT_EQ(client("2001:db8::1", RequestHeaders()), "2001:db8::1");
}

TEST(ClientAddress, IsUnknownIfAnUntrustedPeerForwards) {
  for (const char* stranger : {"192.0.2.1", "::1", "192.168.1.1"}) {
    for (const char* said : {"10.0.0.1, 127.0.0.1", "192.0.2.9", "", "nonsense"}) {
      EXPECT_EQ(client(stranger, said), kUntrusted) << stranger << ' ' << said;
      EXPECT_EQ(client_by_standard(stranger, said), kUntrusted) << stranger << ' ' << said;
    }
  }
}

TEST(ClientAddress, IsTheOneThatATrustedProxyNames) {
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client("fd00::1", " 2001:db8::7\t"), "2001:db8::7");
}

TEST(ClientAddress, GoesBackThroughAChainOfTrustedProxies) {
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7, 10.0.0.3,10.0.0.2"), "192.0.2.7");
  EXPECT_EQ(client("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
}

TEST(ClientAddress, StopsAtTheLastAddressThatIsNotTrusted) {
  EXPECT_EQ(client("10.0.0.1", "127.0.0.1, 192.0.2.7, 10.0.0.2"), "192.0.2.7");
  EXPECT_EQ(client("10.0.0.1", "1.1.1.1, 192.0.2.7"), "192.0.2.7");
}

TEST(ClientAddress, HasNoPort) {
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9:51234"), "203.0.113.9");
  EXPECT_EQ(client("10.0.0.1", "[2001:db8::1]:443"), "2001:db8::1");
  EXPECT_EQ(client("10.0.0.1", "[2001:db8::1]"), "2001:db8::1");
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9:51234, 10.0.0.2:80"), "203.0.113.9");
}

TEST(ClientAddress, IsUnknownIfTheFieldIsMalformed) {
  for (const char* said : {"",
                           " ",
                           "unknown",
                           "192.0.2.7, _hidden, 10.0.0.2",
                           "_hidden, 192.0.2.7",
                           ",,,",
                           "192.0.2.7,",
                           ",192.0.2.7",
                           "192.0.2.7,,10.0.0.2",
                           "999.1.1.1",
                           "192.0.2.7:",
                           "192.0.2.7:x",
                           "192.0.2.7:65536",
                           "192.0.2.7:-1",
                           "192.0.2.7:1x",
                           "192.0.2.7:1:2",
                           "[192.0.2.7]",
                           "[2001:db8::1",
                           "2001:db8::1]",
                           "[2001:db8::1]x",
                           "[2001:db8::1]:",
                           "[]",
                           "[]:1",
                           "fe80::1%1",
                           "192.0.2.7 192.0.2.8",
                           "\"192.0.2.7\"",
                           "for=192.0.2.7"}) {
    EXPECT_EQ(client("10.0.0.1", said), kUnreadable) << said;
  }
}

TEST(ClientAddress, IsReadFromForwarded) {
  EXPECT_EQ(client_by_standard("10.0.0.1", "for=192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_by_standard("10.0.0.1", "proto=https;For=\"[2001:db8::1]:443\";by=10.0.0.1"), "2001:db8::1");
  EXPECT_EQ(client_by_standard("10.0.0.1", "for=1.1.1.1, for=192.0.2.7;host=\"a,b;c\", for=10.0.0.2"), "192.0.2.7");
  for (const char* said : {"", "proto=https", "for=", "for=unknown", "for=_hidden", "for=192.0.2.7, proto=https",
                           "for=\"192.0.2.7", "for=192.0.2.7,", "192.0.2.7"}) {
    EXPECT_EQ(client_by_standard("10.0.0.1", said), kUnreadable) << said;
  }
}

// A proxy that writes one of the two fields passes the other on as the client forged it.
TEST(ClientAddress, IsReadFromXForwardedForIfBothCome) {
  RequestHeaders headers;
  headers.has_x_forwarded_for = headers.has_forwarded = true;
  headers.x_forwarded_for = "192.0.2.7";
  headers.forwarded = "for=1.1.1.1";
  EXPECT_EQ(client("10.0.0.1", headers), "192.0.2.7");
  headers.forwarded = "nonsense";
  EXPECT_EQ(client("10.0.0.1", headers), "192.0.2.7");
}

TEST(ClientAddress, CameOverTlsIfATrustedProxySaysSo) {
  const std::vector<base::IpNetwork> trusted = {*base::IpNetwork::parse("10.0.0.0/8")};
  const auto over_tls = [&](const char* peer, const RequestHeaders& headers) {
    return came_over_tls(boost::asio::ip::make_address(peer), headers, trusted);
  };
  const auto scheme = [](std::string_view said) {
    RequestHeaders headers;
    headers.x_forwarded_proto = said;
    return headers;
  };
  const auto standard = [](std::string_view said) {
    RequestHeaders headers;
    headers.has_forwarded = true;
    headers.forwarded = said;
    return headers;
  };
  EXPECT_FALSE(over_tls("10.0.0.1", RequestHeaders()));
  for (const char* said : {"https", "HTTPS", "http, https"}) {
    EXPECT_TRUE(over_tls("10.0.0.1", scheme(said))) << said;
    EXPECT_TRUE(over_tls("::ffff:10.0.0.1", scheme(said))) << said;
    EXPECT_FALSE(over_tls("192.0.2.1", scheme(said))) << said;
  }
  for (const char* said : {"http", "https, http", "httpsx", "https,", "wss"}) {
    EXPECT_FALSE(over_tls("10.0.0.1", scheme(said))) << said;
  }
  EXPECT_TRUE(over_tls("10.0.0.1", standard("for=192.0.2.7;proto=http, for=10.0.0.2;Proto=\"https\"")));
  EXPECT_FALSE(over_tls("10.0.0.1", standard("for=192.0.2.7;proto=https, for=10.0.0.2")));
  EXPECT_FALSE(over_tls("192.0.2.1", standard("for=192.0.2.7;proto=https")));
  // Its proxy writes the X- fields; this one is the client's.
  RequestHeaders forged = standard("for=192.0.2.7;proto=https");
  forged.has_x_forwarded_for = true;
  EXPECT_FALSE(over_tls("10.0.0.1", forged));
  forged.x_forwarded_proto = "http";
  EXPECT_FALSE(over_tls("10.0.0.1", forged));
}

TEST(ClientAddress, ShowsMappedIpv4AsIpv4) {
  EXPECT_EQ(client("::ffff:192.0.2.1", RequestHeaders()), "192.0.2.1");
  EXPECT_EQ(client("::ffff:10.0.0.1", "::ffff:192.0.2.7"), "192.0.2.7");
}

}  // namespace
}  // namespace hearth::http
