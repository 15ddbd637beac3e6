// SPDX-License-Identifier: Apache-2.0
// Serves the built pages of another frontend for this family of APIs from a folder: each file that is in it when the
// hub starts, at its own path, and its one page at every path that nothing else serves. The hub's own pages are then
// below /hearth.
//
// Immutable; any thread. Files are opened when they are asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "api/frontend/page.h"
#include "base/result.h"
#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::api {

class FrontendFolder {
 public:
  static constexpr std::size_t kMaxFiles = 100'000;
  static constexpr std::size_t kMaxPage = 1024 * 1024;  // bytes of index.html and authorize.html, each

  // Fails with invalid if the folder is not such a build; the message says what is missing.
  static base::Result<std::unique_ptr<FrontendFolder>> open(const std::filesystem::path& folder);

  // True if a GET of it is answered here, if it is no path of the hub.
  bool has(const http::Target& target) const;
  // REQUIRES: has(request.target).
  http::Response get(const http::Request& request, bool any_users) const;
  // The page to log in on.
  http::Response login_page(const http::RequestHeaders& headers) const;

  // True if it has words for the title of a panel, and so the panel.
  bool knows_panel(std::string_view title) const { return panels_.contains(title); }

 private:
  struct File {
    std::string_view content_type;
    std::string tag;
    bool immutable;                     // other content would have another path
    bool gzip = false, brotli = false;  // stands beside it, compressed
  };

  FrontendFolder() = default;
  base::Result<void> find_files();
  void read_panels();
  base::Result<FilledPage> read_page(const std::string& name) const;
  bool is_page(const http::Target& target) const;
  http::Response file(const std::string& path, const File& file, const http::RequestHeaders& headers) const;
  static http::Response page(const FilledPage& page, const http::RequestHeaders& headers);

  std::filesystem::path folder_;
  std::map<std::string, File, std::less<>> files_;  // by path below the folder
  std::set<std::string, std::less<>> tops_;         // first segments of these
  std::set<std::string, std::less<>> panels_;
  FilledPage index_, authorize_;
};

}  // namespace hearth::api
