// SPDX-License-Identifier: Apache-2.0
#include "http/messages/response.h"

#include <gtest/gtest.h>

#include "http/event_stream.h"

namespace hearth::http {
namespace {

using base::ErrorCode;

TEST(Response, CarriesAMessageObject) {
  const Response response = Response::message(404, "No \"x\"\n\xC3\xA4.");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body(), "{\"message\":\"No \\\"x\\\"\\n\xC3\xA4.\"}");
}

TEST(Response, MapsEachErrorToItsStatus) {
  const std::pair<ErrorCode, int> statuses[] = {{ErrorCode::invalid, 400},     {ErrorCode::unauthorized, 401},
                                                {ErrorCode::forbidden, 403},   {ErrorCode::not_found, 404},
                                                {ErrorCode::conflict, 409},    {ErrorCode::throttled, 429},
                                                {ErrorCode::unavailable, 503}, {ErrorCode::failed_elsewhere, 502},
                                                {ErrorCode::full, 507},        {ErrorCode::internal, 500}};
  for (const auto& [code, status] : statuses) {
    const Response response = Response::error({code, "Why."});
    EXPECT_EQ(response.status, status);
    EXPECT_EQ(response.body(), R"({"message":"Why."})");
    EXPECT_NE(reason_phrase(status), "Unknown");
  }
}

TEST(Response, TellsHowAnotherHomesWordsAreTranslated) {
  base::Error error{ErrorCode::failed_elsewhere, "Why."};
  error.said = std::make_shared<const base::SaidElsewhere>(base::SaidElsewhere{
      .code = "home_assistant_error", .domain = "hue", .key = "no_bridge", .placeholders = {{"a", "1"}, {"b", "\""}}});
  const Response response = Response::error(error);
  EXPECT_EQ(response.status, 502);
  EXPECT_EQ(response.body(), R"({"message":"Why.","translation_domain":"hue","translation_key":"no_bridge",)"
                             R"("translation_placeholders":{"a":"1","b":"\""}})");
}

TEST(Response, AsksForATokenWith401Alone) {
  EXPECT_EQ(Response::error({ErrorCode::unauthorized, ""}).headers, "WWW-Authenticate: Bearer\r\n");
  EXPECT_EQ(Response::error({ErrorCode::forbidden, ""}).headers, "");
}

TEST(Response, KeepsSharedBytesAlive) {
  auto bytes = std::make_shared<const std::string>("shared");
  const std::weak_ptr<const std::string> watch = bytes;
  Response response = Response::shared(bytes, *bytes, 201);
  bytes.reset();
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.body(), "shared");
  response = {};
  EXPECT_TRUE(watch.expired());
}

TEST(Response, CollectsHeaderLines) {
  Response response = Response::json("{}");
  response.with_header("A", "b").with_header("C", "d");
  EXPECT_EQ(response.headers, "A: b\r\nC: d\r\n");
}

TEST(Frame, HoldsItsPayloadAndItsChunk) {
  const Frame frame("data: 0123456789\n\n");
  EXPECT_EQ(frame.payload(), "data: 0123456789\n\n");
  EXPECT_EQ(frame.chunk(), "12\r\ndata: 0123456789\n\n\r\n");
}

}  // namespace
}  // namespace hearth::http
