// SPDX-License-Identifier: Apache-2.0
// The integrations of this program, and those that configuration.yaml turns on; takes one out of that file and out of
// the home. The former text is kept in .revisions.
//
// The configuration's thread only.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/integrations/integration_files.h"
#include "app/settings/settings.h"

namespace hearth::app {

class IntegrationFiles final : public api::IntegrationFiles {
 public:
  using Load = std::function<base::Result<std::shared_ptr<const Settings>>()>;
  // Stops the integration, removes its entries from the registry, and calls `gone` on the bus thread.
  using End = std::function<void(const std::string& name, bool with_areas, Gone gone)>;

  // `known`: the names of the integrations of this program.
  IntegrationFiles(std::filesystem::path folder, std::vector<std::string> known, Load load, End end)
      : folder_(std::move(folder)), known_(std::move(known)), load_(std::move(load)), end_(std::move(end)) {}

  base::Result<json::array> list() override;
  base::Result<void> remove(const std::string& name, bool with_areas, const std::string& user_id, Gone gone) override;

 private:
  const std::filesystem::path folder_;
  const std::vector<std::string> known_;
  const Load load_;
  const End end_;
};

}  // namespace hearth::app
