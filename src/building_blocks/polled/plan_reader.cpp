// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/plan_reader.h"

#include <fmt/format.h>

#include <utility>

#include "automation/config/item_node.h"
#include "base/config/config_secrets.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

using automation::note;
using base::ConfigNode;
using base::ConfigReader;

constexpr base::Duration kShortestInterval = std::chrono::seconds(1);

std::string joined(std::string errors, const std::string& more) {
  return errors.empty() ? more : automation::with_lines(std::move(errors), more);
}

std::string platform_of(const ConfigNode& item) {
  const ConfigNode* const found = item.is_map() ? item.find("platform") : nullptr;
  const auto text = found ? found->text() : std::unexpected(base::Error{});
  return text ? *text : std::string();
}

}  // namespace

void PlanReader::fault(const ConfigNode& node, const base::Error& error) {
  made_.faults.push_back(base::without_secrets(error.message, base::secrets_in(node)));
}

void PlanReader::warn(const ConfigNode& node, std::string warning) {
  made_.warnings.push_back(base::without_secrets(std::move(warning), base::secrets_in(node)));
}

void PlanReader::items_of(const automation::Sections& sections, std::string_view key, const EachItem& each) {
  for (const auto& [name, section] : sections.commands) {
    if (name != key || section.is_empty()) continue;
    if (const base::Error* const why = section.broken()) {
      made_.lose(base::without_secrets(why->message, base::secrets_in(section)));
      continue;
    }
    for (const ConfigNode& item : automation::one_or_many(&section)) {
      if (const base::Error* const why = item.broken())
        made_.lose(base::without_secrets(why->message, base::secrets_in(item)));
      else if (!automation::is_empty_file(item))
        each(item);
    }
  }
}

void PlanReader::platforms_of(const automation::Sections& sections, std::string_view platform, core::Words domains,
                              const std::function<void(const std::string& domain, const ConfigNode& item)>& each) {
  for (const auto& [domain, section] : sections.platforms) {
    if (domain == "notify") continue;  // has its own reader, with platforms of the same names
    // Other readers say what is wrong with a list of platforms.
    if (section.broken()) {
      made_.complete = false;
      continue;
    }
    for (const ConfigNode& item : automation::one_or_many(&section)) {
      if (item.broken()) made_.complete = false;
      if (platform_of(item) != platform) continue;
      if (domains.contains(domain))
        each(domain, item);
      else
        fault(item, item.find("platform")
                        ->error(fmt::format("{} is a platform of {}, not of {}", platform, domains.text(), domain)));
    }
  }
}

void PlanReader::add(std::string_view block, const ConfigNode& item, const Parse& parse) {
  if (made_.plans.size() == kMostPlans) {
    if (!std::exchange(too_many_, true))
      fault(item, item.error(fmt::format("more than {} items of building blocks; this one and later ones are left out",
                                         kMostPlans)));
    return;
  }
  const ConfigNode node = automation::rerooted(item, item.place());
  auto plan = std::make_shared<PolledPlan>();
  plan->block = block;
  plan->place = automation::place_of(node);
  plan->written = base::to_json(automation::written_as(node));
  plan->secrets = base::secrets_in(node);
  std::string errors;
  automation::collect_broken(node, errors);
  if (!node.is_map()) return fault(node, node.mismatch("keys with values"));
  ConfigReader in(node);
  in.find("platform");
  parse(in, *plan);
  if (plan->entities.empty()) {
    made_.complete = false;
    const auto read = in.finish(0);
    return fault(node, read ? node.error("has no entities") : read.error());
  }
  std::string twice;
  name_entities(*plan, twice);
  if (const auto read = in.finish(0); !read) errors = joined(errors, read.error().message);
  if (!twice.empty()) errors = joined(errors, twice);
  if (plan->written.size() > automation::kMaxItemBytes) errors = node.error("is larger than 1 MiB").message;
  const PolledEntityPlan& first = plan->entities.front();
  plan->id = fmt::format("{} {}.{}", block, first.domain, first.unique_id);
  plan->error = base::without_secrets(std::move(errors), plan->secrets);
  if (!plan->error.empty()) plan->source = nullptr;
  made_.plans.push_back(std::move(plan));
}

void PlanReader::name_entities(PolledPlan& plan, std::string& errors) {
  for (PolledEntityPlan& entity : plan.entities) {
    const std::string slug = core::slugify(entity.name);
    const ConfigNode given(entity.id_place.value_or(ConfigNode::Place{}), entity.unique_id);
    std::string twice;
    entity.unique_id =
        ids_.claim(fmt::format("{} {}.", plan.block, entity.domain), entity.id_place ? entity.unique_id : slug,
                   entity.place, entity.id_place ? &given : nullptr, twice);
    if (!twice.empty()) errors = joined(errors, twice);
    entity.object_id = slug.empty() ? core::slugify(entity.unique_id) : slug;
  }
}

PolledEntityPlan& read_entity(ConfigReader& in, std::string_view domain, std::string_view default_name,
                              PolledPlan& plan) {
  PolledEntityPlan& entity = plan.entities.emplace_back();
  const ConfigNode& node = in.node();
  entity.domain = domain;
  entity.place = automation::place_of(node);
  if (const ConfigNode* const name = in.find("name"); name && !name->is_empty())
    entity.name = automation::limited_text(in, *name);
  entity.unique_id = automation::read_text(in, "unique_id");
  if (!entity.unique_id.empty()) entity.id_place = in.find("unique_id")->place();
  if (entity.name.empty()) entity.name = default_name;
  entity.value_template = automation::read_data(in, "value_template");
  entity.availability = automation::read_data(in, "availability");
  entity.icon = automation::read_data(in, "icon");
  entity.picture = automation::read_data(in, "picture");
  entity.device_class = automation::read_text(in, "device_class");
  if (domain != "sensor" && domain != "binary_sensor") return entity;
  in.boolean("force_update", entity.force_update);
  in.texts("json_attributes", entity.json_attributes);
  if (const ConfigNode* const path = in.find("json_attributes_path"); path && !path->is_empty()) {
    const auto text = automation::value_or_note(in, *path, path->text());
    auto read = JsonPath::parse(text);
    if (read)
      entity.json_attributes_path = std::move(*read);
    else
      note(in, *path, read.error().message);
  }
  if (domain == "binary_sensor") return entity;
  entity.unit_of_measurement = automation::read_text(in, "unit_of_measurement");
  in.option<std::string>("state_class", entity.state_class,
                         {{"measurement", "measurement"},
                          {"measurement_angle", "measurement_angle"},
                          {"total", "total"},
                          {"total_increasing", "total_increasing"}});
  in.find("suggested_display_precision");  // for pages that show numbers
  return entity;
}

void read_entities(ConfigReader& in, std::string_view domain, std::string_view default_name, PolledPlan& plan,
                   const std::function<void(ConfigReader& each, PolledEntityPlan& entity)>& also) {
  const ConfigNode* const section = in.find(domain);
  if (!section || section->broken()) return;
  for (const ConfigNode& node : automation::one_or_many(section)) {
    if (node.broken()) continue;  // named with all that is broken
    if (!node.is_map()) {
      note(in, node, node.mismatch("keys with values"));
      continue;
    }
    ConfigReader each(node);
    PolledEntityPlan& entity = read_entity(each, domain, default_name, plan);
    if (also) also(each, entity);
    for (base::ConfigProblem& problem : each.problems()) in.report(std::move(problem));
  }
}

void read_scan_interval(ConfigReader& in, PolledPlan& plan, base::Duration otherwise) {
  plan.scan_interval = automation::limited_duration(in, "scan_interval", otherwise);
  const ConfigNode* const node = in.find("scan_interval");
  if (plan.scan_interval >= kShortestInterval || !node || node->broken()) return;
  note(in, *node, "expected at least 1 second");
  plan.scan_interval = otherwise;
}

PolledConfiguration parse_polled(std::span<const Block> blocks, const automation::Sections& sections) {
  PolledConfiguration made;
  PlanReader reader(made);
  for (const Block& block : blocks) block.read(sections, reader);
  return made;
}

}  // namespace hearth::building_blocks
