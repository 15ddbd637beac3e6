// SPDX-License-Identifier: Apache-2.0
#include "http/messages/static_file.h"

#include <fmt/format.h>

#include "http/messages/compression.h"

namespace hearth::http {

bool has_tag(std::string_view field, std::string_view tag) {
  constexpr std::string_view between = " \t,";
  if (field == "*") return true;
  while (true) {
    field.remove_prefix(std::min(field.find_first_not_of(between), field.size()));
    if (field.starts_with("W/")) field.remove_prefix(2);
    if (!field.starts_with('"')) return false;
    const auto end = field.find('"', 1);
    if (end == std::string_view::npos) return false;
    if (field.substr(0, end + 1) == tag) return true;
    field.remove_prefix(end + 1);
  }
}

namespace {

std::string_view encoded(const StaticFile& file, Encoding encoding) {
  switch (encoding) {
    case Encoding::identity:
      return {};
    case Encoding::gzip:
      return file.gzip;
    case Encoding::zstd:
      return file.zstd;
  }
  return {};
}

}  // namespace

std::string plain_body(const StaticFile& file) {
  return file.body.empty() && !file.zstd.empty() ? decompress_zstd(file.zstd) : std::string(file.body);
}

Response static_file(const StaticFile& file, const RequestHeaders& headers) {
  const Encoding liked = choose_encoding(headers.accept_encoding);
  const Encoding encoding = encoded(file, liked).empty() ? Encoding::identity : liked;
  const bool plain = encoding == Encoding::identity;
  // Each encoding has its own strong tag (RFC 9110 §8.8.3.3).
  const std::string tag =
      plain ? fmt::format("\"{}\"", file.digest) : fmt::format("\"{}-{}\"", file.digest, to_string(encoding));

  Response response;
  response.negotiated = true;
  response.with_header("ETag", tag);
  response.cache_control = file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  if (has_tag(headers.if_none_match, tag)) {
    response.status = 304;
    response.content_type = {};
    return response;
  }
  response.content_type = file.content_type;
  if (plain && file.body.empty()) {
    response.text = plain_body(file);
  } else {
    response.view = plain ? file.body : encoded(file, encoding);
    response.owner = {std::shared_ptr<const void>(), response.view.data()};  // part of the program: never freed
  }
  if (!plain) response.with_header("Content-Encoding", to_string(encoding));
  return response;
}

}  // namespace hearth::http
