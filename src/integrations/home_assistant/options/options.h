// SPDX-License-Identifier: Apache-2.0
// The settings of one hub in the section `home_assistant`: see docs/bridge.md.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "base/result.h"
#include "core/values/connection.h"
#include "core/values/secret.h"
#include "integrations/home_assistant/options/mirror_filter.h"

namespace hearth::integrations::home_assistant {

struct Options {
  enum class History { local, remote };
  enum class Registry { follow, once };
  enum class Areas { match, existing, none };
  enum class ServicesHere { mirror, none };

  std::string name = "home";  // letters, digits and `_`; no two hubs have the same
  std::string url;            // http:// or https://, without /api
  core::Secret token;
  bool verify_certificate = true;
  std::string certificate = {};  // PEM; empty: those of the system
  std::string prefix = {};       // before the object ids here
  std::string name_prefix = {};  // before the friendly names here
  MirrorFilter filter = {};
  // Domains, entities, areas and labels that may be called there.
  bool control_all = true;
  std::set<std::string> control_domains = {}, control_entities = {}, control_areas = {}, control_labels = {};
  std::set<std::string> receive = {}, send = {};  // types of events; "*" in `receive`: all that may be
  History history = History::local;
  Registry registry = Registry::follow;
  Areas areas = Areas::match;
  ServicesHere services = ServicesHere::mirror;
  int max_updates = 20;  // changes of one entity a second
  bool transitive = false;

  static constexpr std::string_view kToken = "token";  // the name of its secret

  static bool is_name(std::string_view text);
  static bool is_prefix(std::string_view text);
  static bool is_token(std::string_view text);
  // Without /api and what follows it. Fails with invalid if it is none.
  static base::Result<std::string> address(std::string_view text);

  // Of one hub of the section. Fails with invalid; a line for each error.
  static base::Result<Options> parse(const base::ConfigNode& node);
  // Of the whole section: a hub, or a list of them; two of one name are an error.
  static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
  // The hubs of the section, right or wrong.
  static std::vector<const base::ConfigNode*> hubs_of(const base::ConfigNode& section);
  // Of a connection that a page has made.
  static Options of(const core::Connection& connection, const core::Secrets& secrets = {});
};

}  // namespace hearth::integrations::home_assistant
