// SPDX-License-Identifier: Apache-2.0
#include "http/messages/static_file.h"

#include <gtest/gtest.h>

#include "http/test_server.h"

namespace hearth::http {
namespace {

constexpr StaticFile kScript{"/assets/main-BkX2f9aQ.js", "text/javascript", "d1", true, "long", "gz", "zs"};
constexpr StaticFile kPage{"/index.html", "text/html", "d2", false, "page", {}, {}};

Response ask(const StaticFile& file, std::string accept_encoding, std::string if_none_match = "") {
  RequestHeaders headers;
  headers.accept_encoding = std::move(accept_encoding);
  headers.if_none_match = std::move(if_none_match);
  return static_file(file, headers);
}

TEST(StaticFile, ComesInTheEncodingThatTheClientPrefers) {
  const Response zstd = ask(kScript, "gzip, zstd");
  EXPECT_EQ(zstd.status, 200);
  EXPECT_EQ(zstd.content_type, "text/javascript");
  EXPECT_EQ(zstd.body(), "zs");
  EXPECT_EQ(zstd.headers, "ETag: \"d1-zstd\"\r\nContent-Encoding: zstd\r\n");
  const Response gzip = ask(kScript, "gzip;q=1, zstd;q=0.5");
  EXPECT_EQ(gzip.body(), "gz");
  EXPECT_EQ(gzip.headers, "ETag: \"d1-gzip\"\r\nContent-Encoding: gzip\r\n");
  for (const char* others : {"", "br", "gzip;q=0"}) {
    const Response plain = ask(kScript, others);
    EXPECT_EQ(plain.body(), "long") << others;
    EXPECT_EQ(plain.headers, "ETag: \"d1\"\r\n") << others;
  }
}

TEST(StaticFile, ComesUncompressedIfCompressionSavesNothing) {
  const Response response = ask(kPage, "gzip, zstd");
  EXPECT_EQ(response.body(), "page");
  EXPECT_EQ(response.headers, "ETag: \"d2\"\r\n");
}

TEST(StaticFile, IsUnpackedForAClientThatTakesItOnlyAsItIs) {
  const std::string body(5'000, 'x');
  const std::string gzip = compress_best(body, Encoding::gzip).value();
  const std::string zstd = compress_best(body, Encoding::zstd).value();
  const StaticFile packed{"/assets/main-BkX2f9aQ.js", "text/javascript", "d1", true, {}, gzip, zstd};
  EXPECT_EQ(ask(packed, "").body(), body);
  EXPECT_EQ(ask(packed, "").headers, "ETag: \"d1\"\r\n");
  EXPECT_EQ(ask(packed, "gzip").body(), gzip);
  EXPECT_EQ(plain_body(packed), body);
  EXPECT_EQ(plain_body(kPage), "page");
  EXPECT_THROW(decompress_zstd("zs"), std::runtime_error);
  EXPECT_THROW(decompress_zstd(std::string_view(zstd).substr(0, zstd.size() - 1)), std::runtime_error);
}

TEST(StaticFile, IsImmutableIfItsNameIdentifiesItsContent) {
  EXPECT_EQ(ask(kScript, "").cache_control, "public, max-age=31536000, immutable");
  EXPECT_EQ(ask(kScript, "", "\"d1\"").cache_control, "public, max-age=31536000, immutable");
  EXPECT_EQ(ask(kPage, "").cache_control, "no-cache");
}

TEST(StaticFile, IsNotSentAgainToAClientThatHasIt) {
  for (const char* tags :
       {"\"d1-gzip\"", "W/\"d1-gzip\"", "\"a,b\", \"d1-gzip\"", "\"x\",,\tW/\"d1-gzip\" ,\"y\"", "*"}) {
    const Response response = ask(kScript, "gzip", tags);
    EXPECT_EQ(response.status, 304) << tags;
    EXPECT_EQ(response.body(), "") << tags;
    EXPECT_EQ(response.content_type, "") << tags;
    EXPECT_EQ(response.headers, "ETag: \"d1-gzip\"\r\n") << tags;
  }
}

TEST(StaticFile, IsSentToAClientThatHasOtherContentOrAnotherEncoding) {
  for (const char* tags : {"\"d1\"", "\"d1-zstd\"", "\"d2-gzip\"", "d1-gzip", "\"d1-gzip", "w/\"d1-gzip\"",
                           "\"a\" x \"d1-gzip\"", "\"", "W/", ",", "**"}) {
    EXPECT_EQ(ask(kScript, "gzip", tags).status, 200) << tags;
  }
}

class StaticFileServerTest : public ServerFixture {
 protected:
  void serve(const StaticFile& file) {
    handler_.on_handle = [file](Request& request, Responder responder) {
      responder.send(static_file(file, request.headers));
    };
    start();
  }
};

TEST_F(StaticFileServerTest, IsSentAsItIsInTheTable) {
  const std::string body(5'000, 'x');
  serve({"/x", "text/plain", "d", false, body, {}, {}});
  TestClient client(port());
  const auto answer = client.get("/x", "Accept-Encoding: gzip, zstd\r\n");
  EXPECT_EQ(answer.body, body);
  EXPECT_TRUE(answer.has("Content-Type: text/plain"));
  EXPECT_TRUE(answer.has("Vary: Accept-Encoding"));
  EXPECT_EQ(answer.head.find("Content-Encoding"), std::string::npos);
}

TEST_F(StaticFileServerTest, HasNoContentIn304) {
  serve(kScript);
  TestClient client(port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"old\"\r\nIf-None-Match: \"d1\"\r\n\r\n" +
              get_request("/next"));
  const auto answer = client.read_answer(true);
  EXPECT_TRUE(answer.head.starts_with("HTTP/1.1 304 Not Modified\r\n")) << answer.head;
  EXPECT_TRUE(answer.has("ETag: \"d1\""));
  EXPECT_TRUE(answer.has("Vary: Accept-Encoding"));
  EXPECT_EQ(answer.head.find("Content-"), answer.head.find("Content-Type-Options")) << answer.head;
  EXPECT_EQ(client.read_answer().body, "long");
}

TEST_F(StaticFileServerTest, ComesWholeToASlowReader) {
  std::string body;
  for (int i = 0; body.size() < 3'000'000; ++i) body += std::to_string(i);
  serve({"/x", "text/plain", "d", false, body, {}, {}});
  TestClient client(port(), 4096);
  client.send(get_request("/x") + "HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n" + get_request("/x"));
  const auto answer = client.read_answer();
  EXPECT_TRUE(answer.has("Content-Length: " + std::to_string(body.size())));
  EXPECT_EQ(answer.body, body);
  EXPECT_TRUE(client.read_answer(true).has("Content-Length: " + std::to_string(body.size())));
  EXPECT_EQ(client.read_answer().body, body);
  client.send("GET /x HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, body);
  EXPECT_TRUE(client.ended());
}

}  // namespace
}  // namespace hearth::http
