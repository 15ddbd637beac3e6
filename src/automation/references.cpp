// SPDX-License-Identifier: Apache-2.0
#include "automation/references.h"

#include <fmt/format.h>

#include "base/text/text.h"
#include "core/values/entity_id.h"

namespace hearth::automation {
namespace {

class Collector {
 public:
  explicit Collector(References& found) : found_(found) {}

  std::vector<DelegatedForm> delegated;  // conditions

  void add(const Trigger& trigger) {
    if (const auto* const state = std::get_if<StateTrigger>(&trigger.kind)) add(state->entity_ids);
    if (const auto* const numeric = std::get_if<NumericTrigger>(&trigger.kind)) {
      add(numeric->entity_ids);
      add(numeric->above);
      add(numeric->below);
    }
    if (const auto* const time = std::get_if<TimeTrigger>(&trigger.kind)) {
      for (const auto& at : time->at) {
        if (const auto* const entity = std::get_if<TimeTrigger::EntityTime>(&at)) add_entity(entity->entity_id);
      }
    }
    if (const auto* const zone = std::get_if<ZoneTrigger>(&trigger.kind)) {
      add(zone->entity_ids);
      add_entity(zone->zone);
    }
    if (const auto* const calendar = std::get_if<CalendarTrigger>(&trigger.kind)) add_entity(calendar->entity_id);
    if (const auto* const device = std::get_if<DeviceTrigger>(&trigger.kind)) add_entity(device->entity);
    if (const auto* const purpose = std::get_if<PurposeTrigger>(&trigger.kind)) add(purpose->use);
    if (const auto* const asked = std::get_if<DelegatedTrigger>(&trigger.kind))
      found_.devices.insert(asked->form.device_id);
  }

  void add(const Condition& condition) {
    if (const auto* const logic = std::get_if<LogicCondition>(&condition.kind)) {
      for (const Condition& each : logic->conditions) add(each);
    }
    if (const auto* const state = std::get_if<StateCondition>(&condition.kind)) add(state->entity_ids);
    if (const auto* const numeric = std::get_if<NumericCondition>(&condition.kind)) {
      add(numeric->entity_ids);
      add(numeric->above);
      add(numeric->below);
    }
    if (const auto* const zone = std::get_if<ZoneCondition>(&condition.kind)) {
      add(zone->entity_ids);
      add(zone->zones);
    }
    if (const auto* const purpose = std::get_if<PurposeCondition>(&condition.kind)) add(purpose->use);
    if (const auto* const asked = std::get_if<DelegatedCondition>(&condition.kind)) {
      found_.devices.insert(asked->form.device_id);
      delegated.push_back(asked->form);
    }
    if (const auto* const time = std::get_if<TimeCondition>(&condition.kind)) {
      for (const auto* const side : {&time->after, &time->before}) {
        if (const auto* const entity = std::get_if<std::string>(side)) add_entity(*entity);
      }
    }
  }

  void add(const Block& block) {
    for (const Step& step : block.steps) add(step);
  }

 private:
  void add(const Step& step) {
    if (const auto* const call = std::get_if<CallStep>(&step.kind)) add(*call);
    if (const auto* const wait = std::get_if<WaitStep>(&step.kind)) add_all(wait->triggers);
    if (const auto* const choose = std::get_if<ChooseStep>(&step.kind)) {
      for (const ChooseStep::Choice& choice : choose->choices) {
        add_all(choice.conditions);
        add(choice.block);
      }
      if (choose->otherwise) add(*choose->otherwise);
    }
    if (const auto* const repeat = std::get_if<RepeatStep>(&step.kind)) {
      add_all(repeat->while_);
      if (repeat->until) add_all(*repeat->until);
      add(repeat->block);
    }
    if (const auto* const parallel = std::get_if<ParallelStep>(&step.kind)) {
      for (const Block& branch : parallel->branches) add(branch);
    }
    if (const auto* const sequence = std::get_if<SequenceStep>(&step.kind)) add(sequence->block);
    if (const auto* const condition = std::get_if<ConditionStep>(&step.kind)) add(condition->condition);
  }

  void add(const PurposeUse& use) {
    for (const core::ServiceTarget* const target : {&use.target, &use.exclude}) {
      add(target->entity_ids);
      found_.devices.insert(target->device_ids.begin(), target->device_ids.end());
      found_.areas.insert(target->area_ids.begin(), target->area_ids.end());
      found_.floors.insert(target->floor_ids.begin(), target->floor_ids.end());
      found_.labels.insert(target->label_ids.begin(), target->label_ids.end());
    }
    add_entity(use.purpose->target);
    add_entity(use.zone);
    add(use.threshold.low.limit);
    add(use.threshold.high.limit);
  }

  void add(const CallStep& call) {
    if (call.service.is_constant() && call.service.constant().is_string())
      found_.services.insert(core::lower_case(std::string_view(call.service.constant().get_string())));
    add_names(call.entity_id, found_.entities);
    for (const Data* const named : {&call.target, &call.data}) {
      add_names(named->member("entity_id"), found_.entities);
      add_names(named->member("device_id"), found_.devices);
      add_names(named->member("area_id"), found_.areas);
      add_names(named->member("floor_id"), found_.floors);
      add_names(named->member("label_id"), found_.labels);
    }
  }

  // A text, perhaps with commas, or a list of them; a template is skipped.
  static void add_names(const Data& data, std::set<std::string>& names) {
    if (data.is_constant()) add_names(data.constant(), names);
  }
  static void add_names(const json::value& value, std::set<std::string>& names) {
    if (const auto* const list = value.if_array()) {
      for (const json::value& each : *list) add_names(each, names);
    } else if (value.is_string()) {
      for (std::string_view rest = value.get_string(); !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view name = base::trim_blanks(rest.substr(0, comma));
        if (!name.empty() && name != "all" && name != "none") names.emplace(name);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    }
  }

  template <class Part>
  void add_all(const std::vector<Part>& parts) {
    for (const Part& part : parts) add(part);
  }
  void add(const std::vector<std::string>& entity_ids) { found_.entities.insert(entity_ids.begin(), entity_ids.end()); }
  void add_entity(const std::string& id) {
    if (!id.empty()) found_.entities.insert(id);
  }
  void add(const Limit& limit) {
    if (const auto* const entity = std::get_if<std::string>(&limit)) add_entity(*entity);
  }

  References& found_;
};

}  // namespace

std::vector<std::string> missing_of(const References& named, const Home& home) {
  const auto registry = home.hub.registry.snapshot();
  std::vector<std::string> missing;
  for (const std::string& entity : named.entities) {
    const std::string entity_id = home.now().entity_id_of(entity);
    if (!home.hub.states.find(entity_id) && !registry->entities.contains(entity_id)) missing.push_back(entity);
  }
  const auto add = [&](std::string_view kind, const std::set<std::string>& ids, const auto& known) {
    for (const std::string& id : ids)
      if (!known.contains(id)) missing.push_back(fmt::format("{} {}", kind, id));
  };
  add("device", named.devices, registry->devices);
  add("area", named.areas, registry->areas);
  add("floor", named.floors, registry->floors);
  for (const std::string& label : named.labels)
    if (!registry->find_item("label", label)) missing.push_back("label " + label);
  for (const std::string& service : named.services) {
    const auto dot = service.find('.');
    if (!home.hub.services.find(service.substr(0, dot), service.substr(dot + 1)))
      missing.push_back("service " + service);
  }
  return missing;
}

namespace {

std::vector<DelegatedForm> collect(const Item& item, References& found) {
  Collector collector(found);
  for (const Trigger& trigger : item.triggers) collector.add(trigger);
  for (const Condition& condition : item.conditions) collector.add(condition);
  collector.add(item.actions);
  found.blueprint = item.blueprint;
  return std::move(collector.delegated);
}

}  // namespace

References references_of(const Item& item) {
  References found;
  collect(item, found);
  return found;
}

std::vector<DelegatedForm> delegated_conditions_of(const Item& item) {
  References found;
  return collect(item, found);
}

}  // namespace hearth::automation
