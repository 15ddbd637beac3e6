// SPDX-License-Identifier: Apache-2.0
#include "http/messages/request_parser.h"

#include <gtest/gtest.h>

#include <boost/beast/http/error.hpp>

namespace hearth::http {
namespace {

using Error = boost::system::error_code;
using HttpError = boost::beast::http::error;

class RequestParserTest : public testing::Test {
 protected:
  // Parses as a session does, in pieces of `piece` bytes.
  Error parse(std::string_view text, std::size_t piece = SIZE_MAX) {
    request_.clear();
    RequestParser parser(request_, limits_);
    Error error;
    std::string unread;
    while (!text.empty()) {
      const auto size = std::min(piece, text.size());
      unread.append(text.substr(0, size));
      text.remove_prefix(size);
      for (std::size_t used = 1; used > 0 && !unread.empty() && !parser.is_done();) {
        used = parser.parse(unread, error);
        unread.erase(0, used);
        if (error == HttpError::need_more) error.clear();
        if (error) return error;
        if (parser.is_header_done()) parser.eager(true);
      }
    }
    done_ = parser.is_done();
    return error;
  }

  Error parse_fields(std::string_view fields) {
    return parse("GET / HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n");
  }

  Limits limits_;
  Request request_;
  bool done_ = false;
};

TEST_F(RequestParserTest, TakesTheEndOfAChunkedBodyInBytes) {
  for (const std::string body : {"0\r\n\r\n", "0\r\nA: b\r\n\r\n", "4\r\n0\r\n\r\r\n0\r\n\r\n"}) {
    for (const std::size_t piece : {1, 2, 3}) {
      EXPECT_FALSE(parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body, piece));
      EXPECT_TRUE(done_) << body << piece;
      EXPECT_EQ(request_.body, body.starts_with('4') ? "0\r\n\r" : "");
    }
  }
}

TEST_F(RequestParserTest, KeepsWhatIsRead) {
  const std::string text =
      "POST /api/states/a.b?x=1 HTTP/1.1\r\nHost: home:8123\r\nAuthorization: Bearer t\r\nAccept-Encoding: gzip\r\n"
      "accept-encoding: zstd\r\nAccept: text/html\r\naccept: */*;q=0.8\r\nOrigin: https://a.b\r\nLast-Event-ID: "
      "7\r\nx-forwarded-for: 1.2.3.4\r\n"
      "X-Forwarded-For: 5.6.7.8\r\nX-Forwarded-Proto: https\r\nForwarded: for=1.2.3.4\r\n"
      "sec-fetch-site: none\r\nForwarded: for=5.6.7.8\r\nAccess-Control-Request-Method: PUT\r\n"
      "Expect: 100-Continue\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\nhello";
  for (const std::size_t piece : {std::size_t(1), std::size_t(7), SIZE_MAX}) {
    ASSERT_FALSE(parse(text, piece)) << piece;
    EXPECT_TRUE(done_);
    EXPECT_EQ(request_.method, Verb::post);
    EXPECT_EQ(request_.method_text, "POST");
    EXPECT_EQ(request_.target_text, "/api/states/a.b?x=1");
    EXPECT_FALSE(request_.http_1_0);
    EXPECT_EQ(request_.headers.host, "home:8123");
    EXPECT_EQ(request_.headers.authorization, "Bearer t");
    EXPECT_EQ(request_.headers.accept, "text/html, */*;q=0.8");
    EXPECT_EQ(request_.headers.accept_encoding, "gzip, zstd");
    EXPECT_EQ(request_.headers.content_type, "a/b");
    EXPECT_TRUE(request_.headers.has_origin);
    EXPECT_EQ(request_.headers.origin, "https://a.b");
    EXPECT_EQ(request_.headers.last_event_id, "7");
    EXPECT_TRUE(request_.headers.has_x_forwarded_for);
    EXPECT_EQ(request_.headers.x_forwarded_for, "1.2.3.4, 5.6.7.8");
    EXPECT_TRUE(request_.headers.has_forwarded);
    EXPECT_EQ(request_.headers.forwarded, "for=1.2.3.4, for=5.6.7.8");
    EXPECT_EQ(request_.headers.sec_fetch_site, "none");
    EXPECT_EQ(request_.headers.x_forwarded_proto, "https");
    EXPECT_EQ(request_.headers.access_control_request_method, "PUT");
    EXPECT_TRUE(request_.headers.expects_continue);
    EXPECT_EQ(request_.body, "hello");
  }
}

TEST_F(RequestParserTest, KnowsMethodsByTheirTextOnly) {
  ASSERT_FALSE(parse("BREW / HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_EQ(request_.method, Verb::unknown);
  EXPECT_EQ(request_.method_text, "BREW");
}

TEST_F(RequestParserTest, RequiresExactlyOneHost) {
  EXPECT_EQ(parse("GET / HTTP/1.1\r\n\r\n"), RequestError::host);
  EXPECT_EQ(parse_fields("Host: other\r\n"), RequestError::host);
}

TEST_F(RequestParserTest, AcceptsHttp10WithoutHost) {
  ASSERT_FALSE(parse("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(request_.http_1_0);
}

TEST_F(RequestParserTest, RefusesRepetitionOfFieldsThatComeOnce) {
  for (const char* name : {"Authorization", "Origin", "Last-Event-ID", "X-Forwarded-Proto"}) {
    EXPECT_EQ(parse_fields(std::string(name) + ": a\r\n" + name + ": a\r\n"), RequestError::repeated_field) << name;
  }
}

TEST_F(RequestParserTest, ReadsChunkedBodies) {
  const std::string text =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n";
  for (std::size_t piece = 1; piece < 20; ++piece) {
    ASSERT_FALSE(parse(text, piece)) << piece;
    EXPECT_TRUE(done_) << piece;
    EXPECT_EQ(request_.body, "hello, world!!!") << piece;
  }
}

TEST_F(RequestParserTest, IgnoresTrailers) {
  ASSERT_FALSE(
      parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nHost: other\r\n"
            "Authorization: Bearer late\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"));
  EXPECT_TRUE(done_);
  EXPECT_EQ(request_.headers.host, "h");
  EXPECT_EQ(request_.headers.authorization, "");
  EXPECT_EQ(request_.headers.x_forwarded_for, "");
}

class BadFraming : public RequestParserTest, public testing::WithParamInterface<std::string> {};

TEST_P(BadFraming, IsRefused) {
  EXPECT_TRUE(parse("POST / HTTP/1.1\r\nHost: h\r\n" + GetParam())) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Requests, BadFraming,
    testing::Values("Transfer-Encoding: gzip\r\n\r\n", "Transfer-Encoding: gzip, chunked\r\n\r\n",
                    "Transfer-Encoding: chunked, gzip\r\n\r\n", "Transfer-Encoding: identity\r\n\r\n",
                    "Transfer-Encoding:\r\n\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
                    "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "Content-Length: 1, 2\r\n\r\n",
                    "Content-Length: -1\r\n\r\n", "Content-Length: +1\r\n\r\n", "Content-Length: 0x1\r\n\r\n",
                    "Content-Length: 99999999999999999999999\r\n\r\n", "Content-Length:\r\n\r\n", "A: b\n\r\n",
                    "A: b\r\n\nB: c\r\n\r\n", "A: b\rc\r\n\r\n", "A : b\r\n\r\n", ": b\r\n\r\n", "A b\r\n\r\n",
                    " A: b\r\n\r\n", std::string("A: b\0c\r\n\r\n", 10), "Transfer-Encoding: chunked\r\n\r\nx\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n1\nab\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
                    "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"));

TEST_F(RequestParserTest, RefusesABareLineFeedAfterTheRequestLine) {
  EXPECT_TRUE(parse("GET / HTTP/1.1\nHost: h\n\n"));
}

TEST_F(RequestParserTest, RefusesOtherVersions) {
  EXPECT_TRUE(parse("GET / HTTP/1.2\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(parse("GET / HTTP/2.0\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(parse("GET /\r\n\r\n"));
}

TEST_F(RequestParserTest, RefusesATransferCodingInHttp10) {
  EXPECT_EQ(parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), RequestError::transfer_encoding);
}

TEST_F(RequestParserTest, RefusesFoldedFields) {
  EXPECT_EQ(parse_fields("A: b\r\n c\r\n"), RequestError::folded_line);
  EXPECT_EQ(parse_fields("A: b\r\n\tc\r\n"), RequestError::folded_line);
  EXPECT_EQ(parse_fields("A:\r\n b\r\n"), RequestError::folded_line);
  EXPECT_EQ(parse_fields("A: b\r\n \r\n"), RequestError::folded_line);
  EXPECT_FALSE(parse_fields("A:\r\nB: \t \r\nC: d \t\r\n"));
}

TEST_F(RequestParserTest, TakesAsManyFieldsAsAllowed) {
  std::string fields;
  for (std::size_t i = 1; i < limits_.header_fields; ++i) fields += "A: b\r\n";
  EXPECT_FALSE(parse_fields(fields));
  EXPECT_EQ(parse_fields(fields + "A: b\r\n"), RequestError::too_many_fields);
}

TEST_F(RequestParserTest, BoundsTheHead) {
  const auto fields = [](std::size_t bytes) { return "A: " + std::string(bytes, 'x') + "\r\n"; };
  EXPECT_FALSE(parse_fields(fields(limits_.header_bytes - 100)));
  EXPECT_EQ(parse_fields(fields(limits_.header_bytes)), HttpError::header_limit);
  EXPECT_EQ(parse_fields(fields(limits_.header_bytes / 2) + fields(limits_.header_bytes / 2)), HttpError::header_limit);
  EXPECT_EQ(parse("GET /" + std::string(limits_.header_bytes, 'x')), HttpError::header_limit);
}

TEST_F(RequestParserTest, BoundsTheHeadHoweverItIsCut) {
  // Each piece ends after the first letter of the next field: so Beast sees every field alone.
  const std::string field = "A: " + std::string(limits_.header_bytes / 4, 'x') + "\r\n";
  RequestParser parser(request_, limits_);
  Error error;
  std::string unread = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 8 && !error; ++i) {
    unread += field.substr(unread.starts_with('A') ? 1 : 0) + "A";
    unread.erase(0, parser.parse(unread, error));
    if (error == HttpError::need_more) error.clear();
  }
  EXPECT_EQ(error, HttpError::header_limit);
}

}  // namespace
}  // namespace hearth::http
