// SPDX-License-Identifier: Apache-2.0
// The inside of Mirror: applies the news in turns of the bus, and knows when states are old. Bus thread only.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "integrations/home_assistant/mirror/connection_sensors.h"
#include "integrations/home_assistant/mirror/mirror.h"
#include "integrations/home_assistant/mirror/moves.h"
#include "integrations/home_assistant/mirror/registrar.h"

namespace hearth::integrations::home_assistant {

class Mirror::Parts {
 public:
  // A new entity there waits so long for its entry, and one without state for its new name, before it counts as it is.
  static constexpr base::Duration kListingWait = std::chrono::milliseconds(1'500);
  // Changes that wait to be applied; beyond it they are applied in the turn in which they come.
  static constexpr std::size_t kMostWaiting = 65'536;

  // These become unavailable, by the ids there.
  struct Unavailable {
    std::vector<std::string> entities;
    bool by_connection;
  };
  // So do these, by their ids here, of earlier runs.
  struct Claimed {
    std::vector<std::string> entities;
  };
  using News = std::variant<Registries, Picture, Changes, Unavailable, Claimed>;

  Parts(const domains::IntegrationHome& used, const Options& given, ContextSource& contexts, HubLink& link,
        PicturePaths* pictures)
      : home(used),
        options(given),
        table("home_assistant." + given.name),
        places(home.hub, options),
        devices(home, options, table, places),
        states(home, options, table, contexts, pictures),
        registrar(home, options, table, devices, places, states),
        sensors(home, options),
        moves(home, options, table, devices, registrar, states, link) {}

  void start();
  void stop();
  void forget();
  void connected(const OtherHub& hub);
  void lost();
  void add(News news);
  bool idle() const { return news_.empty() && new_.empty() && leaving_.empty(); }

  const domains::IntegrationHome home;
  const Options options;
  MirroredTable table;
  Places places;
  MirroredDevices devices;
  StateWriter states;
  Registrar registrar;
  ConnectionSensors sensors;
  Moves moves;
  std::uint64_t skipped = 0;

 private:
  struct Job {
    News news;
    std::size_t next = 0;
  };

  static std::size_t size(const News& news);
  // Applies the first news, up to `most` parts of it. True if all of it is done.
  bool step(std::size_t most);
  void run();
  void go_on();
  // Each applies the parts from `first` to `last`.
  void apply(Registries& registries, std::size_t first, std::size_t last);
  void apply(Picture& picture, std::size_t first, std::size_t last);
  void apply(Changes& changes, std::size_t first, std::size_t last);
  void apply(Unavailable& gone, std::size_t first, std::size_t last);
  void apply(Claimed& claimed, std::size_t first, std::size_t last);
  void begin(Registries& registries);
  void finish(const Registries& registries);
  void finish(const Picture& picture);
  void show(MirroredEntity& entity, OtherState state);
  void lose_state(MirroredEntity& entity);
  // Applies news that waited for a listing of the registry there.
  void settle(bool listed);
  void expire();

  std::deque<Job> news_;
  std::size_t waiting_ = 0;  // parts of `news_`
  bool posted_ = false, applying_ = false;
  std::uint32_t connection_ = 0, listing_ = 0;
  bool connected_ = false, running_ = false, complete_ = true, listed_ = false;
  base::TextMap<OtherState> new_;  // states of entities that are in no listing yet
  std::set<std::string> leaving_;  // ids there of entities that have an entry there, but no state any more
  core::Timer grace_, settling_;
  bool settling_runs_ = false, grace_runs_ = false;
};

}  // namespace hearth::integrations::home_assistant
