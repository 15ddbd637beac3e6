// SPDX-License-Identifier: Apache-2.0
// Writes the states of mirrored entities, with the times and contexts of there. Bus thread only.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "domains/integration.h"
#include "integrations/home_assistant/mirror/context_source.h"
#include "integrations/home_assistant/mirror/mirrored_table.h"
#include "integrations/home_assistant/mirror/picture_paths.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class StateWriter {
 public:
  // How long a change waits for the call that made it.
  static constexpr base::Duration kContextWait = std::chrono::milliseconds(250);

  // All must outlive it. `pictures` may be null.
  StateWriter(const domains::IntegrationHome& home, const Options& options, MirroredTable& table,
              ContextSource& contexts, PicturePaths* pictures)
      : home_(home), options_(options), table_(table), contexts_(contexts), pictures_(pictures) {}

  // The entity has this state there. Written at once, or as soon as it is known who has made it; changes of one entity
  // stay in order.
  void take(MirroredEntity& entity, OtherState state);
  // A call has been answered.
  void contexts_changed() { write_known(); }
  // No change of it waits any more: they are written, or dropped.
  void flush(MirroredEntity& entity);
  void drop(MirroredEntity& entity);

  // Keeps what does not change, and the last value. `by_connection`: because the hub there cannot be reached.
  void show_unavailable(MirroredEntity& entity, bool by_connection);
  // False if nothing has changed.
  bool show_unavailable(const core::EntityId& id, bool by_connection);
  void remove(MirroredEntity& entity);
  // Reads the entity's entry if the registry has changed. False if it is not shown by the mirror.
  bool look(MirroredEntity& entity, const core::RegistryData& data) const;

 private:
  struct Waiting {
    MirroredEntity* entity;
    OtherState state;
    base::SteadyTime until;
  };

  void write_known();
  void write(MirroredEntity& entity, OtherState& state, const core::Context& context);
  void refuse(MirroredEntity& entity, std::string why);
  void show_lost(MirroredEntity& entity, bool by_connection);
  base::Timestamp past(base::Timestamp time) const;
  // The times of there. The last update is never before that of the state here, so that the past stays in order: it may
  // have been unavailable since, or the clock there is behind.
  core::State::Times times_here(const core::EntityId& id, const OtherState& state) const;
  std::string attributes_here(const MirroredEntity& entity, json::object& attributes) const;
  void translate(json::value& value) const;

  const domains::IntegrationHome& home_;
  const Options& options_;
  MirroredTable& table_;
  ContextSource& contexts_;
  PicturePaths* const pictures_;
  std::deque<Waiting> waiting_;
  core::Timer timer_;
  std::size_t refused_ = 0;
};

}  // namespace hearth::integrations::home_assistant
