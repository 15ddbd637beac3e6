// SPDX-License-Identifier: Apache-2.0
// GET /api/camera_proxy/{entity_id}, /api/camera_proxy_stream/{entity_id}, /api/image_proxy/{entity_id} and
// /api/media_player_proxy/{entity_id}. Of an entity of another hub, that hub is asked.
#include "api/elsewhere/pictures.h"
#include "api/rows.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

constexpr std::size_t kAfterEntity = 3;  // the segment of the path

struct Asked {
  std::string entity_id;
  bool named;  // the path is of the entity's domain
  std::string_view token;
};

Asked read_asked(const Call& call) {
  std::string id = core::lower_case(call.path(2));
  const std::string_view path = call.path(1), domain = path.substr(0, path.find("_proxy"));
  const bool named = id.starts_with(domain) && id.substr(domain.size()).starts_with('.');
  const auto token = call.request.target.query("token");
  return {std::move(id), named, token ? *token : std::string_view()};
}

// Fails with unauthorized if nobody may know that it is not there.
http::Response no_picture(const Call& call) {
  if (!call.caller)  // the picture's token is wrong, or was one of another picture
    return http::Response::error({base::ErrorCode::unauthorized, "A valid access token is needed."});
  return http::Response::error({base::ErrorCode::not_found, "There is no picture of that entity."});
}

// Pictures of entities of other domains, such as persons, are at image_proxy.
std::string hub_of(const Call& call, const Asked& asked) {
  const bool of_images = call.path(1).starts_with("image");
  return asked.named || of_images ? call.home.elsewhere(asked.entity_id, asked.token) : std::string();
}

// Fails with unauthorized, not_found.
void get_picture(const Call& call, http::Responder responder) {
  const Asked asked = read_asked(call);
  if (const std::string other = hub_of(call, asked); !other.empty())
    return get_picture_elsewhere(call, other, asked.entity_id, kAfterEntity, std::move(responder));
  const bool here = asked.named && call.request.target.size() == kAfterEntity;
  const auto found = call.home.picture(here ? asked.entity_id : "", asked.token);
  if (!found) return responder.send(no_picture(call));
  const core::PicturePtr& picture = *found;
  http::Response response = http::Response::shared(picture, picture->bytes);
  response.content_type = picture->content_type;
  response.with_header("Content-Security-Policy", kPicturePolicy);
  responder.send(std::move(response));
}

// Fails likewise: cameras of this hub have no stream.
void get_stream(const Call& call, http::Responder responder) {
  const Asked asked = read_asked(call);
  const std::string other = asked.named ? call.home.elsewhere(asked.entity_id, asked.token) : std::string();
  if (other.empty()) return responder.send(no_picture(call));
  get_stream_elsewhere(call, other, asked.entity_id, std::move(responder));
}

constexpr Answer kPicture[] = {{200, "The newest picture.", "File", "image/*"},
                               {502, "The other hub, where the entity is, sent no picture.", "Message"},
                               {503, "The other hub cannot be reached, or is asked for too much.", "Message"}};
constexpr Answer kStream[] = {{200, "Picture after picture.", "File", "multipart/x-mixed-replace"},
                              {502, "The other hub, where the camera is, sent no stream.", "Message"},
                              {503, "The other hub cannot be reached, or is asked for too much.", "Message"}};
constexpr Parameter kPictureToken[] = {
    {"token", "The picture's own token, its entity's attribute access_token, instead of a user's in the header.",
     R"({"$ref": "#/components/schemas/Line"})"}};

}  // namespace

constexpr Endpoint kPictureEndpointRows[] = {
    {http::Verb::get, "/api/camera_proxy/{entity_id}", Access::picture, get_picture, Durable::no,
     "The picture of a camera", kPicture, kPictureToken, nullptr, true},
    {http::Verb::get, "/api/camera_proxy_stream/{entity_id}", Access::picture, get_stream, Durable::no,
     "The pictures of a camera, one after the other", kStream, kPictureToken, nullptr, true},
    {http::Verb::get, "/api/image_proxy/{entity_id}", Access::picture, get_picture, Durable::no,
     "The picture of an image", kPicture, kPictureToken, nullptr, true},
    {http::Verb::get, "/api/media_player_proxy/{entity_id}", Access::picture, get_picture, Durable::no,
     "The picture of what a media player plays", kPicture, kPictureToken, nullptr, true},
    {http::Verb::get, "/api/media_player_proxy/{entity_id}/browse_media/{path}", Access::picture, get_picture,
     Durable::no, "The picture of something to play", kPicture, kPictureToken, nullptr, true},
};
constexpr Endpoints kPictureEndpoints = kPictureEndpointRows;

}  // namespace hearth::api
