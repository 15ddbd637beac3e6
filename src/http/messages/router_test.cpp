// SPDX-License-Identifier: Apache-2.0
#include "http/messages/router.h"

#include <gtest/gtest.h>

#include "http/cors.h"

namespace hearth::http {
namespace {

enum Route : std::size_t { kRoot, kList, kGet, kPost, kSpecial, kDeep, kStream, kFile, kIndex };

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    router_.add(Verb::get, "/api/", kRoot);
    router_.add(Verb::get, "/api/states", kList);
    router_.add(Verb::get, "/api/states/{entity_id}", kGet);
    router_.add(Verb::post, "/api/states/{entity_id}", kPost);
    router_.add(Verb::get, "/api/states/special", kSpecial);
    router_.add(Verb::get, "/api/states/{entity_id}/history", kDeep);
    router_.add_without_head(Verb::get, "/api/stream", kStream);
    router_.add(Verb::get, "/local/{path}", kFile);
    router_.add(Verb::get, "/local/index", kIndex);
  }

  Router::Match find(Verb method, std::string_view path) {
    EXPECT_TRUE(target_.parse(path));
    return router_.find(method, target_);
  }

  Router router_;
  Target target_;
};

TEST_F(RouterTest, FindsFixedPaths) {
  EXPECT_EQ(find(Verb::get, "/api/").route, kRoot);
  EXPECT_EQ(find(Verb::get, "/api/states").route, kList);
}

TEST_F(RouterTest, BindsASegmentInBraces) {
  EXPECT_EQ(find(Verb::get, "/api/states/light.kitchen").route, kGet);
  EXPECT_EQ(find(Verb::post, "/api/states/light.kitchen").route, kPost);
  EXPECT_EQ(find(Verb::get, "/api/states/a%2Fb").route, kGet);
}

TEST_F(RouterTest, BindsTheRestOfAPath) {
  for (const char* path : {"/local/x", "/local/x/y/z.js", "/local/x/", "/local/x//y", "/local/index/x"})
    EXPECT_EQ(find(Verb::get, path).route, kFile) << path;
  EXPECT_EQ(find(Verb::head, "/local/x/y").route, kFile);
  EXPECT_EQ(find(Verb::get, "/local/index").route, kIndex);
  EXPECT_FALSE(find(Verb::post, "/local/x/y").route);
}

TEST_F(RouterTest, PrefersFixedSegments) {
  EXPECT_EQ(find(Verb::get, "/api/states/special").route, kSpecial);
}

TEST_F(RouterTest, BacktracksFromAFixedSegmentWithoutARoute) {
  EXPECT_EQ(find(Verb::get, "/api/states/special/history").route, kDeep);
}

TEST_F(RouterTest, KnowsNoOtherPaths) {
  for (const char* path :
       {"/", "/api", "/api/states/", "/api/states//history", "/api//states", "//api/", "/api/stream/", "/api/states/x/",
        "/api/states/x/y", "/API/states", "/x", "/local", "/local/", "*"}) {
    const auto match = find(Verb::get, path);
    EXPECT_FALSE(match.known_path) << path;
    EXPECT_FALSE(match.route) << path;
    EXPECT_EQ(match.allowed, nullptr) << path;
  }
}

TEST_F(RouterTest, KnowsAPathWithoutTheMethod) {
  const auto match = find(Verb::delete_, "/api/states/light.kitchen");
  EXPECT_TRUE(match.known_path);
  EXPECT_FALSE(match.route);
  ASSERT_NE(match.allowed, nullptr);
  EXPECT_EQ(join(*match.allowed), "GET, HEAD, POST");
  EXPECT_FALSE(find(Verb::unknown, "/api/states").route);
}

TEST_F(RouterTest, HasHeadWithGet) {
  EXPECT_EQ(find(Verb::head, "/api/states/light.kitchen").route, kGet);
}

TEST_F(RouterTest, HasNoHeadIfTheAnswerIsEndless) {
  const auto match = find(Verb::head, "/api/stream");
  EXPECT_TRUE(match.known_path);
  EXPECT_FALSE(match.route);
  EXPECT_EQ(join(*match.allowed), "GET");
}

}  // namespace
}  // namespace hearth::http
