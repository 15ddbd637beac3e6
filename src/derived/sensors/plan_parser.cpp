// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/plan_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "configured/unique_ids.h"
#include "core/values/entity_id.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr std::size_t kMostPlans = 2'000;

std::string text_of(const ConfigNode& node, std::string_view key) {
  const ConfigNode* const found = node.find(key);
  const auto text = found ? found->text() : std::unexpected(base::Error{});
  return text ? *text : std::string();
}

class SectionReader {
 public:
  explicit SectionReader(Configuration& made) : made_(made) {}

  // A list of platforms; those of others are left to their readers, and so is what is wrong with all of it.
  void platforms(const std::string& domain, const ConfigNode& section) {
    if (section.broken()) return lost();
    for (const ConfigNode& item : automation::one_or_many(&section)) {
      if (item.broken()) {
        lost();
        continue;
      }
      const std::string name = item.is_map() ? text_of(item, "platform") : "";
      const Platform* const platform = find_platform(name);
      if (!platform) continue;
      if (!platform->domains.contains(domain)) {
        const std::string_view right = *platform->domains.begin();
        fault(item, item.find("platform")
                        ->error(right.empty() ? fmt::format("{0} is no platform of {1}: it has the key {0} of its own",
                                                            name, domain)
                                              : fmt::format("{} is a platform of {}, not of {}", name, right, domain)));
        continue;
      }
      if (platform->keyed.empty())
        add(*platform, domain, item, "");
      else
        keyed(*platform, domain, item);
    }
  }

  // Items with a key of their own: a mapping by object id, or a list.
  void keyed(const std::string& name, const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) {
      fault(section, *why);
      return lost();
    }
    const Platform& platform = *find_platform(name);
    if (section.is_map()) {
      for (const ConfigNode::Entry& entry : section.entries()) by_object_id(platform, "sensor", entry);
      return;
    }
    for (const ConfigNode& item : automation::one_or_many(&section)) add(platform, "", item, "");
  }

 private:
  // A platform that has its sensors by object id.
  void keyed(const Platform& platform, const std::string& domain, const ConfigNode& item) {
    ConfigReader in(item);
    in.find("platform");
    in.find("scan_interval");
    const ConfigNode* const all = in.find(platform.keyed);
    if (!all)
      automation::note_missing(in, item, platform.keyed);
    else if (!all->is_map())
      automation::note(in, *all, all->mismatch("sensors by object id"));
    if (const auto read = in.finish(0); !read) fault(item, read.error());
    if (!all) return;
    for (const ConfigNode::Entry& entry : all->entries()) by_object_id(platform, domain, entry);
  }

  void by_object_id(const Platform& platform, const std::string& domain, const ConfigNode::Entry& entry) {
    if (core::is_slug(entry.key))
      add(platform, domain, entry.value, entry.key);
    else
      fault(entry.value, entry.value.error("expected an object id of small letters, digits and underscores"));
  }

  void fault(const ConfigNode& node, const base::Error& error) {
    made_.faults.push_back(base::without_secrets(error.message, base::secrets_in(node)));
  }
  void lost() { made_.complete = false; }

  void add(const Platform& platform, const std::string& domain, const ConfigNode& whole, const std::string& object_id) {
    if (const base::Error* const why = whole.broken()) {
      fault(whole, *why);
      return lost();
    }
    if (made_.plans.size() == kMostPlans) {
      if (!std::exchange(too_many_, true))
        fault(whole, whole.error(fmt::format(
                         "more than {} sensors made of others; this one and later ones are left out", kMostPlans)));
      return;
    }
    const ConfigNode node = automation::rerooted(whole, whole.place());
    auto plan = std::make_shared<Plan>();
    plan->platform = platform.name;
    plan->domain = domain;
    plan->place = automation::place_of(node);
    plan->object_id = object_id;
    plan->written = base::to_json(automation::written_as(node));
    std::string errors;
    automation::collect_broken(node, errors);
    if (node.is_map() || node.is_empty()) {
      Keys in(node);
      in.find("platform");
      in.find("scan_interval");
      const std::string unique_id = automation::read_text(in, "unique_id");
      plan->name = automation::read_text(in, "name");
      platform.parse(in, *plan);
      if (const auto read = in.finish(0); !read) errors = with(errors, read.error().message);
      if (plan->written.size() > automation::kMaxItemBytes) errors = node.error("is larger than 1 MiB").message;
      name(platform, node, unique_id, *plan, errors);
    } else {
      if (errors.empty()) errors = node.mismatch("keys with values").message;
      name(platform, node, "", *plan, errors);
    }
    if (!errors.empty()) {
      plan->error = base::without_secrets(std::move(errors), base::secrets_in(node));
      plan->engine = nullptr;
      plan->unit = nullptr;
    }
    made_.plans.push_back(std::move(plan));
  }

  static std::string with(std::string errors, const std::string& more) {
    return errors.empty() ? more : automation::with_lines(std::move(errors), more);
  }

  // Gives it what it is known by.
  void name(const Platform& platform, const ConfigNode& node, const std::string& given, Plan& plan,
            std::string& errors) {
    if (plan.domain.empty()) plan.domain = "sensor";
    if (plan.name.empty() && !plan.object_id.empty()) plan.name = plan.object_id;
    if (plan.name.empty()) {
      const std::string source = plan.sources.empty() ? std::string(platform.name) : plan.sources.front();
      plan.name = platform.made_from.empty() ? source : fmt::format(fmt::runtime(platform.made_from), source);
    }
    const std::string made = !plan.object_id.empty() ? plan.object_id : core::slugify(plan.name);
    std::string twice;
    plan.unique_id = ids_.claim(plan.platform + " ", given.empty() ? made : given, plan.place,
                                given.empty() ? nullptr : node.find("unique_id"), twice);
    if (!twice.empty()) errors = with(errors, twice);
    plan.object_id = !made.empty() ? made : core::slugify(plan.unique_id);
  }

  Configuration& made_;
  configured::UniqueIds ids_;  // as Plan::id()
  bool too_many_ = false;
};

}  // namespace

Configuration parse_configuration(const automation::Sections& sections) {
  Configuration made;
  SectionReader reader(made);
  for (const auto& [domain, section] : sections.platforms) reader.platforms(domain, section);
  for (const auto& [name, section] : sections.derived) reader.keyed(name, section);
  return made;
}

}  // namespace hearth::derived
