// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "api/handlers.h"
#include "api/system/entity_tag.h"
#include "domains/entities/kind_json.h"
#include "http/messages/compression.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

// They are the same as long as the program runs.
struct KindsText {
  std::string json = base::to_json(domains::kinds_json());
  std::string digest = digest_of(json);
  std::string gzip = http::compress(json, http::Encoding::gzip).value_or("");
  std::string zstd = http::compress(json, http::Encoding::zstd).value_or("");
};

const KindsText& kinds_text() {
  static const KindsText made;
  return made;
}

}  // namespace

base::Result<http::Response> kinds::list(const Call& call) {
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

CommandResult kind_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return kinds_text().json;
}

}  // namespace hearth::api
