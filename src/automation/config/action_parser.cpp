// SPDX-License-Identifier: Apache-2.0
#include "automation/config/action_parser.h"

#include <fmt/format.h>

#include <array>

#include "automation/config/delegated_form.h"
#include "automation/config/device_forms.h"
#include "automation/config/json_node.h"
#include "automation/config/limited_templates.h"
#include "automation/config/parsing.h"

namespace hearth::automation {
namespace step_forms {
namespace {

// Reads the steps of one item: counts them, and gives each block its path.
class Reader {
 public:
  Block block(ConfigReader& in, const ConfigNode* node, std::string path);
  base::Result<Step> step(const ConfigNode& node, const std::string& path);

 private:
  using Fill = void (Reader::*)(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  struct Form {
    std::string_view key, old_key;
    Fill fill;
  };
  static std::span<const Form> forms();

  void call(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void scene(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void delay(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void wait_template(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void wait_for_trigger(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void event(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void choose(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void if_then(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void repeat(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void parallel(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void sequence(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void stop(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void variables(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void say(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);
  void device(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step);

  std::size_t steps_ = 0;
};

std::span<const Reader::Form> Reader::forms() {
  static constexpr Form kForms[] = {{"action", "service", &Reader::call},
                                    {"service_template", {}, &Reader::call},
                                    {"scene", {}, &Reader::scene},
                                    {"delay", {}, &Reader::delay},
                                    {"wait_template", {}, &Reader::wait_template},
                                    {"wait_for_trigger", {}, &Reader::wait_for_trigger},
                                    {"event", {}, &Reader::event},
                                    {"choose", {}, &Reader::choose},
                                    {"if", {}, &Reader::if_then},
                                    {"repeat", {}, &Reader::repeat},
                                    {"parallel", {}, &Reader::parallel},
                                    {"sequence", {}, &Reader::sequence},
                                    {"stop", {}, &Reader::stop},
                                    {"variables", {}, &Reader::variables},
                                    {"set_conversation_response", {}, &Reader::say},
                                    {"device_id", {}, &Reader::device}};
  return kForms;
}
// Of the integration of other hubs.
constexpr std::string_view kDelegatedAction = "home_assistant.device_action";
constexpr std::string_view kConditionKeys[] = {"condition", "and", "or", "not"};

// The value under a key and under its old name for templates: one of them, or `both`, in which the latter win.
const ConfigNode* merged(ConfigReader& in, std::string_view key, std::string_view for_templates,
                         std::optional<ConfigNode>& both) {
  const ConfigNode *const plain = in.find(key), *const rendered = in.find(for_templates);
  if (!plain || !rendered || plain->is_empty()) return rendered ? rendered : plain;
  if (!plain->is_map() || !rendered->is_map()) return find_either(in, key, for_templates);
  ConfigNode::Map map = plain->entries();
  for (const ConfigNode::Entry& entry : rendered->entries()) {
    std::erase_if(map, [&](const ConfigNode::Entry& each) { return each.key == entry.key; });
    map.push_back(entry);
  }
  return &both.emplace(plain->place(), std::move(map));
}

Block Reader::block(ConfigReader& in, const ConfigNode* node, std::string path) {
  Block made;
  made.path = std::move(path);
  for (const ConfigNode& item : one_or_many(node)) {
    auto read = step(item, fmt::format("{}/{}", made.path, made.steps.size()));
    if (read)
      made.steps.push_back(std::move(*read));
    else
      note(in, item, std::move(read.error()));
  }
  return made;
}

base::Result<Step> Reader::step(const ConfigNode& node, const std::string& path) {
  if (++steps_ > kMaxSteps) return std::unexpected(node.error(fmt::format("more than {} steps", kMaxSteps)));
  Step made;
  const bool is_condition =
      node.is_text() || std::ranges::any_of(kConditionKeys, [&](auto key) { return node.find(key); });
  if (is_condition) {
    // As a step it is asked when it runs whether it is enabled.
    std::optional<ConfigNode> bare;
    if (const ConfigNode* const enabled = node.find("enabled")) {
      auto data = Data::parse(*enabled);
      if (!data) return std::unexpected(std::move(data.error()));
      made.enabled = std::move(*data);
      ConfigNode::Map map = node.entries();
      std::erase_if(map, [](const ConfigNode::Entry& entry) { return entry.key == "enabled"; });
      bare.emplace(node.place(), std::move(map));
    }
    auto condition = parse_condition(bare ? *bare : node);
    if (!condition) return std::unexpected(std::move(condition.error()));
    made.alias = condition->alias;
    made.kind = ConditionStep{std::move(*condition)};
    return made;
  }
  const auto form = std::ranges::find_if(forms(), [&](const Form& each) {
    return node.find(each.key) || (!each.old_key.empty() && node.find(each.old_key));
  });
  if (form == forms().end()) {
    std::vector<std::string_view> known;
    for (const Form& each : forms()) known.push_back(each.key);
    if (!node.is_map() || node.entries().empty())
      return std::unexpected(node.mismatch("a step, such as action: light.turn_on"));
    const ConfigNode::Entry& first = node.entries().front();
    return std::unexpected(first.value.error(unknown_name("step", first.key, known)));
  }
  ConfigReader in(node);
  made.alias = read_text(in, "alias");
  made.enabled = read_data(in, "enabled");
  in.boolean("continue_on_error", made.continue_on_error);
  (this->*form->fill)(in, node, path, made);
  return in.finish(std::move(made));
}

void Reader::call(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  CallStep made;
  const ConfigNode* service = find_either(in, "action", "service");
  const ConfigNode* const old = in.find("service_template");
  if (service && old) note(in, *old, "is an old name of action; keep one of the two");
  if (!service) service = old;
  made.service = value_or_note(in, *service, Data::parse(*service));
  if (made.service.is_constant() && !made.service.constant().is_null() && !is_service_name(made.service.constant()))
    note(in, *service, service->mismatch("a service such as light.turn_on"));
  if (auto target = read_data(in, "target")) made.target = std::move(*target);
  if (const ConfigNode* const target = in.find("target")) check_target(in, *target);
  std::optional<ConfigNode> both;
  const ConfigNode* const data = merged(in, "data", "data_template", both);
  if (data) made.data = value_or_note(in, *data, Data::parse(*data));
  if (data && made.data.is_constant() && !made.data.constant().is_object() && !made.data.constant().is_null())
    note(in, *data, data->mismatch("keys with values, or a template of such"));
  if (auto entity_id = read_data(in, "entity_id")) made.entity_id = std::move(*entity_id);
  if (const ConfigNode* const entities = in.find("entity_id")) check_target_entities(in, *entities);
  made.response_variable = read_name(in, "response_variable");
  in.find("metadata");
  step.kind = std::move(made);
}

void Reader::scene(ConfigReader& in, const ConfigNode& node, const std::string&, Step& step) {
  CallStep made;
  made.service = Data::constant("scene.turn_on");
  const auto ids = read_entity_ids(in, node, "scene");
  check_domains(in, "scene", ids, {"scene"});
  made.entity_id = Data::constant(json::array(ids.begin(), ids.end()));
  in.find("metadata");
  step.kind = std::move(made);
}

void Reader::delay(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  auto duration = read_duration(in, "delay");
  if (duration) step.kind = DelayStep{std::move(*duration)};
}

void Reader::wait_template(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  WaitStep made;
  made.condition = read_data(in, "wait_template");
  made.timeout = read_duration(in, "timeout");
  in.boolean("continue_on_timeout", made.continue_on_timeout);
  step.kind = std::move(made);
}

void Reader::wait_for_trigger(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  WaitStep made;
  const ConfigNode* const triggers = in.find("wait_for_trigger");
  if (has_limited_templates(*triggers)) {
    made.written = std::make_shared<const ConfigNode>(*triggers);
    const ConfigNode assumed = with_limited_assumed(*triggers);
    made.triggers = value_or_note(in, *triggers, parse_triggers(&assumed));
  } else {
    made.triggers = value_or_note(in, *triggers, parse_triggers(triggers));
  }
  made.timeout = read_duration(in, "timeout");
  in.boolean("continue_on_timeout", made.continue_on_timeout);
  in.option("since", made.since_previous, {{"previous_step", true}});
  step.kind = std::move(made);
}

void Reader::event(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  EventStep made;
  made.type = read_data(in, "event").value_or(Data());
  if (made.type.is_constant() && !made.type.constant().is_string())
    note(in, *in.find("event"), in.find("event")->mismatch("the type of an event"));
  std::optional<ConfigNode> both;
  if (const ConfigNode* const data = merged(in, "event_data", "event_data_template", both)) {
    made.data = value_or_note(in, *data, Data::parse(*data));
    if (made.data.is_constant() && !made.data.constant().is_object() && !made.data.constant().is_null())
      note(in, *data, data->mismatch("keys with values, or a template of such"));
  }
  step.kind = std::move(made);
}

void Reader::choose(ConfigReader& in, const ConfigNode&, const std::string& path, Step& step) {
  ChooseStep made;
  for (const ConfigNode& node : one_or_many(in.find("choose"))) {
    ConfigReader each(node);
    ChooseStep::Choice choice;
    read_text(each, "alias");
    const ConfigNode* const conditions = find_either(each, "conditions", "condition");
    if (!conditions) note_missing(each, node, "conditions");
    choice.conditions = read_conditions(each, conditions);
    const ConfigNode* const inner = each.find("sequence");
    if (!inner) note_missing(each, node, "sequence");
    choice.block = block(each, inner, fmt::format("{}/choose/{}/sequence", path, made.choices.size()));
    auto read = each.finish(std::move(choice));
    if (read)
      made.choices.push_back(std::move(*read));
    else
      note(in, node, std::move(read.error()));
  }
  if (const ConfigNode* const otherwise = in.find("default")) made.otherwise = block(in, otherwise, path + "/default");
  step.kind = std::move(made);
}

void Reader::if_then(ConfigReader& in, const ConfigNode& node, const std::string& path, Step& step) {
  ChooseStep made;
  ChooseStep::Choice choice;
  choice.conditions = read_conditions(in, in.find("if"));
  if (!in.find("then")) note_missing(in, node, "then");
  choice.block = block(in, in.find("then"), path + "/then");
  made.choices.push_back(std::move(choice));
  if (const ConfigNode* const otherwise = in.find("else")) made.otherwise = block(in, otherwise, path + "/else");
  step.kind = std::move(made);
}

void Reader::repeat(ConfigReader& in, const ConfigNode&, const std::string& path, Step& step) {
  RepeatStep made;
  const ConfigNode& node = *in.find("repeat");
  ConfigReader each(node);
  made.count = read_data(each, "count");
  made.items = read_data(each, "for_each");
  if (const ConfigNode* const items = each.find("for_each");
      items && (items->is_map() || (made.items && made.items->is_constant() && !made.items->constant().is_array())))
    note(each, *items, items->mismatch("a list, or a template of one"));
  made.while_ = read_conditions(each, each.find("while"));
  if (const ConfigNode* const until = each.find("until")) made.until = read_conditions(each, until);
  const int ways =
      made.count.has_value() + made.items.has_value() + (each.find("while") != nullptr) + made.until.has_value();
  if (ways != 1 && node.is_map()) note(each, node, "expected one of count, for_each, while, until");
  if (!each.find("sequence")) note_missing(each, node, "sequence");
  made.block = block(each, each.find("sequence"), path + "/repeat/sequence");
  auto read = each.finish(std::move(made));
  if (read)
    step.kind = std::move(*read);
  else
    note(in, node, std::move(read.error()));
}

void Reader::parallel(ConfigReader& in, const ConfigNode&, const std::string& path, Step& step) {
  ParallelStep made;
  for (const ConfigNode& node : one_or_many(in.find("parallel"))) {
    const std::string branch = fmt::format("{}/parallel/{}/sequence", path, made.branches.size());
    // Each step is a branch, and so is a sequence.
    const bool is_sequence = node.entries().size() == 1 && node.find("sequence");
    made.branches.push_back(block(in, is_sequence ? node.find("sequence") : &node, branch));
  }
  step.kind = std::move(made);
}

void Reader::sequence(ConfigReader& in, const ConfigNode&, const std::string& path, Step& step) {
  step.kind = SequenceStep{block(in, in.find("sequence"), path + "/sequence")};
  in.find("metadata");
}

void Reader::stop(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  StopStep made;
  made.reason = read_data(in, "stop").value_or(Data());
  in.boolean("error", made.error);
  made.response_variable = read_name(in, "response_variable");
  step.kind = std::move(made);
}

void Reader::variables(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  step.kind = VariablesStep{read_variables(in, "variables")};
}

void Reader::say(ConfigReader& in, const ConfigNode&, const std::string&, Step& step) {
  const ConfigNode& said = *in.find("set_conversation_response");
  if (!said.is_text() && !said.is_empty()) note(in, said, said.mismatch("a text, or nothing"));
  step.kind = SayStep{read_data(in, "set_conversation_response").value_or(Data())};
}

// As the pages of Home Assistant name the one of a telephone: by its device's name.
base::Result<Data> notify_service(const ConfigNode& node, const std::string& device) {
  const std::string name = fmt::format("(device_attr('{0}', 'name') or '{0}') | slugify", device);
  return Data::parse(node_of_json(json::value("notify.mobile_app_{{ " + name + " }}"), node.place()));
}

void Reader::device(ConfigReader& in, const ConfigNode& node, const std::string&, Step& step) {
  if (auto form = delegated_form(in, node, "")) {
    CallStep asked;
    asked.service = Data::constant(json::string(kDelegatedAction));
    asked.data = Data::constant(json::object{{"action", std::move(form->written)}});
    step.kind = std::move(asked);
    return;
  }
  in.find("metadata");
  const std::string domain = read_text(in, "domain"), type = read_text(in, "type"), entity = read_text(in, "entity_id"),
                    device = read_text(in, "device_id");
  const auto action = device_action(domain, type);
  const bool of_device = action && action->service.empty();
  for (const auto& [key, text] : {std::pair("domain", &domain), std::pair("type", &type),
                                  of_device ? std::pair("device_id", &device) : std::pair("entity_id", &entity)}) {
    if (text->empty()) note_missing(in, node, key);
  }
  if (!action) {
    if (!domain.empty() && !type.empty()) note(in, node, fmt::format("a device's {} has no action {}", domain, type));
    return;
  }
  CallStep made;
  if (of_device) {
    made.service = value_or_note(in, node, notify_service(node, device));
  } else {
    made.service = Data::constant(json::string(action->service));
    made.entity_id = Data::constant(json::string(entity));
  }
  std::vector<std::pair<std::string, Data>> data;
  for (const DeviceAction::Key& key : action->keys) {
    if (auto value = read_data(in, std::string(key.name))) data.emplace_back(key.field, std::move(*value));
  }
  if (of_device && !in.find("message")) note_missing(in, node, "message");
  const bool is_given = std::ranges::any_of(data, [&](const auto& each) { return each.first == action->preset_field; });
  if (!action->preset_field.empty() && !is_given)
    data.emplace_back(action->preset_field, Data::constant(action->preset));
  made.data = Data::map(std::move(data));
  step.kind = std::move(made);
}

}  // namespace
}  // namespace step_forms

bool is_service_name(const json::value& value) {
  const auto* const text = value.if_string();
  if (!text) return false;
  const std::string_view name = *text;
  const auto dot = name.find('.');
  return dot != 0 && dot != std::string_view::npos && dot + 1 < name.size() && !name.substr(dot + 1).contains('.');
}

Block read_block(ConfigReader& in, const ConfigNode* node, std::string path) {
  step_forms::Reader reader;
  return reader.block(in, node, std::move(path));
}

}  // namespace hearth::automation
