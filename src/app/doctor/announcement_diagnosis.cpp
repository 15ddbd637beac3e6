// SPDX-License-Identifier: Apache-2.0
// Clients of the network find the hub by themselves.
#include <fmt/format.h>

#include "app/doctor/diagnosis.h"
#include "app/folder_lock.h"
#include "app/network/announcement.h"
#include "net/mdns/host_query.h"
#include "net/mdns/machine_addresses.h"
#include "storage/database.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::chrono::milliseconds kMdnsPatience{1'500};

// Empty if there is none yet.
std::string known_uuid(const std::filesystem::path& folder) {
  auto database = storage::Database::open_to_read(folder / "home.db");
  if (!database) return {};
  auto select = database->prepare("SELECT uuid FROM home");
  if (!select) return {};
  const auto row = select->step();
  return row && *row ? std::string(select->text(0)) : std::string();
}

}  // namespace

Diagnoses examine_announcement(const std::filesystem::path& folder, const Settings& settings) {
  constexpr std::string_view check = "announcement";
  const auto not_announced = [&](std::string_view why) {
    return Diagnoses{{check, good, fmt::format("{}: clients must be told its address", why)}};
  };
  if (!net::has_mdns()) return not_announced("this hub was built without libavahi-core");
  if (!settings.zeroconf.enabled) return not_announced("zeroconf: enabled is false");
  if (!settings.network.announce) return not_announced("network: announce is false");
  if (!reaches_network(settings.http.server_host)) return not_announced("it listens on its own machine only");
  if (net::machine_addresses({}).empty())
    return {{check, warning, "the machine is in no network", "Connect it: the hub notices."}};
  const auto lock = FolderLock::lock(folder);
  const std::string host = known_uuid(folder);
  if (lock || host.empty()) return {};  // no hub runs, and that is said elsewhere
  if (net::host_answers(host, kMdnsPatience))
    return {{check, good, fmt::format("clients find it in the network, as {}.local", host)}};
  return {{check, warning, fmt::format("nobody in the network answers for {}.local", host),
           "A firewall may keep mDNS (UDP port 5353) out; the log may have more: journalctl -u hearth -g mdns."}};
}

}  // namespace hearth::app
