// SPDX-License-Identifier: Apache-2.0
// hearth/sites, hearth/sites/remove.
#include <set>

#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/sites.h"

namespace hearth::api {
namespace {

// Sites of which the caller may read something.
std::set<std::string, std::less<>> readable_sites(const core::View& home) {
  std::set<std::string, std::less<>> names;
  home.registry().for_each_entity([&](const core::RegisteredEntity& entity) {
    const std::string_view site = core::site_of(entity);
    if (!site.empty() && !names.contains(site)) names.emplace(site);
  });
  return names;
}

CommandResult list_sites(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const Sites* const sites = call.parts.sites;
  json::array listed;
  if (sites && sites->is_portal()) {
    const auto readable = readable_sites(call.home);
    for (json::value& each : sites->sites()) {
      const bool all = call.home.rights().reads_all();
      if (all || readable.contains(std::string_view(each.at("site").get_string()))) listed.push_back(std::move(each));
    }
  }
  return base::to_json(json::object{{"portal", sites && sites->is_portal()}, {"sites", std::move(listed)}});
}

void remove_site(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  std::string site;
  in.required("site", site);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.sites) return reply.send(base::fail(base::ErrorCode::not_found, "This hub is no portal."));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.parts.sites->remove(site, [shared](const base::Result<void>& removed) {
    shared->send(removed ? CommandResult("null") : std::unexpected(removed.error()));
  });
}

}  // namespace

constexpr Command kSiteCommandRows[] = {
    {"hearth/sites", Access::user, list_sites, Durable::no},
    {"hearth/sites/remove", Access::admin, remove_site, Durable::registry},
};
constexpr Commands kSiteCommands = kSiteCommandRows;

}  // namespace hearth::api
