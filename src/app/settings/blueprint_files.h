// SPDX-License-Identifier: Apache-2.0
// The blueprints of the home: files in blueprints/automation, blueprints/script and blueprints/template, a folder for
// each author. A replaced file is kept in .revisions; items that do not fit the new one go on with it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "api/blueprints/blueprints.h"
#include "app/files/read_files.h"
#include "app/settings/settings.h"
#include "automation/items/blueprint.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"

namespace hearth::app {

constexpr std::string_view kBlueprintsFolder = "blueprints";

// All of the folder. What cannot be read has its error. `read`: notes what was looked at; null: nobody asks.
// `failure`: gets the first error that is the machine's, if it has none; null likewise. Any thread.
std::shared_ptr<const automation::Blueprints> read_blueprints(const std::filesystem::path& home,
                                                              ReadFiles* read = nullptr,
                                                              std::optional<base::Error>* failure = nullptr);

// The configuration's thread only, except where noted.
class BlueprintFiles final : public api::Blueprints {
 public:
  using Load = std::function<base::Result<std::shared_ptr<const Settings>>()>;
  // Puts what uses blueprints in force, and calls `then` on the bus thread.
  using Apply = std::function<void(const Settings& settings, std::function<void()> then)>;

  BlueprintFiles(std::filesystem::path home, const core::Hub& hub, Load load, Apply apply)
      : home_(std::move(home)), hub_(hub), load_(std::move(load)), apply_(std::move(apply)) {}
  // Before what it uses is gone: ends downloads. Main thread.
  void stop();

  json::object list(const std::string& domain) override;
  void fetch(const std::string& url, Fetched fetched) override;  // any thread
  base::Result<json::object> look_at(const std::string& text, const std::string& suggested_filename) override;
  base::Result<void> save(const std::string& domain, const std::string& path, const std::string& text,
                          const std::string& source_url, bool may_replace, Active active) override;
  base::Result<json::object> get(const std::string& domain, const std::string& path) override;
  base::Result<void> remove(const std::string& domain, const std::string& path) override;
  base::Result<json::value> substitute(const std::string& domain, const std::string& path,
                                       const json::object& inputs) override;

 private:
  std::filesystem::path file_of(const std::string& domain, const std::string& path) const;
  // Items that would run a former version if this were the newest of that path: {domain, item_id, name, error} each.
  base::Result<json::array> outdated_by(const automation::Blueprint& blueprint, const std::string& path) const;

  const std::filesystem::path home_;
  const core::Hub& hub_;
  const Load load_;
  const Apply apply_;
  std::atomic<bool> stopping_{false};
  base::TaskThread downloads_{"downloads", "blueprint", {4}};  // begins with the first
};

}  // namespace hearth::app
