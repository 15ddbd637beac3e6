// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/media_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using AddressesTest = MediaTest;

std::string shown_text(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found ? std::string(std::string_view(found->as_string())) : std::string("none");
}

TEST_F(AddressesTest, APictureIsAtThisHubWithATokenOfThisHub) {
  begin();
  const auto shown = rewritten("camera.cabin_drive",
                               R"({"access_token":"abc","entity_picture":"/api/camera_proxy/camera.drive?token=abc"})");
  const std::string token = shown_text(shown, "access_token");
  EXPECT_TRUE(home.hub.pictures.opens(id_of("camera.cabin_drive"), token));
  EXPECT_EQ(shown_text(shown, "entity_picture"), "/api/camera_proxy/camera.cabin_drive?token=" + token);
  // The same again changes nothing; a new token there makes a new one here, and the former still opens.
  EXPECT_EQ(rewritten("camera.cabin_drive",
                      R"({"access_token":"abc","entity_picture":"/api/camera_proxy/camera.drive?token=abc"})"),
            shown);
  const auto next = rewritten("camera.cabin_drive", R"({"access_token":"def"})");
  EXPECT_NE(shown_text(next, "access_token"), token);
  EXPECT_TRUE(home.hub.pictures.opens(id_of("camera.cabin_drive"), token));
}

TEST_F(AddressesTest, APictureOfAnyDomainHasAPathHere) {
  begin(8123);
  const auto radio = rewritten("media_player.cabin_radio",
                               R"({"entity_picture":"/api/media_player_proxy/media_player.radio?token=abc&cache=5f"})");
  EXPECT_TRUE(
      shown_text(radio, "entity_picture").starts_with("/api/media_player_proxy/media_player.cabin_radio?token="));
  EXPECT_TRUE(shown_text(radio, "entity_picture").ends_with("&cache=5f"));
  EXPECT_FALSE(shown_text(radio, "entity_picture").contains("abc"));
  for (const char* const path : {"/api/image/serve/1/512x512", "http://127.0.0.1:8123/api/image/serve/1/512x512"}) {
    const auto person = rewritten("person.cabin_ann", fmt::format(R"({{"entity_picture":"{}"}})", path));
    EXPECT_TRUE(shown_text(person, "entity_picture").starts_with("/api/image_proxy/person.cabin_ann?token="));
    EXPECT_EQ(addresses->picture_of("person.cabin_ann", ids), "/api/image/serve/1/512x512");
  }
  EXPECT_EQ(addresses->picture_of("camera.cabin_drive", ids), "/api/camera_proxy/camera.drive");
}

TEST_F(AddressesTest, APictureElsewhereStaysThereAndIsNeverAskedFor) {
  begin(8123);
  for (const char* const elsewhere :
       {"https://elsewhere.example/a.png", "//elsewhere.example/a.png", "/\\\\elsewhere/a",
        "http://127.0.0.1:8124/a.png", "https://127.0.0.1:8123/a.png", "a.png"}) {
    const auto shown = rewritten("person.cabin_ann", fmt::format(R"({{"entity_picture":"{}"}})", elsewhere));
    EXPECT_EQ(addresses->picture_of("person.cabin_ann", ids), "") << elsewhere;
    EXPECT_FALSE(shown_text(shown, "entity_picture").starts_with("/api/")) << elsewhere;
  }
}

TEST_F(AddressesTest, AnswersHoldNoTokenOfThere) {
  begin();
  const auto answer = addresses->rewritten(
      base::parse_json(R"({"thumbnail":"/api/media_player_proxy/media_player.radio/browse_media/album/7?token=abc",
        "children":[{"thumbnail":"/api/camera_proxy/camera.unknown?token=abc"},{"url":"/media/a.mp3?authSig=abc"}],
        "url":"/api/hls/abc/master_playlist.m3u8","title":"/a/b","n":1})")
          .value(),
      ids);
  const std::string text = base::to_json(answer);
  EXPECT_FALSE(text.contains("abc")) << text;
  EXPECT_TRUE(shown_text(answer.as_object(), "thumbnail")
                  .starts_with("/api/media_player_proxy/media_player.cabin_radio/browse_media/album/7?token="));
  EXPECT_EQ(shown_text(answer.as_object(), "title"), "/a/b");
  EXPECT_TRUE(text.contains(R"({"thumbnail":""})")) << text;
  EXPECT_TRUE(text.contains(R"("/media/a.mp3")")) << text;
  const std::string url = shown_text(answer.as_object(), "url");
  const auto lent = home.hub.other_hubs->lent(url.substr(9, url.find('/', 9) - 9), home.clock.steady_now());
  ASSERT_TRUE(lent) << url;
  EXPECT_EQ(lent->path, "/api/hls/abc");
  EXPECT_TRUE(url.ends_with("/master_playlist.m3u8"));
  home.clock.advance(std::chrono::minutes(61));
  EXPECT_FALSE(home.hub.other_hubs->lent(url.substr(9, url.find('/', 9) - 9), home.clock.steady_now()));
}

TEST_F(AddressesTest, AnEntityThatGoesTakesItsTokenWithIt) {
  begin();
  const auto shown = rewritten("camera.cabin_drive", R"({"access_token":"abc"})");
  const std::string id = id_of("camera.cabin_drive"), token = shown_text(shown, "access_token");
  media.reset();
  addresses.reset();
  EXPECT_FALSE(home.hub.pictures.opens(id, token));
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
