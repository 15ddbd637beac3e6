// SPDX-License-Identifier: Apache-2.0
// The options of the integration mqtt: the connection of configuration.yaml, or, without one, that which an
// administrator has set while the hub ran, stored in home.db; and the components that configuration.yaml describes.
//
// Construction, open and options: one thread, before the hub answers requests. The rest: the accounts' thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/mqtt/mqtt_settings.h"
#include "app/settings/settings.h"
#include "base/threads/published.h"
#include "core/hub.h"
#include "integrations/mqtt/protocol/options.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::app {

class MqttSettings final : public api::MqttSettings {
 public:
  // Puts the options in force; null: there is no broker any more. Bus thread.
  using Apply = std::function<void(const std::optional<base::ConfigNode>& options)>;

  // Tries a connection, as Trials does. Bus thread.
  using Try = std::function<void(integrations::mqtt::Options options, Tested tested)>;

  // The hub must outlive this.
  MqttSettings(core::Hub& hub, const Settings& settings, Apply apply, Try attempt);

  // Of its tables.
  static storage::Schema schema();

  // Call once, before the others. Skips and logs stored values that are not valid any more.
  base::Result<void> open(const std::filesystem::path& file);
  // The settings in force; the connection is checked. Null if there is no broker.
  std::optional<base::ConfigNode> options() const;
  // Errors of the components of the file, a text each. Any thread.
  std::shared_ptr<const std::vector<std::string>> faults() const { return faults_.load(); }

  json::object config() const override;
  base::Result<void> save(const base::ConfigNode& values) override;
  base::Result<void> remove() override;
  base::Result<void> test(const base::ConfigNode& values, Tested tested) override;

  // Puts the file's section, as it was read again, in force. Fails with invalid; then everything stays.
  base::Result<void> apply(const Settings& loaded);

 private:
  using Values = std::map<std::string, std::string>;

  std::optional<base::ConfigNode> connection() const;
  void apply_components(const Settings& settings);
  base::Result<void> check_editable() const;
  // With the present password, if it is absent and for the same user of the same broker.
  base::Result<base::ConfigNode> with_password(const base::ConfigNode& values) const;
  base::Result<void> store(const Values& values);
  void apply();

  core::Hub& hub_;
  const Apply apply_;
  const Try try_;
  std::optional<base::ConfigNode> file_;      // the connection in the file
  std::vector<base::ConfigNode> components_;  // of the file
  base::Published<std::vector<std::string>> faults_;
  Values stored_;  // valid together, or empty
  std::optional<storage::Database> database_;
};

}  // namespace hearth::app
