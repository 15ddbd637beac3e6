// SPDX-License-Identifier: Apache-2.0
// Binds an Engine to its entity: a sensor or binary sensor that follows its sources and the clock, and that shows its
// last state until its sources say more. Bus thread only.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "automation/triggers/live_template.h"
#include "derived/history_questions.h"
#include "derived/units/unit.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"

namespace hearth::derived {

class SensorUnit : public Unit, public domains::ThingDevice {
 public:
  static constexpr std::size_t kMostHeld = 1'000;  // changes, while history is asked; then the oldest is lost
  static constexpr base::Duration kSoonest = std::chrono::milliseconds(1);  // from one look at the clock to the next

  SensorUnit(std::shared_ptr<const Plan> plan, const Environment& environment);
  SensorUnit(std::shared_ptr<const Plan> plan, const Environment& environment, std::unique_ptr<Engine> engine);

  // Keys in the journal of what sensors have counted, while they are unavailable and so do not show it.
  static constexpr std::string_view kBooks = "books/";

  base::Result<void> start() override;
  void withdraw() override;
  std::vector<std::string> entity_ids() const override;
  std::optional<bool> is_workday(std::string_view id, std::int64_t day) const override {
    return id == entity_id() ? engine_->is_workday(day) : std::optional<bool>();
  }
  void act(const domains::Action&, const json::object&) override {}

  std::string_view entity_id() const { return thing_ ? thing_->entity_id() : std::string_view(); }
  // Shows what the engine says now. `cause` may be null.
  void renew(const core::Context* cause) { renew(cause, environment_.home.now()); }

 private:
  struct Held {
    core::StatePtr state, before;
    core::Context cause;
  };

  // It shows what was before the hub's start, and nobody has reported since.
  bool is_restored(const core::State* state) const;
  Moment now() const;
  core::StatePtr last_state() const;
  // Its count, as a state: `last`, or the one that was kept while its source was away.
  core::StatePtr books(core::StatePtr last) const;
  // While it is unavailable no state says what it has counted.
  void keep_books(const Output& shown);
  // In the unit that the engine shows, if the user wants another.
  core::StatePtr in_own_unit(core::StatePtr last, const std::string& unit) const;
  void follow_templates();
  void renew(const core::Context* cause, const automation::Moment& home);
  void receive_values(const automation::Moment& home, templates::Dependencies* seen);
  void receive_present();
  // True if it was taken as the present state, though its event comes only now.
  bool knows(const core::StateChange& change, const core::Event& event);
  void ask_past(const Past& past);
  void receive_past();
  void on_change(const core::StateChange& change, const core::Event& event);
  void receive(const core::StatePtr& state, const core::StatePtr& before, std::string_view entity_id);
  void await_clock();
  void arm();

  const Environment environment_;
  const std::unique_ptr<Engine> engine_;
  std::unique_ptr<automation::LiveTemplate> live_;  // null: the plan has no templates
  domains::Thing* thing_ = nullptr;                 // in the home
  bool waits_ = false;                              // for history, or for the clock to be set
  std::size_t questions_ = 0;                       // without an answer
  std::vector<core::StatePtr> past_;
  std::uint64_t known_until_ = 0;        // events that were before the present states were taken
  std::vector<core::StatePtr> present_;  // taken as such, until the source changes
  std::deque<Held> held_;
  core::EntityListeners::Listening sources_;
  core::Timer timer_;
  core::Subscription zone_changes_;
  std::shared_ptr<const bool> alive_;  // expires with this
};

}  // namespace hearth::derived
