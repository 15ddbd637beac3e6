// SPDX-License-Identifier: Apache-2.0
// Parts of the hub that handlers use besides the home. `app` names all of them; in unit tests most are null, and then
// there is no history to ask for, and no backup.
#pragma once

#include <filesystem>
#include <functional>

#include "api/endpoint.h"
#include "api/gateway/https_redirect.h"
#include "audit/log.h"
#include "backup/backups.h"
#include "base/threads/task_thread.h"
#include "core/bus/event_bus.h"
#include "core/journal.h"
#include "recorder/history.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/journal/registry_store.h"
#include "recorder/recorder.h"
#include "template/language/custom_templates.h"

namespace hearth::energy {
class CostSensors;
}  // namespace hearth::energy

namespace hearth::phones {
class People;
class Phones;
}  // namespace hearth::phones

namespace hearth::api {

class AutomationFiles;
class Automations;
class Blueprints;
class Connections;
class DerivedKinds;
class Doctor;
struct EntityMetrics;
class FrontendFolder;
class Imports;
class IntegrationFiles;
class MqttSettings;
class Names;
class Simulations;
class Sites;
class Suggestions;

struct Parts {
  audit::Log* audit = nullptr;  // null: nothing is recorded
  recorder::Recorder* recorder = nullptr;
  recorder::History* history = nullptr;
  recorder::ImportedStatistics* imported = nullptr;  // used on the thread of history
  recorder::RegistryStore* registry = nullptr;
  core::Journal* journal = nullptr;
  backup::Backups* backups = nullptr;
  Imports* home_imports = nullptr;
  std::function<void()> restart = {};  // any thread; ends the hub soon, so that it starts again
  MqttSettings* mqtt = nullptr;
  Automations* automations = nullptr;
  AutomationFiles* automation_files = nullptr;
  IntegrationFiles* integration_files = nullptr;
  Connections* connections = nullptr;
  const energy::CostSensors* costs = nullptr;
  phones::Phones* phones = nullptr;
  phones::People* people = nullptr;
  base::TaskThread* configuration = nullptr;  // reads and writes the configuration's files
  base::TaskThread* templates = nullptr;      // renders those that take long
  Blueprints* blueprints = nullptr;
  const DerivedKinds* derived_kinds = nullptr;
  Simulations* simulations = nullptr;
  Suggestions* suggestions = nullptr;
  Sites* sites = nullptr;
  Doctor* doctor = nullptr;
  const EntityMetrics* entity_metrics = nullptr;  // null: no values of entities among the metrics
  const hearth::templates::CustomTemplates* custom_templates = nullptr;
  HttpsRedirect https_redirect = {};
  std::filesystem::path local_files = {};  // the folder that /local/ shows; empty, or missing: nothing
  // The Api adds its own.
  core::EventBus* bus = nullptr;
  const Names* names = nullptr;
  const FrontendFolder* frontend = nullptr;  // another frontend that the hub serves; null if there is none

  // The files that templates import; null if there are none.
  std::shared_ptr<const hearth::templates::Imports> imports() const {
    return custom_templates ? custom_templates->texts() : nullptr;
  }
  // True if the answer that confirms such a change waits.
  bool waits(Durable durable) const {
    return durable == Durable::registry ? bus || saves() : durable != Durable::no && saves();
  }
  // Any thread. Calls `done` when an answer may confirm the changes so far, on a thread that must not be held up; at
  // once if nothing waits. A change of the registry is confirmed after all who listen on the bus have heard of it, such
  // as the entity of a deleted zone, which then is gone; and after it is in its file, as well as what is under way by
  // then, such as a timer that was started: a killed hub has what it confirmed. The states are so only if the home
  // wants it; then a failure to save is told, too. `weight`: about how many bytes `done` keeps alive.
  void when_saved(Durable durable, std::size_t weight, recorder::Recorder::Done done) const;

 private:
  bool saves() const { return recorder && recorder->immediate(); }
  // Bus thread.
  void when_journaled(std::function<void()> then) const;
  void when_registered(std::size_t weight, recorder::Recorder::Done done) const;
};

}  // namespace hearth::api
