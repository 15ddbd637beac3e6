// SPDX-License-Identifier: Apache-2.0
// GET /api/registry: all that a page needs to know what belongs where, in one compressed answer, and an empty one if
// nothing has changed since the client last asked.
#include <fmt/format.h>

#include "api/registry/lists.h"
#include "api/rows.h"
#include "base/digest.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

base::Result<http::Response> get_registry(const Call& call) {
  const auto home = call.home.registry();
  const ConfigEntryIds entries(call.home);
  std::string body = fmt::format(R"({{"areas":{},"floors":{},"devices":{},"entities":{}}})", area_list(home),
                                 floor_list(home), device_list(home, entries), entity_list(home, entries));
  // Of what it says, whichever encoding it comes in: a weak tag (RFC 9110 §8.8.1).
  const std::string tag = fmt::format("\"{}\"", base::fingerprint(body));
  http::Response response;
  response.cache_control = "private, no-cache";
  response.with_header("ETag", "W/" + tag);
  if (http::has_tag(call.request.headers.if_none_match, tag)) {
    response.status = 304;
    response.content_type = {};
    return response;
  }
  response.text = std::move(body);
  return response;
}

constexpr Answer kRegistry[] = {{200, "As far as the caller may read it.", "Registry"},
                                {304, "As If-None-Match says that the client has it.", ""}};

}  // namespace

constexpr Endpoint kRegistryEndpointRows[] = {
    {http::Verb::get, "/api/registry", Access::user, get_registry, Durable::no, "Areas, floors, devices and entities",
     kRegistry},
};
constexpr Endpoints kRegistryEndpoints = kRegistryEndpointRows;

}  // namespace hearth::api
