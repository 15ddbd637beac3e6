// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notify_parser.h"

#include <fmt/format.h>

#include <map>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "base/config/config_secrets.h"
#include "building_blocks/notify/notify_reader.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr std::size_t kMostNotifiers = 200;
constexpr core::Words kTakenNames{"reload send_message persistent_notification"};

std::string notify_platform_of(const ConfigNode& item) {
  const ConfigNode* const node = item.is_map() ? item.find("platform") : nullptr;
  const auto text = node ? node->text() : std::unexpected(base::Error{});
  return text ? *text : std::string();
}

base::Result<void> read_notifier(const ConfigNode& node, const std::string& platform, NotifyPlan& plan) {
  plan.written = base::to_json(automation::written_as(node));
  if (plan.written.size() > NotifyPlan::kMaxBytes)
    return std::unexpected(node.error(fmt::format("is larger than {} KiB", NotifyPlan::kMaxBytes >> 10)));
  ConfigReader in(node);
  in.find("platform");
  in.find("name");
  if (const Preset* const preset = find_preset(platform))
    plan.way = read_preset(in, *preset, plan.secrets);
  else if (platform == "rest")
    plan.way = read_rest(in, plan.secrets);
  else if (platform == "smtp")
    plan.way = read_smtp(in, plan.secrets);
  else if (platform == "file")
    plan.way = read_file(in);
  else
    plan.way = read_command_line(in);
  const auto read = in.finish(0);
  return read ? base::Result<void>() : std::unexpected(read.error());
}

class NotifySection {
 public:
  void read(const ConfigNode& section) {
    // The other platforms tell the mistakes of the whole section.
    made.complete = made.complete && !section.broken();
    if (section.broken()) return;
    for (const ConfigNode& item : automation::one_or_many(&section)) {
      made.complete = made.complete && !item.broken();
      const std::string platform = notify_platform_of(item);
      if (kNotifyPlatforms.contains(platform)) read(automation::rerooted(item, item.place()), item, platform);
    }
  }

  NotifyConfiguration made;

 private:
  void read(const ConfigNode& node, const ConfigNode& whole, const std::string& platform) {
    auto plan = std::make_shared<NotifyPlan>();
    plan->place = automation::place_of(whole);
    plan->secrets = base::secrets_in(node);
    const auto fault = [&](std::string why) {
      made.faults.push_back(base::without_secrets(std::move(why), plan->secrets));
    };
    const ConfigNode* const named = node.find("name");
    const auto title = named && !named->is_empty() ? named->text() : std::string(kNotify);
    if (!title) return fault(title.error().message);
    plan->title = *title;
    plan->name = core::slugify(*title);
    if (plan->name.empty() || kTakenNames.contains(plan->name)) {
      return fault(named
                       ->error(plan->name.empty()
                                   ? "expected a letter or a digit, which the service is named after"
                                   : fmt::format("expected another name: there is a service notify.{}", plan->name))
                       .message);
    }
    if (const auto [first, is_new] = places_.emplace(plan->name, plan->place); !is_new)
      return fault(node.error(fmt::format("notify.{} is there twice, also at {}", plan->name, first->second)).message);
    if (made.plans.size() == kMostNotifiers)
      return fault(node.error(fmt::format("more than {} notifiers; this one is left out", kMostNotifiers)).message);
    std::string error;
    automation::collect_broken(node, error);
    if (error.empty()) {
      if (const auto done = read_notifier(node, platform, *plan); !done) error = done.error().message;
    }
    if (!error.empty()) plan->way = {};
    plan->error = base::without_secrets(std::move(error), plan->secrets);
    made.plans.push_back(std::move(plan));
  }

  std::map<std::string, std::string, std::less<>> places_;  // by name
};

}  // namespace

NotifyConfiguration parse_notifiers(const automation::Sections& sections) {
  NotifySection section;
  for (const auto& [domain, node] : sections.platforms) {
    if (domain == kNotify) section.read(node);
  }
  return std::move(section.made);
}

}  // namespace hearth::building_blocks
