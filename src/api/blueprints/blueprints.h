// SPDX-License-Identifier: Apache-2.0
// The blueprints of the home, for administrators. The app implements this.
//
// The accounts' thread only, because they are files, except where noted.
#pragma once

#include <functional>
#include <string>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class Blueprints {
 public:
  // Called on the bus thread when the change is in force, with the answer.
  using Active = std::function<void(const json::object& answer)>;
  // Called once, on a thread that must not be held up: the text, and what it may be called, such as author/motion.
  struct Download {
    std::string text, suggested_filename;
  };
  using Fetched = std::function<void(base::Result<Download> fetched)>;

  virtual ~Blueprints() = default;

  // {path: {metadata, hash} or {error}} of all of the domain: automation, script or template.
  virtual json::object list(const std::string& domain) = 0;
  // {raw_data, hash, former: [{raw_data, hash}]}: its text, and former ones, newest first. Fails with not_found.
  virtual base::Result<json::object> get(const std::string& domain, const std::string& path) = 0;
  // The text behind an address: of a file, or of a page of GitHub, a gist, or a topic of the community. Any thread.
  // Fails with invalid or unavailable.
  virtual void fetch(const std::string& url, Fetched fetched) = 0;
  // {suggested_filename, raw_data, blueprint: {metadata, hash}, validation_errors, exists, outdated}. Fails with
  // invalid if it is no blueprint.
  virtual base::Result<json::object> look_at(const std::string& text, const std::string& suggested_filename) = 0;
  // Calls `active` later if it succeeds, with {overrides_existing, outdated}: `outdated` lists who runs the former
  // version from now on, because the new one does not fit. Fails with invalid if it is no blueprint of the domain, if
  // the path is none, or if there is one and it may not be replaced; with unavailable if it cannot be written.
  virtual base::Result<void> save(const std::string& domain, const std::string& path, const std::string& text,
                                  const std::string& source_url, bool may_replace, Active active) = 0;
  // Fails with not_found, and with invalid if something uses it.
  virtual base::Result<void> remove(const std::string& domain, const std::string& path) = 0;
  // The item that these inputs make. Fails with not_found, and with invalid if an input is missing.
  virtual base::Result<json::value> substitute(const std::string& domain, const std::string& path,
                                               const json::object& inputs) = 0;
};

}  // namespace hearth::api
