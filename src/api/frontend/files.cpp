// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/files.h"

#include <utility>

#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

constexpr std::pair<std::string_view, std::string_view> kContentTypes[] = {
    {".avif", "image/avif"},
    {".bmp", "image/bmp"},
    {".css", "text/css; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
    {".gif", "image/gif"},
    {".glb", "model/gltf-binary"},
    {".gltf", "model/gltf+json"},
    {".htm", "text/html; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".jpeg", "image/jpeg"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".m4a", "audio/mp4"},
    {".map", "application/json"},
    {".md", "text/markdown; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".mp3", "audio/mpeg"},
    {".mp4", "video/mp4"},
    {".ogg", "audio/ogg"},
    {".otf", "font/otf"},
    {".pdf", "application/pdf"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".ttf", "font/ttf"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".wav", "audio/wav"},
    {".webm", "video/webm"},
    {".webp", "image/webp"},
    {".woff", "font/woff"},
    {".woff2", "font/woff2"},
    {".xml", "text/xml; charset=utf-8"},
};

}  // namespace

std::string_view content_type(std::string_view path) {
  const auto dot = path.rfind('.');
  const std::string ending = dot == std::string_view::npos ? "" : core::lower_case(path.substr(dot));
  for (const auto& [known, type] : kContentTypes) {
    if (ending == known) return type;
  }
  return "application/octet-stream";
}

std::string joined(const http::Target& target, std::size_t first) {
  std::string path;
  for (std::size_t i = first; i < target.size(); ++i) {
    if (target.segment(i).find('/') != std::string_view::npos) return "/";
    if (i > first) path += '/';
    path += target.segment(i);
  }
  return path;
}

http::Response not_modified(std::string_view tag, std::string_view cache_control) {
  http::Response response;
  response.status = 304;
  response.content_type = {};
  response.cache_control = cache_control;
  response.with_header("ETag", tag);
  return response;
}

}  // namespace hearth::api
