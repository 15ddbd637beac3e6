// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/rest_commands/rest_plan_parser.h"

#include <fmt/format.h>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "base/config/config_reader.h"
#include "base/config/config_secrets.h"
#include "building_blocks/named_items.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

base::Result<void> parse(const ConfigNode& node, RestPlan& plan, std::vector<std::string>& warnings) {
  if (!node.is_map()) return std::unexpected(node.mismatch("keys with values, url among them"));
  plan.written = base::to_json(automation::written_as(node));
  if (plan.written.size() > RestPlan::kMaxBytes)
    return std::unexpected(node.error(fmt::format("is larger than {} KiB", RestPlan::kMaxBytes >> 10)));
  ConfigReader in(node);
  RequestPlan& request = plan.request;
  in.option("method", request.method,
            {{"get", "GET"}, {"patch", "PATCH"}, {"post", "POST"}, {"put", "PUT"}, {"delete", "DELETE"}});
  read_url(in, "url", request.url);
  read_request(in, request);
  request.payload = read_text_template(in, "payload");
  if (auto type = read_text_template(in, "content_type")) request.set_header("Content-Type", std::move(*type));
  request.add_content_type();
  in.boolean("allow_template_host", plan.allow_template_host);
  for (const std::string_view key : {"insecure_cipher", "skip_url_encoding"}) note_unused(in, key, warnings);
  const auto read = in.finish(0);
  return read ? base::Result<void>() : std::unexpected(read.error());
}

}  // namespace

RestConfiguration parse_rest_commands(const automation::Sections& sections) {
  RestConfiguration made;
  for (const NamedItem& item : read_named(sections, kRestCommand, made)) {
    auto plan = std::make_shared<RestPlan>();
    std::vector<std::string> warnings;
    std::string error = item.error;
    if (error.empty()) {
      if (const auto read = parse(item.node, *plan, warnings); !read) error = read.error().message;
    }
    if (!error.empty()) *plan = RestPlan{};
    plan->name = item.name;
    plan->place = automation::place_of(item.node);
    plan->secrets = base::secrets_in(item.node);
    plan->error = base::without_secrets(std::move(error), plan->secrets);
    for (std::string& warning : warnings)
      made.warnings.push_back(base::without_secrets(std::move(warning), plan->secrets));
    made.plans.push_back(std::move(plan));
  }
  return made;
}

}  // namespace hearth::building_blocks
