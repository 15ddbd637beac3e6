// SPDX-License-Identifier: Apache-2.0
// Keeps the configuration that was read last, and parses it again only if the text of one of its files differs. One
// thread.
#pragma once

#include <functional>
#include <memory>

#include "app/settings/settings.h"

namespace hearth::app {

class ConfigurationCache {
 public:
  using Read = std::function<base::Result<Settings>()>;

  // `first`: as the hub started with it, which must outlive this; it counts if a file would give the same again.
  ConfigurationCache(Read read, const Settings& first);

  // Fails as load_settings.
  base::Result<std::shared_ptr<const Settings>> load();

 private:
  const Read read_;
  std::shared_ptr<const Settings> kept_;  // null: none
};

}  // namespace hearth::app
