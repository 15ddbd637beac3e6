// SPDX-License-Identifier: Apache-2.0
// GET /local/{path}: files of the folder www/ in the configuration folder, for dashboards.
#include <fmt/format.h>
#include <sys/stat.h>

#include "api/frontend/files.h"
#include "api/parts.h"
#include "api/rows.h"
#include "http/messages/byte_range.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

namespace fs = std::filesystem;

constexpr off_t kMaxLocalFile = 64 * 1024 * 1024;  // bytes; a fast reader would hold a worker by a larger one
constexpr std::string_view kRevalidate = "no-cache";
// Documents run apart from the hub's pages, without the tokens that these keep: a page may have scripts, as cards of
// dashboards do; a drawing that is opened by itself has none.
constexpr std::string_view kPagePolicy = "sandbox allow-scripts allow-forms allow-popups";
constexpr std::string_view kDrawingPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

base::Result<http::Response> no_such_file() {
  return base::fail(base::ErrorCode::not_found, "There is no such file in www/.");
}

// Names that begin with a dot, `.` and `..` among them, are private.
bool is_shown(const fs::path& below) {
  for (const fs::path& name : below) {
    if (name.empty() || name.native().starts_with('.')) return false;
  }
  return !below.empty();
}

// Where it really is, if that is in the folder, too; else empty.
fs::path found_in(const fs::path& folder, const std::string& path) {
  if (folder.empty() || path.starts_with('/') || path.contains("//") || !is_shown(path)) return {};
  std::error_code error;
  const fs::path top = fs::canonical(folder, error);
  if (error) return {};
  fs::path real = fs::canonical(top / path, error);
  return !error && is_shown(real.lexically_relative(top)) ? real : fs::path();
}

// Fails with not_found. Whoever changes a file replaces it (rename); of one that shrinks while it is sent, the client
// learns by the connection's end.
base::Result<http::Response> get_local_file(const Call& call) {
  const std::string path = joined(call.request.target, 1);
  const fs::path real = found_in(call.parts.local_files, path);
  http::BodyFilePtr file = real.empty() ? nullptr : http::BodyFile::open(real);
  struct stat status;
  if (!file || ::fstat(file->descriptor(), &status) != 0) return no_such_file();
  if (status.st_size > kMaxLocalFile) {
    return base::fail(base::ErrorCode::not_found, fmt::format("This file of www/ has {} bytes; at most {} are served.",
                                                              status.st_size, kMaxLocalFile));
  }
  const std::string tag = fmt::format("\"{:x}-{:x}-{:x}-{:x}\"", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                                      status.st_mtim.tv_nsec);
  const std::string_view type = content_type(path);
  http::Response response;
  if (http::has_tag(call.request.headers.if_none_match, tag)) {
    response = not_modified(tag, kRevalidate);
  } else {
    response.content_type = type;
    response.cache_control = kRevalidate;
    response.file = std::move(file);
    response.with_header("ETag", tag);
    http::answer_range(call.request, tag, response);
  }
  if (type.starts_with("text/html")) response.with_header("Content-Security-Policy", kPagePolicy);
  if (type.starts_with("image/svg") || type.starts_with("text/xml"))
    response.with_header("Content-Security-Policy", kDrawingPolicy);
  return response;
}

constexpr Answer kLocalFile[] = {
    {200, "The file, with the type that its name's ending says.", "File", "*/*"},
    {206, "The part of it that Range asks for.", "File", "*/*"},
    {304, "As If-None-Match says that the client has it.", ""},
    {416, "No byte of the range is in the file.", "Message"},
};

}  // namespace

constexpr Endpoint kLocalFileEndpointRows[] = {
    {http::Verb::get,
     "/local/{path}",
     Access::open,
     get_local_file,
     Durable::no,
     "A file of the folder www/",
     kLocalFile,
     {},
     nullptr,
     true},
};
constexpr Endpoints kLocalFileEndpoints = kLocalFileEndpointRows;

}  // namespace hearth::api
