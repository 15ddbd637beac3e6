// SPDX-License-Identifier: Apache-2.0
// Shows the entities of the hub there as this home's: their registry entries, devices, areas and states. It takes the
// news of the session in their order. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "domains/integration.h"
#include "integrations/home_assistant/mirror/context_source.h"
#include "integrations/home_assistant/mirror/listed.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"
#include "integrations/home_assistant/mirror/picture_paths.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/hub_link.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class Mirror {
 public:
  // How long states stay as they were after a loss.
  static constexpr base::Duration kGrace = std::chrono::seconds(10);
  // Changes and entries that are applied in one turn of the bus.
  static constexpr std::size_t kAtOnce = 256;

  // All must outlive it. `pictures` may be null.
  Mirror(const domains::IntegrationHome& home, const Options& options, ContextSource& contexts, HubLink& link,
         PicturePaths* pictures = nullptr);
  ~Mirror();

  // Claims the entries of earlier runs, so that calls for them find their provider, and adds the two sensors of the
  // connection.
  void start();
  // Shows all as unavailable, unless the hub here stops.
  void stop();
  // The connection is given up for good: its entries wait for another provider, their states go.
  void forget();

  // The news, in their order. More than kAtOnce of anything goes on in the next turns of the bus, before later news.
  void connected(const OtherHub& hub);  // Opened
  void take(Registries registries);
  void take(Picture picture);
  void take(Changes changes);
  void take(Running running);
  void lost();
  void take(Latency latency);
  // A call has been answered: changes that wait for their context ask once more.
  void contexts_changed();

  const MirroredIds& ids() const;
  const std::string& provider() const;  // home_assistant.NAME
  // True if all that was taken is applied.
  bool idle() const;

  Counts counts() const;
  std::vector<Listed> list(std::optional<Fate> fate = {}) const;
  // Changes above `max_updates` that newer ones have replaced.
  std::uint64_t skipped() const;

  // Names, areas and the like that people chose there and that differ here; `take_again` copies them. Null: of all
  // entities and devices; otherwise of those ids here.
  std::vector<Difference> differences(const std::set<std::string>* only = nullptr) const;
  base::Result<void> take_again(const core::Context& context, const std::set<std::string>* only = nullptr);

  // The entity `to`, which another integration provides here, gets the id, names and history of `from`, which is
  // mirrored; the mirror leaves that to it from now on. Fails with not_found, and with invalid for other entities.
  base::Result<void> adopt(const std::string& from, const std::string& to, const core::Context& context);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hearth::integrations::home_assistant
