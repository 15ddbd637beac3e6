// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "api/frontend/files.h"
#include "base/json/json.h"
#include "base/log/log.h"
#include "http/messages/compression.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndex = "index.html", kAuthorize = "authorize.html", kManifest = "manifest.json";
constexpr std::string_view kThemeColor = "#18bcf2";
constexpr std::string_view kForever = "public, max-age=31536000, immutable", kAsk = "no-cache";
// Folders whose files are named by their content.
constexpr std::string_view kHashed[] = {"frontend_latest/", "frontend_es5/", "static/translations/", "static/mdi/"};
// Paths of the hub that the page may not take, besides those that are in the router.
constexpr std::string_view kHubs[] = {"api", "auth", "assets", "hearth", "local"};

base::Result<std::string> read_file(const fs::path& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, 16 * 1024> piece;
  while (in && text.size() <= most) {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.eof() && text.size() <= most) return text;
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("{}: cannot be read, or is larger than {} bytes", path.filename().string(), most));
}

// Names and icons for browsers that put the page on a phone's home screen.
http::Response manifest() {
  const auto icon = [](int size) {
    return json::object{{"src", fmt::format("/static/icons/favicon-{0}x{0}.png", size)},
                        {"sizes", fmt::format("{0}x{0}", size)},
                        {"type", "image/png"}};
  };
  http::Response response = http::Response::json(
      base::to_json(json::object{{"name", "Hearth"},
                                 {"short_name", "Hearth"},
                                 {"start_url", "/?homescreen=1"},
                                 {"display", "standalone"},
                                 {"background_color", "#ffffff"},
                                 {"theme_color", kThemeColor},
                                 {"icons", json::array{icon(192), icon(384), icon(512), icon(1024)}}}));
  response.content_type = "application/manifest+json";
  response.cache_control = kAsk;
  return response;
}

}  // namespace

base::Result<std::unique_ptr<FrontendFolder>> FrontendFolder::open(const fs::path& folder) {
  const auto not_a_build = [&](std::string_view why) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} is no built frontend, such as the folder hass_frontend of the Python package "
                                  "home-assistant-frontend: {}",
                                  folder.string(), why));
  };
  std::unique_ptr<FrontendFolder> made(new FrontendFolder());
  std::error_code error;
  made->folder_ = fs::canonical(folder, error);
  if (error) return not_a_build("there is no such folder");
  for (const std::string_view needed :
       {std::string_view("frontend_latest"), std::string_view("static"), kIndex, kAuthorize}) {
    if (!fs::exists(made->folder_ / needed, error)) return not_a_build(fmt::format("it has no {}", needed));
  }
  auto index = made->read_page(std::string(kIndex)), authorize = made->read_page(std::string(kAuthorize));
  if (!index) return not_a_build(index.error().message);
  if (!authorize) return not_a_build(authorize.error().message);
  made->index_ = std::move(*index);
  made->authorize_ = std::move(*authorize);
  if (auto found = made->find_files(); !found) return not_a_build(found.error().message);
  made->read_panels();
  return made;
}

base::Result<FilledPage> FrontendFolder::read_page(const std::string& name) const {
  const auto text = read_file(folder_ / name, kMaxPage);
  if (!text) return std::unexpected(text.error());
  auto filled = fill_page(*text, kThemeColor);
  if (!filled) return base::fail(filled.error().code, name + ": " + filled.error().message);
  return filled;
}

// Without links, which could lead out of the folder.
base::Result<void> FrontendFolder::find_files() {
  std::error_code error;
  std::size_t seen = 0;
  for (auto entry = fs::recursive_directory_iterator(folder_, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (++seen > kMaxFiles)
      return base::fail(base::ErrorCode::invalid, fmt::format("it has more than {} files", kMaxFiles));
    std::error_code of_entry;
    if (!entry->is_regular_file(of_entry) || entry->is_symlink(of_entry)) continue;
    const std::string path = entry->path().lexically_relative(folder_).generic_string();
    if (path.ends_with(".html") || path.ends_with(".py") || path.ends_with(".gz") || path.ends_with(".br")) continue;
    const auto size = entry->file_size(of_entry);
    const auto written = entry->last_write_time(of_entry).time_since_epoch().count();
    File file{.content_type = content_type(path),
              .tag = fmt::format("{:x}-{:x}", size, written),
              .immutable = std::ranges::any_of(kHashed, [&](std::string_view top) { return path.starts_with(top); })};
    const auto beside = [&](std::string_view ending) {
      const fs::path other = entry->path().string() + std::string(ending);
      return fs::is_regular_file(fs::symlink_status(other, of_entry));
    };
    file.gzip = beside(".gz");
    file.brotli = beside(".br");
    tops_.insert(path.substr(0, path.find('/')));
    files_.emplace(path, std::move(file));
  }
  if (error) return base::fail(base::ErrorCode::invalid, error.message());
  return {};
}

// Its English words: static/translations/en-HASH.json has "panel.history".
void FrontendFolder::read_panels() {
  constexpr std::string_view words = "static/translations/en-", prefix = "panel.";
  constexpr std::size_t kMaxWords = 8 * 1024 * 1024;
  for (auto found = files_.lower_bound(words); found != files_.end() && found->first.starts_with(words); ++found) {
    if (!found->first.ends_with(".json")) continue;
    const auto text = read_file(folder_ / found->first, kMaxWords);
    const auto parsed = text ? base::parse_json(*text) : base::Result<json::value>(std::unexpected(text.error()));
    if (!parsed || !parsed->is_object()) continue;
    for (const auto& [key, value] : parsed->get_object()) {
      if (std::string_view(key).starts_with(prefix)) panels_.emplace(std::string_view(key).substr(prefix.size()));
    }
  }
}

bool FrontendFolder::has(const http::Target& target) const {
  const std::string path = joined(target, 0);
  return files_.contains(path) || path == kManifest || path.ends_with(".html") || is_page(target);
}

// Pages have names of their own, without a dot; below them may be anything.
bool FrontendFolder::is_page(const http::Target& target) const {
  const std::string_view top = target.size() > 0 ? target.segment(0) : std::string_view();
  if (top.empty()) return target.size() <= 1;
  const auto usual = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return std::ranges::all_of(top, usual) && !tops_.contains(top) && std::ranges::find(kHubs, top) == std::end(kHubs);
}

http::Response FrontendFolder::get(const http::Request& request, bool any_users) const {
  const std::string path = joined(request.target, 0);
  if (const auto found = files_.find(path); found != files_.end()) return file(path, found->second, request.headers);
  if (path == kManifest) return manifest();
  // The hub's own pages make the first user.
  if (!any_users || path.ends_with(".html")) {
    return std::move(http::Response::message(303, "Go on at the address in Location.")
                         .with_header("Location", any_users ? "/" : "/hearth/welcome"));
  }
  return page(index_, request.headers);
}

http::Response FrontendFolder::login_page(const http::RequestHeaders& headers) const {
  return page(authorize_, headers);
}

http::Response FrontendFolder::page(const FilledPage& page, const http::RequestHeaders& headers) {
  const std::string tag = fmt::format("\"{}\"", page.digest);
  http::Response response;
  if (http::has_tag(headers.if_none_match, tag)) {
    response = not_modified(tag, kAsk);
  } else {
    response.content_type = "text/html; charset=utf-8";
    response.cache_control = kAsk;
    response.text = page.body;
    response.with_header("ETag", tag);
  }
  response.with_header("Content-Security-Policy", page.policy);
  return response;
}

http::Response FrontendFolder::file(const std::string& path, const File& file,
                                    const http::RequestHeaders& headers) const {
  const std::string_view cache = file.immutable ? kForever : kAsk;
  const std::string_view encoding = file.brotli && http::accepts(headers.accept_encoding, "br")   ? "br"
                                    : file.gzip && http::accepts(headers.accept_encoding, "gzip") ? "gzip"
                                                                                                  : "";
  // Each encoding has its own strong tag (RFC 9110 §8.8.3.3).
  const std::string tag =
      encoding.empty() ? fmt::format("\"{}\"", file.tag) : fmt::format("\"{}-{}\"", file.tag, encoding);
  if (http::has_tag(headers.if_none_match, tag)) return not_modified(tag, cache);
  const std::string_view ending = encoding == "br" ? ".br" : encoding == "gzip" ? ".gz" : "";
  http::BodyFilePtr body = http::BodyFile::open(folder_ / (path + std::string(ending)));
  if (!body) {
    base::log_warning("frontend", "{}: the file has gone since the hub started, or cannot be read; restart the hub",
                      path);
    return http::Response::message(404, "The file has gone.");
  }
  http::Response response;
  response.content_type = file.content_type;
  response.cache_control = cache;
  response.negotiated = true;
  response.file = std::move(body);
  response.with_header("ETag", tag);
  if (!encoding.empty()) response.with_header("Content-Encoding", encoding);
  return response;
}

}  // namespace hearth::api
