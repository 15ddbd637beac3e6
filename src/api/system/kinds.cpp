// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "base/digest.h"
#include "domains/entities/kind_json.h"
#include "http/messages/compression.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

// They are the same as long as the program runs.
struct KindsText {
  std::string json = base::to_json(domains::kinds_json());
  std::string digest = base::fingerprint(json);
  std::string gzip = http::compress(json, http::Encoding::gzip).value_or("");
  std::string zstd = http::compress(json, http::Encoding::zstd).value_or("");
};

const KindsText& kinds_text() {
  static const KindsText made;
  return made;
}

base::Result<http::Response> get_kinds(const Call& call) {
  const KindsText& kinds = kinds_text();
  const http::StaticFile file{.path = "/api/kinds",
                              .content_type = http::Response::kJson,
                              .digest = kinds.digest,
                              .immutable = false,
                              .body = kinds.json,
                              .gzip = kinds.gzip,
                              .zstd = kinds.zstd};
  return http::static_file(file, call.request.headers);
}

CommandResult list_kinds(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return kinds_text().json;
}

constexpr Answer kKinds[] = {{200, "Each domain's kind, in the order of the domains.", "Kinds"},
                             {304, "As If-None-Match says that the client has them.", ""}};

}  // namespace

constexpr Endpoint kKindEndpointRows[] = {
    {http::Verb::get, "/api/kinds", Access::open, get_kinds, Durable::no, "What entities can be and do, by domain",
     kKinds},
};
constexpr Endpoints kKindEndpoints = kKindEndpointRows;

constexpr Command kKindCommandRows[] = {
    {"hearth/kinds", Access::user, list_kinds, Durable::no},
};
constexpr Commands kKindCommands = kKindCommandRows;

}  // namespace hearth::api
