// SPDX-License-Identifier: Apache-2.0
#include "base/net/outward_request.h"

#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "base/net/download.h"

namespace hearth::base {
namespace {

namespace ip = boost::asio::ip;

ip::address address(const char* text) {
  return ip::make_address(text);
}

TEST(OutwardRequest, KnowsTheAddressesOfItsMachine) {
  for (const char* const own : {"127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0",
                                "::127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::"})
    EXPECT_TRUE(is_own_address(address(own))) << own;
  for (const char* const other : {"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "128.0.0.1"})
    EXPECT_FALSE(is_own_address(address(other))) << other;
  ifaddrs* all = nullptr;
  ASSERT_EQ(getifaddrs(&all), 0);
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET) continue;
    const auto& v4 = *reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    const ip::address_v4 own(ntohl(v4.sin_addr.s_addr));
    EXPECT_TRUE(is_own_address(own)) << own;
    EXPECT_TRUE(is_own_address(ip::make_address_v6(ip::v4_mapped, own))) << own;
  }
  freeifaddrs(all);
}

TEST(OutwardRequest, KnowsLinkLocalAddresses) {
  for (const char* const near : {"169.254.169.254", "169.254.0.1", "fe80::1", "febf::1", "::ffff:169.254.169.254",
                                 "::169.254.169.254", "64:ff9b::169.254.169.254", "2002:a9fe:a9fe::1"})
    EXPECT_TRUE(is_link_local(address(near))) << near;
  for (const char* const far : {"169.253.0.1", "192.168.1.1", "fec0::1", "fd00::1", "::ffff:192.168.1.1", "::1"})
    EXPECT_FALSE(is_link_local(address(far))) << far;
}

TEST(OutwardRequest, TakesAddressesWithoutUsers) {
  for (const char* const good : {"http://example.com", "https://example.com/a@b?c=d@e#f@g", "http://[::1]:80/"})
    EXPECT_TRUE(OutwardRequest::check(good)) << good;
  for (const char* const bad :
       {"", "ftp://example.com", "file:///etc/passwd", "http://a b", "http://a\nb", "HTTP://example.com",
        "http://name@example.com/", "http://name:word@example.com", "https://:@example.com", "http://a\\@example.com"})
    EXPECT_FALSE(OutwardRequest::check(bad)) << bad;
  EXPECT_FALSE(OutwardRequest::check("http://" + std::string(OutwardRequest::kMaxAddress, 'a')));
}

class Refusals : public testing::Test {
 protected:
  Refusals() : acceptor(io, ip::tcp::endpoint(ip::make_address("127.0.0.1"), 0)) { acceptor.non_blocking(true); }

  std::string said(const std::string& host) {
    const auto answer = download("http://" + host + "/", port(), stopping);
    return answer ? "an answer" : answer.error().message;
  }
  std::uint16_t port() { return acceptor.local_endpoint().port(); }
  bool was_reached() {
    boost::system::error_code none;
    static_cast<void>(acceptor.accept(none));
    return !none;
  }

  boost::asio::io_context io;
  ip::tcp::acceptor acceptor;  // in place of the hub
  const std::atomic<bool> stopping{false};
};

TEST_F(Refusals, OfTheHubItselfComeBeforeAConnection) {
  for (const char* const host : {"127.0.0.1", "127.0.0.2", "127.1", "2130706433", "0x7f000001", "017700000001",
                                 "0.0.0.0", "localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"}) {
    const std::string text = said(host + (':' + std::to_string(port())));
    EXPECT_TRUE(text.ends_with("which is the hub itself")) << host << ": " << text;
    EXPECT_FALSE(was_reached()) << host;
  }
}

TEST_F(Refusals, OfLinkLocalAddressesComeBeforeAConnection) {
  for (const char* const host : {"169.254.169.254", "[::ffff:169.254.169.254]", "2852039166", "[fe80::1]"}) {
    const std::string text = said(host);
    EXPECT_NE(text.find("which is link-local"), std::string::npos) << host << ": " << text;
  }
}

// Answers one request after the other with the bytes given for it.
class Answers : public Refusals {
 protected:
  base::Result<OutwardRequest::Answer> asked(const std::string& response, std::size_t most = 10) {
    acceptor.non_blocking(false);
    std::jthread server([&] {
      boost::system::error_code none;
      auto socket = acceptor.accept(none);
      std::string request;
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(request), "\r\n\r\n", none);
      boost::asio::write(socket, boost::asio::buffer(response), none);
    });
    const CurlLibrary& curl = *curl_library();
    OutwardRequest request(curl, 0, {.time = std::chrono::seconds(20), .redirections = 0, .bytes = most});
    request.prepare("http://127.0.0.1:" + std::to_string(port()) + "/").value();
    return request.result(curl.easy_perform(request.handle()));
  }
};

TEST_F(Answers, HaveATypeAndBytesUpToTheBound) {
  auto answer = asked("HTTP/1.1 200 OK\r\nContent-Type: Image/PNG ; q=1\r\n\r\n0123456789");
  EXPECT_EQ(answer.value().content_type, "image/png");
  EXPECT_EQ(answer->bytes, "0123456789");
  EXPECT_EQ(asked("HTTP/1.1 200 OK\r\n\r\n").value().content_type, "");
  for (const char* const large : {"HTTP/1.1 200 OK\r\n\r\n0123456789a", "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n",
                                  "HTTP/1.1 404 No\r\n\r\n0123456789a"}) {
    const auto refused = asked(large);
    ASSERT_FALSE(refused) << large;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid) << large;
    EXPECT_EQ(refused.error().message, "expected at most 0 MiB") << large;
  }
  EXPECT_EQ(asked("HTTP/1.1 404 No\r\n\r\n").error().message, "the server answers 404");
  EXPECT_EQ(asked("HTTP/1.1 302 No\r\nLocation: /\r\n\r\n").error().message, "expected at most 0 redirections");
}

}  // namespace
}  // namespace hearth::base
