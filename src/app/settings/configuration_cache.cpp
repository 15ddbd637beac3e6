// SPDX-License-Identifier: Apache-2.0
#include "app/settings/configuration_cache.h"

namespace hearth::app {

ConfigurationCache::ConfigurationCache(Read read, const Settings& first) : read_(std::move(read)) {
  // A start takes what it can get from the last good one; later readings do not.
  const bool as_read = !first.is_last_good && !has(first.findings, Finding::Kind::wrong);
  if (as_read) kept_ = std::shared_ptr<const Settings>(std::shared_ptr<const void>(), &first);
}

base::Result<std::shared_ptr<const Settings>> ConfigurationCache::load() {
  if (kept_ && kept_->files && kept_->files->same_texts()) return kept_;
  auto settings = read_();
  if (!settings) return std::unexpected(std::move(settings.error()));
  kept_ = std::make_shared<const Settings>(std::move(*settings));
  return kept_;
}

}  // namespace hearth::app
