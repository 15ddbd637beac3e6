// SPDX-License-Identifier: Apache-2.0
// GET /api/camera_proxy/{entity_id} and /api/image_proxy/{entity_id}.
#include "api/rows.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

// Fails with unauthorized, not_found.
base::Result<http::Response> get_picture(const Call& call) {
  constexpr std::string_view proxy = "_proxy";
  const std::string id = core::lower_case(call.path(2));
  std::string_view domain = call.path(1);
  domain.remove_suffix(proxy.size());
  const bool named = id.starts_with(domain) && id.substr(domain.size()).starts_with('.');
  const auto token = call.request.target.query("token");
  const auto found = call.home.picture(named ? id : "", token ? *token : std::string_view());
  if (!found && !call.caller) {  // the picture's token is wrong, or was one of another picture
    return base::fail(base::ErrorCode::unauthorized, "A valid access token is needed.");
  }
  if (!found) return std::unexpected(found.error());
  const core::PicturePtr& picture = *found;
  http::Response response = http::Response::shared(picture, picture->bytes);
  response.content_type = picture->content_type;
  // A drawing (SVG) that is opened by itself runs no script and loads nothing.
  response.with_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  return response;
}

constexpr Answer kPicture[] = {{200, "The newest picture.", "File", "image/*"}};
constexpr Parameter kPictureToken[] = {
    {"token", "The picture's own token, its entity's attribute access_token, instead of a user's in the header.",
     R"({"$ref": "#/components/schemas/Line"})"}};

}  // namespace

constexpr Endpoint kPictureEndpointRows[] = {
    {http::Verb::get, "/api/camera_proxy/{entity_id}", Access::picture, get_picture, Durable::no,
     "The picture of a camera", kPicture, kPictureToken, nullptr, true},
    {http::Verb::get, "/api/image_proxy/{entity_id}", Access::picture, get_picture, Durable::no,
     "The picture of an image", kPicture, kPictureToken, nullptr, true},
};
constexpr Endpoints kPictureEndpoints = kPictureEndpointRows;

}  // namespace hearth::api
