// SPDX-License-Identifier: Apache-2.0
// backup.create and backup.restore: for administrators.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "app/integrations.h"
#include "backup/backups.h"
#include "core/hub.h"

namespace hearth::app {

// All must outlive the registrations; `folder` is the home's. A restored backup takes effect after `restart`, which may
// be called on any thread.
std::vector<core::Registration> add_backup_services(core::Hub& hub, backup::Backups& backups,
                                                    const std::filesystem::path& folder, Integrations integrations,
                                                    std::function<void()> restart);

}  // namespace hearth::app
