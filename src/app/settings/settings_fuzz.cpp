// SPDX-License-Identifier: Apache-2.0
// Loads a configuration: this ends within its bounds; error messages name the file in each line; an accepted one is
// UTF-8, reads back the same as flow YAML, and its settings are within their limits.
#include "app/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/connections/integrations.h"
#include "base/json/json.h"
#include "base/testing/fuzz_check.h"
#include "base/text/utf8.h"
#include "yaml/yaml_loader.h"

namespace {

using namespace hearth;

constexpr std::string_view kFile = "configuration.yaml";

struct Seen {
  std::size_t values = 0;
  std::size_t bytes = 0;
  std::size_t longest_key = 0;
  std::string flow;  // the whole tree as flow YAML
};

void look_at(const base::ConfigNode& node, std::size_t lines, std::size_t depth, Seen& seen) {
  base::must(++seen.values <= 100'000 && depth <= 64, "what is loaded is bounded");
  base::must(node.place().line >= 1 && node.place().line <= lines, "its line is one of the file");
  base::must(base::utf8_length(node.place().key).has_value(), "a key is UTF-8");
  seen.bytes += node.place().key.size();
  if (node.is_map()) {
    seen.flow += '{';
    for (const auto& [key, value] : node.entries()) {
      base::must(node.find(key) == &value, "a key is found, and comes once");
      seen.longest_key = std::max(seen.longest_key, key.size());
      base::write_json_string(seen.flow, key);
      seen.flow += ": ";
      look_at(value, lines, depth + 1, seen);
      seen.flow += ", ";
    }
    seen.flow += '}';
  } else if (node.is_list()) {
    seen.flow += '[';
    for (const base::ConfigNode& item : node.items()) {
      look_at(item, lines, depth + 1, seen);
      seen.flow += ", ";
    }
    seen.flow += ']';
  } else if (const auto text = node.text()) {
    base::must(base::utf8_length(*text).has_value(), "a text is UTF-8");
    seen.bytes += text->size();
    base::write_json_string(seen.flow, *text);
  } else {
    seen.flow += '~';
  }
}

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
}

void check_message(const std::string& message) {
  base::must(base::utf8_length(message).has_value(), "a message is UTF-8");
  base::must(message.starts_with(kFile), "a message names the file");
}

void check_tree(std::string_view text) {
  const auto loaded = yaml::load_yaml(text, std::string(kFile));
  if (!loaded) return check_message(loaded.error().message);
  for (const auto& problem : loaded->problems) check_message(problem.error.message);
  Seen seen;
  if (loaded->root.is_empty()) return;
  look_at(loaded->root, count_lines(text), 0, seen);
  base::must(seen.bytes <= 16 << 20, "its text is bounded");
  if (seen.longest_key > 500) return;  // YAML limits the distance between a key and its colon
  const auto again = yaml::load_yaml(seen.flow, std::string(kFile));
  base::must(again.has_value() && again->problems.empty(), "what was taken is taken again as flow YAML");
  Seen other;
  look_at(again->root, count_lines(seen.flow), 0, other);
  base::must_equal(other.flow, seen.flow, "and is the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& known = *new std::vector<app::KnownIntegration>(app::known_integrations(app::all_integrations()));
  const auto text = base::fuzz_text(data, size);
  check_tree(text);
  const auto settings = app::parse_settings(text, known);
  for (const app::Finding& each : settings.findings) check_message(each.message);
  const auto& home = settings.home;
  base::must(home.latitude >= -90 && home.latitude <= 90 && home.longitude >= -180 && home.longitude <= 180,
             "the home is on Earth");
  base::must(settings.http.server_port != 0, "there is a port");
  base::must(settings.integrations.size() <= known.size(), "integrations are known, and come once");
  base::must(settings.recorder.commit_interval >= base::Duration(0), "time does not run backwards");
  return 0;
}
