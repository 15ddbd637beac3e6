// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/registry_listing.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "integrations/home_assistant/protocol/registries.h"

namespace hearth::integrations::home_assistant {

Commands::Done RegistryListing::guarded(Commands::Done function) {
  return [this, run = run_, function = std::move(function)](const Incoming& answer) {
    if (running_ && run == run_) function(answer);
  };
}

void RegistryListing::list(std::string_view command, std::function<void(const Incoming&)> take) {
  ++missing_;
  commands_.ask({{"type", command}}, guarded([this, take = std::move(take)](const Incoming& answer) {
                  take(answer);
                  if (--missing_ == 0) listed();
                }),
                Commands::IfLate::fail);
}

void RegistryListing::start(Done done) {
  ++run_;
  running_ = true;
  done_ = std::move(done);
  registries_ = {};
  missing_ = 0;
  list("config/floor_registry/list", [this](const Incoming& answer) {
    if (answer.success) registries_.floors = read_floors(answer.result);
  });
  list("config/label_registry/list", [this](const Incoming& answer) {
    if (answer.success) registries_.labels = read_labels(answer.result);
  });
  list("config/area_registry/list", [this](const Incoming& answer) {
    if (answer.success) registries_.areas = read_areas(answer.result);
  });
  list("config/device_registry/list", [this](const Incoming& answer) {
    if (answer.success) registries_.devices = read_devices(answer.result);
  });
  list("config/entity_registry/list", [this](const Incoming& answer) {
    registries_.complete = answer.success;
    if (answer.success) registries_.entities = read_entities(answer.result);
  });
}

void RegistryListing::stop() {
  running_ = false;
  registries_ = {};
  done_ = {};
}

void RegistryListing::listed() {
  ask_piece(0);
}

void RegistryListing::ask_piece(std::size_t begin) {
  auto& entities = registries_.entities;
  if (begin >= entities.size()) return end();
  const std::size_t end = std::min(begin + kPiece, entities.size());
  json::array ids;
  for (std::size_t i = begin; i < end; ++i) ids.emplace_back(entities[i].entity_id);
  commands_.ask({{"type", "config/entity_registry/get_entries"}, {"entity_ids", std::move(ids)}},
                guarded([this, begin, end](const Incoming& answer) {
                  if (!answer.success && error_code(answer) == "unknown_command") return ask_single(0);
                  if (answer.success)
                    read_whole_entries(answer.result, std::span(registries_.entities).subspan(begin, end - begin));
                  ask_piece(end);
                }),
                Commands::IfLate::fail);
}

void RegistryListing::ask_single(std::size_t begin) {
  auto& entities = registries_.entities;
  const std::size_t end = std::min({begin + kSinglePiece, entities.size(), kMostSingle});
  if (begin >= end) return this->end();
  missing_ = end - begin;
  for (std::size_t i = begin; i < end; ++i) {
    commands_.ask({{"type", "config/entity_registry/get"}, {"entity_id", entities[i].entity_id}},
                  guarded([this, i, end](const Incoming& answer) {
                    if (answer.success) read_whole_entry(answer.result, registries_.entities[i]);
                    if (--missing_ == 0) ask_single(end);
                  }),
                  Commands::IfLate::fail);
  }
}

void RegistryListing::end() {
  running_ = false;
  const Done done = std::exchange(done_, {});
  done(std::exchange(registries_, {}));
}

}  // namespace hearth::integrations::home_assistant
