// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/configuration_walk.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/values/words.h"
#include "import_ha/report/instead.h"
#include "yaml/unresolved_yaml.h"
#include "yaml/yaml_document.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using Kind = KnownConfiguration::Kind;

constexpr int kMaxIncludes = 16;  // files within files, as this hub reads them
// Sections that this hub reads under the same name, but means something else by, and those that have no meaning here.
constexpr core::Words kOtherMeaning{"demo"}, kMeaningless{"api bluetooth cloud frontend mobile_app"};
constexpr core::Words kHomeSections{"home homeassistant"};

bool is_include(std::string_view tag) {
  return tag.starts_with("!include");
}

bool is_plain_map(const YAML::Node& node) {
  return node.IsMap() && !is_include(node.Tag());
}

std::string name_of(const yaml::YamlSpot& spot, std::string_view within) {
  return within.empty() ? spot.key : spot.key.substr(within.size() + 1);
}

}  // namespace

base::Result<void> ConfigurationWalk::run(const fs::path& path) {
  return file(path, {.kind = Meaning::Kind::sections});
}

base::Result<void> ConfigurationWalk::copy_whole(const fs::path& path) {
  return file(path, {});
}

base::Result<void> ConfigurationWalk::file(const fs::path& path, const Meaning& meaning) {
  if (!plan_.go_on()) return base::fail(base::ErrorCode::unavailable, "cancelled");
  const bool is_left = meaning.kind == Meaning::Kind::left;
  if (!(is_left ? left_files_ : seen_).insert(path).second) return {};
  auto text = files_.read(path);
  if (!text) return std::unexpected(text.error());
  const std::string name = path.generic_string();
  if (!*text) {
    report_.note(fmt::format("{} is included, but is not there", name));
    return {};
  }
  if (is_left) {
    if (auto written = files_.write(kLeftBehindFolder / path, **text); !written) return written;
  } else if (auto copied = files_.copy_secrets_of(path); !copied) {
    return copied;
  }
  const auto document = yaml::parse_document(**text, name);
  if (!document || depth_ >= kMaxIncludes) {
    const std::string why =
        document ? fmt::format("files include each other more than {} deep", kMaxIncludes) : document.error().message;
    report_.add({.what = "file",
                 .id = name,
                 .fate = Fate::left,
                 .why = Why::broken,
                 .text = why,
                 .file = name,
                 .attention = "broken",
                 .todo = "It is copied as it stands. Mend it, then look with `hearth check`."});
    return is_left ? base::Result<void>() : files_.write(path, **text);
  }
  const yaml::YamlText lines(document->text);
  LineEdits edits(lines);
  File in{path, lines, edits};
  ++depth_;
  auto walked = value(in, yaml::whole_file(lines, document->root()), meaning);
  --depth_;
  if (!walked || is_left) return walked;
  std::string made = edits.is_changed() ? edits.made() : document->text;
  if (edits.is_changed()) {
    // As with an anchor that stands in a section which goes.
    if (const auto again = yaml::load_marked(made, name); !again) {
      report_.note(fmt::format("{} is copied as it stands, with what Hearth does not read: {}", name,
                               "parts of it are used by others, as with an anchor (&name)"));
      made = document->text;
    }
  }
  return files_.write(path, made);
}

base::Result<void> ConfigurationWalk::value(File& in, const Spot& spot, const Meaning& meaning) {
  const YAML::Node& node = spot.node;
  if (node.Tag().starts_with('!') && node.Tag().size() > 1) return tagged(in.path, node, meaning);
  const bool can_edit = !spot.in_brackets && !yaml::is_flow(node);
  switch (meaning.kind) {
    case Meaning::Kind::sections:
      if (!node.IsMap()) break;
      for (const Spot& each : yaml::inside(in.text, spot)) {
        if (auto done = section(in, each, meaning.in_package); !done) return done;
      }
      return {};
    case Meaning::Kind::packages:
      if (!node.IsMap()) break;
      for (const Spot& each : yaml::inside(in.text, spot)) {
        // Its keys count from the package on.
        Spot package = each;
        package.key.clear();
        if (auto done = value(in, package, {.kind = Meaning::Kind::sections, .in_package = true}); !done) return done;
      }
      return {};
    case Meaning::Kind::keys:
      if (!node.IsMap() || !can_edit) break;
      for (const Spot& each : yaml::inside(in.text, spot)) {
        const std::string path = fmt::format("{}.{}", meaning.name, name_of(each, spot.key));
        if (auto done = key(in, each, path, meaning.in_package); !done) return done;
      }
      return {};
    case Meaning::Kind::platforms:
      return platforms(in, spot, meaning.name);
    case Meaning::Kind::lovelace:
      return lovelace(in, spot);
    case Meaning::Kind::whole:
    case Meaning::Kind::left:
      break;
  }
  return whole(in.path, node, meaning.kind == Meaning::Kind::left ? meaning : Meaning{});
}

base::Result<void> ConfigurationWalk::whole(const fs::path& from, const YAML::Node& node, const Meaning& meaning) {
  if (node.Tag().starts_with('!') && node.Tag().size() > 1) return tagged(from, node, meaning);
  for (const auto& each : node) {
    auto done = whole(from, node.IsMap() ? each.second : each, meaning);
    if (!done) return done;
  }
  return {};
}

base::Result<void> ConfigurationWalk::tagged(const fs::path& from, const YAML::Node& node, const Meaning& meaning) {
  const std::string tag = node.Tag();
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  if (tag == "!env_var") {
    const std::string name = text.substr(0, text.find(' '));
    if (!text.contains(' ') && !std::getenv(name.c_str()) && environment_.insert(name).second)
      report_.attend("env_var", fmt::format("{} takes a value from the environment: {}", from.generic_string(), name),
                     fmt::format("Set {} in the environment of Hearth, too.", name));
    return {};
  }
  if (!is_include(tag)) return {};
  const auto named = files_.named(from, text);
  if (!named) {
    report_.add({.what = "file",
                 .id = text,
                 .fate = Fate::left,
                 .why = Why::out_of_range,
                 .text = "is included, and lies out of the folder",
                 .file = from.generic_string(),
                 .line = node.Mark().line + 1,
                 .attention = "out_of_range",
                 .todo = "Copy it into Hearth's folder, and name it there."});
    return {};
  }
  if (tag == "!include") return file(*named, meaning);
  // Each file has what one entry has, or several of them.
  Meaning of_file = meaning;
  if (meaning.kind == Meaning::Kind::packages && !tag.contains("_merge"))
    of_file = {.kind = Meaning::Kind::sections, .in_package = true};
  // Without one the tag would be an error here; there it is none.
  if (meaning.kind != Meaning::Kind::left) {
    if (auto made = files_.make_folder(*named); !made) return made;
  }
  for (const fs::path& each : files_.yaml_below(*named)) {
    if (auto done = file(each, of_file); !done) return done;
  }
  return {};
}

base::Result<void> ConfigurationWalk::section(File& in, const Spot& spot, bool in_package) {
  const std::string& name = spot.key;
  const std::string base_name = name.substr(0, name.find(' '));
  if (spot.in_brackets || name.empty() || name == "<<") return whole(in.path, spot.node, {});
  if (kHomeSections.contains(name)) {
    report_.count("sections", Fate::carried);
    return value(in, spot, {Meaning::Kind::keys, "home", in_package});
  }
  const KnownConfiguration::Word word = plan_.known.section(name, in_package);
  if (kMeaningless.contains(name)) {
    if (name == "frontend") frontend(in, spot);
    report_.count("sections", word.kind == Kind::not_here ? Fate::left : Fate::carried);
    drop(in, spot);
    return {};
  }
  if (kOtherMeaning.contains(name)) return left_section(in, spot, {Kind::not_here, ""});
  if (name == "http") has_http_ = true;
  switch (word.kind) {
    case Kind::translated:
      if (name != "logger" || !logger(in, spot)) break;
      report_.count("sections", Fate::carried);
      return {};
    case Kind::built_in:
      return built_in_section(in, spot, name);
    case Kind::not_here:
    case Kind::unknown:
      return left_section(in, spot, word);
    case Kind::read:
      break;
  }
  report_.count("sections", Fate::carried);
  if (plan_.known.has_platforms(base_name)) return value(in, spot, {Meaning::Kind::platforms, base_name, in_package});
  return value(in, spot, {Meaning::Kind::keys, name, in_package});
}

base::Result<void> ConfigurationWalk::left_section(File& in, const Spot& spot, const KnownConfiguration::Word& word) {
  const Instead instead = instead_of_section(spot.key);
  const std::string way =
      instead.way == kBridge && !word.meaning.empty() ? word.meaning : std::string(sentence_of(instead.way));
  const auto range = with_comments_above(in.text, spot.range, spot.column);
  const int line = static_cast<int>(spot.range.begin) + 1;
  left_behind_.add(fmt::format("{}, {} line {}", spot.key, in.path.generic_string(), line),
                   fmt::format("Hearth does not have it. Instead: {}.", way), in.edits.original(range));
  result_.left.push_back(spot.key);
  add_left({.what = "section", .id = spot.key, .why = instead.why, .instead = way}, in, spot);
  drop(in, spot);
  return value(in, spot, {.kind = Meaning::Kind::left});
}

base::Result<void> ConfigurationWalk::built_in_section(File& in, const Spot& spot, const std::string& name) {
  if (name == "lovelace") return value(in, spot, {Meaning::Kind::lovelace});
  if (name == "history" || name == "logbook") filters_left(in, spot, name);
  report_.count("sections", Fate::carried);
  drop(in, spot);
  return {};
}

base::Result<void> ConfigurationWalk::platforms(File& in, const Spot& spot, const std::string& domain) {
  if (spot.node.IsMap()) return platform(in, spot, domain);
  if (!spot.node.IsSequence()) return {};
  for (const Spot& each : yaml::inside(in.text, spot)) {
    auto done =
        is_plain_map(each.node) ? platform(in, each, domain) : value(in, each, {Meaning::Kind::platforms, domain});
    if (!done) return done;
  }
  return {};
}

base::Result<void> ConfigurationWalk::platform(File& in, const Spot& spot, const std::string& domain) {
  const YAML::Node& node = spot.node;
  const YAML::Node given = node["platform"];
  if (!given.IsDefined() || !given.IsScalar()) return whole(in.path, node, {});
  const std::string name = given.Scalar();
  if (plan_.known.knows_platform(domain, name)) {
    report_.count("platforms", Fate::carried);
    return whole(in.path, node, {});
  }
  const YAML::Node called = node["name"];
  const Instead of_platform = instead_of_section(name), of_domain = instead_of_section(domain);
  const bool by_mqtt = name == "mqtt";
  const std::string_view way = by_mqtt                      ? "such entities are described in the section mqtt"
                               : of_platform.way == kBridge ? sentence_of(of_domain.way)
                                                            : of_platform.way;
  add_left({.what = "platform",
            .id = fmt::format("{}.{}", domain, name),
            .name = called.IsDefined() && called.IsScalar() && called.Tag().size() <= 1 ? called.Scalar() : "",
            .why = Why::no_integration,
            .platform = name,
            .instead = std::string(way)},
           in, spot);
  result_.left.push_back(fmt::format("{}.{}", domain, name));
  yaml::LineRange range = spot.range;
  std::size_t column = spot.column;
  const bool behind_dash = in.text.lines[range.begin].substr(column).starts_with('-');
  if (!behind_dash && !yaml::is_flow(node)) {
    // Behind `sensor:`, or alone in a file.
    const Spot first = yaml::inside(in.text, spot).front();
    range.begin = first.range.begin;
    column = first.column;
  }
  if (spot.in_brackets) return {};
  const std::string reason = fmt::format("Hearth has no platform {} of {}. Instead: {}.", name, domain, way);
  left_behind_.add(fmt::format("{}: platform {}, {} line {}", domain, name, in.path.generic_string(), range.begin + 1),
                   fmt::format("Hearth does not have it. Instead: {}.", way), in.edits.original(range));
  in.edits.comment_out(range, column, reason);
  return whole(in.path, node, {.kind = Meaning::Kind::left});
}

base::Result<void> ConfigurationWalk::key(File& in, const Spot& spot, const std::string& path, bool in_package) {
  if (path == "home.packages" && !in_package) return value(in, spot, {.kind = Meaning::Kind::packages});
  if (path == "home.auth_providers") auth_providers(in, spot);
  if (path.starts_with("http.") && http_key(in, spot, path.substr(5))) return {};
  if (path.starts_with("recorder.") && recorder_key(in, spot, path.substr(9))) return {};
  const KnownConfiguration::Word word = plan_.known.key(path);
  // It stays beside trusted_proxies, which says the same.
  const bool stays = path == "http.use_x_forwarded_for";
  if (!stays && (word.kind == Kind::built_in || word.kind == Kind::not_here)) {
    leave_key(in, spot, path, word.meaning);
    return {};
  }
  const bool nested = path == "recorder.include" || path == "recorder.exclude";
  return value(in, spot, nested ? Meaning{Meaning::Kind::keys, path} : Meaning{});
}

void ConfigurationWalk::leave_key(File& in, const Spot& spot, const std::string& path, const std::string& why) {
  add_left({.what = "setting", .id = path, .why = Why::unknown_section, .instead = why}, in, spot);
  in.edits.comment_out(spot.range, spot.column, fmt::format("Hearth does not read it: {}.", why));
}

void ConfigurationWalk::drop(File& in, const Spot& spot) {
  in.edits.remove(with_comments_above(in.text, spot.range, spot.column));
}

void ConfigurationWalk::add_left(Thing thing, const File& in, const Spot& spot) {
  thing.fate = Fate::left;
  thing.file = in.path.generic_string();
  thing.line = static_cast<int>(spot.range.begin) + 1;
  report_.add(std::move(thing));
}

}  // namespace hearth::import_ha
