// SPDX-License-Identifier: Apache-2.0
#include "web/file_packer.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "http/messages/compression.h"

namespace hearth::web {
namespace {

constexpr std::pair<std::string_view, std::string_view> kContentTypes[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain; charset=utf-8"},
    {".webmanifest", "application/manifest+json"},
    {".webp", "image/webp"},
    {".woff2", "font/woff2"},
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

std::optional<std::string_view> content_type(std::string_view path) {
  for (const auto& [ending, type] : kContentTypes) {
    if (path.ends_with(ending)) return type;
  }
  return {};
}

// `assets/NAME-HASH.EXTENSION`, as Vite names its output: HASH is the first 8 characters of a digest in base64url.
bool is_named_by_content(std::string_view path) {
  constexpr std::size_t kHash = 8;
  if (!path.starts_with("assets/")) return false;
  const std::string_view stem = path.substr(0, path.rfind('.'));
  return stem.size() > kHash && stem[stem.size() - kHash - 1] == '-' &&
         std::all_of(stem.end() - kHash, stem.end(), is_name_character);
}

// Empty if compression saves too little.
std::string compressed(std::string_view content, http::Encoding encoding) {
  if (content.size() < http::kMinCompressed) return {};
  auto smaller = http::compress_best(content, encoding);
  return smaller && smaller->size() < content.size() ? std::move(*smaller) : std::string();
}

// Appends the body and returns C++ that makes a string_view of it.
std::string place(std::string& bytes, std::string_view body) {
  if (body.empty()) return "{}";
  const std::size_t at = bytes.size();
  bytes += body;
  return fmt::format("{{hearth_web_files + {}, {}}}", at, body.size());
}

}  // namespace

base::Result<PackedFiles> pack(std::vector<BuiltFile> files) {
  std::sort(files.begin(), files.end(), [](const BuiltFile& a, const BuiltFile& b) { return a.path < b.path; });
  PackedFiles packed;
  std::string rows;
  bool has_page = false;
  for (const auto& [path, content] : files) {
    const auto usual = [](char c) { return is_name_character(c) || c == '.' || c == '/'; };
    if (!std::all_of(path.begin(), path.end(), usual)) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("{}: expected a name of letters, digits, hyphens, underscores and points", path));
    }
    const auto type = content_type(path);
    if (!type) {
      return base::fail(
          base::ErrorCode::invalid,
          fmt::format("{}: no content type is known for its ending; src/web/file_packer.cpp lists them", path));
    }
    has_page = has_page || path == "index.html";
    const std::string smallest = compressed(content, http::Encoding::zstd);
    const std::string body = place(packed.bytes, smallest.empty() ? content : "");
    const std::string gzip = place(packed.bytes, compressed(content, http::Encoding::gzip));
    const std::string zstd = place(packed.bytes, smallest);
    rows += fmt::format("      {{\"/{}\", \"{}\", \"{}\", {}, {}, {}, {}}},\n", path, *type, base::sha256_hex(content),
                        is_named_by_content(path), body, gzip, zstd);
  }
  if (!has_page) return base::fail(base::ErrorCode::invalid, "expected an index.html");
  packed.source = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "#include \"web/files.h\"\n\n"
      "extern \"C\" const char hearth_web_files[];\n\n"
      "namespace hearth::web {{\n\n"
      "std::span<const http::StaticFile> files() {{\n"
      "  static const http::StaticFile all[] = {{\n{}  }};\n"
      "  return all;\n"
      "}}\n\n"
      "}}  // namespace hearth::web\n",
      rows);
  return packed;
}

}  // namespace hearth::web
