// SPDX-License-Identifier: Apache-2.0
// backup.create and backup.restore: for administrators.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/connections/integrations.h"
#include "backup/backups.h"
#include "core/hub.h"

namespace hearth::app {

// Calls `then`, on any thread, with the display name of the user, empty if there is none.
using NameOf = std::function<void(const std::optional<base::Id>& user_id, std::function<void(std::string)> then)>;

// All must outlive the registrations; `folder` is the home's. A restored backup takes effect after `restart`, which may
// be called on any thread.
std::vector<core::Registration> add_backup_services(core::Hub& hub, backup::Backups& backups,
                                                    const std::filesystem::path& folder, Integrations integrations,
                                                    NameOf name_of, std::function<void()> restart);

}  // namespace hearth::app
