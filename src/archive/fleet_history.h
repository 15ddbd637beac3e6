// SPDX-License-Identifier: Apache-2.0
// Reads the past of a portal: of its own entities from its recorder, of its sites' from the archive.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recorder/history/history_reader.h"

namespace hearth::archive {

// An entity of a site, by the id that it has there.
struct RemoteEntity {
  std::string site, entity_id;
};

struct FleetHistoryOptions {
  std::string url;  // as that of ArchiveOptions
  // Both run on the reader's thread. The site's entity that has this id at the portal; null: it is the portal's own.
  std::function<std::optional<RemoteEntity>(std::string_view entity_id)> remote;
  // The other way round; null: the portal does not know it, and nobody sees it.
  std::function<std::optional<std::string>(const RemoteEntity& entity)> portal_id;
};

// `own` has what is the portal's own. What sites have published in the last seconds is not there yet. Connects when it
// is asked of a site. Fails with unavailable as make_archive does.
base::Result<std::unique_ptr<recorder::HistoryReader>> make_fleet_history(FleetHistoryOptions options,
                                                                          std::unique_ptr<recorder::HistoryReader> own);

}  // namespace hearth::archive
