// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/merged_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/values/words.h"
#include "import_ha/files/line_edits.h"
#include "yaml/item_text.h"
#include "yaml/text_lines.h"
#include "yaml/yaml_document.h"
#include "yaml/yaml_text.h"

namespace hearth::import_ha {
namespace {

using yaml::YamlDocument;
using yaml::YamlSpot;
using yaml::YamlText;

constexpr int kMostDepth = 64, kMostLabels = 100;
constexpr core::Words kSectionsOfHome{"home homeassistant"},
    kHomeThings{"packages customize customize_domain customize_glob"};
// The first that an item of a list has says which one it is.
constexpr const char* kIdentities[] = {"id", "unique_id", "alias", "name"};

std::string own_tag(const YAML::Node& node) {
  return node.Tag().starts_with('!') && node.Tag().size() > 1 ? node.Tag() : std::string();
}

bool alike(const YAML::Node& one, const YAML::Node& other, int depth = 0) {
  if (depth > kMostDepth || one.Type() != other.Type() || own_tag(one) != own_tag(other)) return false;
  if (one.IsScalar()) return one.Scalar() == other.Scalar();
  if (one.size() != other.size()) return false;
  if (one.IsSequence()) {
    for (std::size_t place = 0; place < one.size(); ++place)
      if (!alike(one[place], other[place], depth + 1)) return false;
    return true;
  }
  for (const auto& pair : one) {
    if (!pair.first.IsScalar()) return false;
    const YAML::Node value = other[pair.first.Scalar()];
    if (!value.IsDefined() || !alike(pair.second, value, depth + 1)) return false;
  }
  return true;
}

// A list or map whose items stand in lines of their own.
bool has_lines(const YAML::Node& node) {
  return (node.IsSequence() || node.IsMap()) && own_tag(node).empty() && !yaml::is_flow(node);
}

bool is_empty(const YAML::Node& node) {
  return own_tag(node).empty() && (yaml::is_nothing(node) || (!node.IsScalar() && node.size() == 0));
}

std::string name_in(const YamlSpot& within, const YamlSpot& spot) {
  return within.key.empty() ? spot.key : spot.key.substr(within.key.size() + 1);
}

// "id 17"; empty if nothing says which one it is.
std::string identity_of(const YamlSpot& within, const YamlSpot& spot) {
  if (within.node.IsMap()) return "key " + name_in(within, spot);
  if (!spot.node.IsMap()) return {};
  for (const char* const key : kIdentities) {
    const YAML::Node value = spot.node[key];
    if (value.IsDefined() && value.IsScalar()) return fmt::format("{} {}", key, value.Scalar());
  }
  return {};
}

// The lines of a spot, moved to the first column.
std::string lines_of_spot(const YamlText& text, const yaml::LineRange& range) {
  std::vector<std::string> lines(text.lines.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                 text.lines.begin() + static_cast<std::ptrdiff_t>(range.end));
  std::string made = yaml::outdented(lines);
  text.end_line(made);
  return made;
}

struct Missing {
  std::string lines;
  std::vector<std::string> names;
  std::vector<MergedYaml::Collision> collisions;
};

// The items of the list or map `there` that `here` lacks. Null if they cannot be compared item by item.
std::optional<Missing> missing_items(const YamlText& here_text, const YamlSpot& here, const YamlText& text,
                                     const YamlSpot& there) {
  if (!has_lines(there.node)) return {};
  if (!is_empty(here.node) && (!has_lines(here.node) || here.node.Type() != there.node.Type())) return {};
  std::map<std::string, YAML::Node> known;
  std::vector<YAML::Node> all;
  if (!is_empty(here.node)) {
    for (const YamlSpot& spot : yaml::inside(here_text, here)) {
      if (const std::string identity = identity_of(here, spot); !identity.empty()) known.emplace(identity, spot.node);
      all.push_back(spot.node);
    }
  }
  Missing missing;
  const std::string prefix = there.key.empty() || !there.node.IsMap() ? "" : there.key + ".";
  for (const YamlSpot& spot : yaml::inside(text, there)) {
    const std::string identity = identity_of(there, spot);
    const std::string name = identity.substr(std::min(identity.find(' '), identity.size() - 1) + 1);
    const auto namesake = known.find(identity);
    if (!identity.empty() && namesake != known.end()) {
      if (!alike(namesake->second, spot.node)) missing.collisions.push_back({prefix + name, spot.range.begin + 1});
      continue;
    }
    if (identity.empty() && std::ranges::any_of(all, [&](const YAML::Node& node) { return alike(node, spot.node); }))
      continue;
    missing.lines += lines_of_spot(text, spot.range);
    missing.names.push_back(prefix + name);
  }
  return missing;
}

// True if the new text has all that the former one had, but for additions to these sections.
bool keeps_all(const YamlDocument& former, const YamlDocument& made, const std::set<std::string>& changed = {}) {
  const YAML::Node before = former.root(), after = made.root();
  if (is_empty(before)) return true;
  if (before.Type() != after.Type() || before.size() > after.size()) return false;
  if (before.IsSequence()) {
    for (std::size_t place = 0; place < before.size(); ++place)
      if (!alike(before[place], after[place])) return false;
    return true;
  }
  for (const auto& pair : before) {
    if (!pair.first.IsScalar()) return false;
    const YAML::Node value = after[pair.first.Scalar()];
    if (!value.IsDefined()) return false;
    if (!changed.contains(pair.first.Scalar()) && !alike(pair.second, value)) return false;
  }
  return true;
}

class SectionsMerge {
 public:
  SectionsMerge(const std::string& file, const std::function<bool(const std::string&)>& makes_things)
      : file_(file), makes_things_(makes_things) {}

  std::optional<MergedYaml> run(const std::string& here, const std::string& theirs) {
    auto former = yaml::parse_document(here, file_), other = yaml::parse_document(theirs, file_);
    if (!former || !other || !has_lines(other->root())) return {};
    if (!is_empty(former->root()) && (!has_lines(former->root()) || !former->root().IsMap())) return {};
    if (!other->root().IsMap()) return {};
    merged_.text = former->text;
    const YamlText text(other->text);
    for (const YamlSpot& spot : yaml::inside(text, yaml::whole_file(text, other->root())))
      if (!section(text, spot)) return {};
    const auto made = yaml::parse_document(merged_.text, file_);
    if (!made || !keeps_all(*former, *made, changed_)) return {};
    return std::move(merged_);
  }

 private:
  // False if the file cannot be merged.
  bool section(const YamlText& text, const YamlSpot& spot) {
    const auto present = yaml::parse_document(merged_.text, file_);
    if (!present) return false;
    const YamlText own(present->text);
    const YamlSpot whole = yaml::whole_file(own, present->root());
    const auto find = [&](const std::string& key) {
      std::optional<YamlSpot> found;
      if (present->root().IsMap())
        for (const YamlSpot& each : yaml::inside(own, whole))
          if (each.key == key) found.emplace(each);
      return found;
    };
    const auto namesake = find(spot.key);
    if (namesake && alike(namesake->node, spot.node)) return true;
    if (kSectionsOfHome.contains(spot.key) && has_lines(spot.node) && spot.node.IsMap())
      return home_section(text, spot);
    if (!makes_things_(spot.key)) {
      merged_.collisions.push_back({spot.key, spot.range.begin + 1, true});
      return true;
    }
    const auto range = with_comments_above(text, spot.range, spot.column);
    if (!namesake) return add(own, whole, lines_of_spot(text, range), spot.key);
    if (auto missing = missing_items(own, *namesake, text, spot)) {
      std::ranges::move(missing->collisions, std::back_inserter(merged_.collisions));
      if (missing->lines.empty()) return true;
      changed_.insert(spot.key);
      std::ranges::move(missing->names, std::back_inserter(merged_.added));
      const auto made = yaml::with_item(own, *namesake, missing->lines);
      if (made) merged_.text = made->text;
      return made.has_value();
    }
    return add_labelled(own, whole, text, spot, find);
  }

  // Of the section of the home packages and customizations come along.
  bool home_section(const YamlText& text, const YamlSpot& theirs) {
    for (const YamlSpot& spot : yaml::inside(text, theirs)) {
      const bool is_thing = kHomeThings.contains(name_in(theirs, spot));
      if (is_thing && home_key(text, theirs, spot)) continue;
      merged_.collisions.push_back({spot.key, spot.range.begin + 1, !is_thing});
    }
    return true;
  }

  // False if it cannot be joined with what is here.
  bool home_key(const YamlText& text, const YamlSpot& theirs, const YamlSpot& spot) {
    const auto present = yaml::parse_document(merged_.text, file_);
    if (!present) return false;
    const YamlText own(present->text);
    const YamlSpot whole = yaml::whole_file(own, present->root());
    std::string lines = lines_of_spot(text, spot.range);
    if (present->root().IsMap()) {
      for (const YamlSpot& home : yaml::inside(own, whole)) {
        if (!kSectionsOfHome.contains(home.key)) continue;
        if (!has_lines(home.node) && !is_empty(home.node)) return false;
        for (const YamlSpot& each : is_empty(home.node) ? std::vector<YamlSpot>() : yaml::inside(own, home)) {
          if (name_in(home, each) != name_in(theirs, spot)) continue;
          if (alike(each.node, spot.node)) return true;
          auto missing = missing_items(own, each, text, spot);
          if (!missing) return false;
          std::ranges::move(missing->collisions, std::back_inserter(merged_.collisions));
          return missing->lines.empty() || put(own, each, missing->lines, home.key, missing->names);
        }
        return put(own, home, lines, home.key, {spot.key});
      }
    }
    lines = fmt::format("{}:\n{}", theirs.key, text.indented(lines, 2));
    return put(own, whole, lines, theirs.key, {spot.key});
  }

  bool put(const YamlText& own, const YamlSpot& within, const std::string& lines, const std::string& section,
           const std::vector<std::string>& names) {
    const auto made = yaml::with_item(own, within, lines);
    if (!made || !yaml::parse_document(made->text, file_)) return false;
    merged_.text = made->text;
    changed_.insert(section);
    merged_.added.insert(merged_.added.end(), names.begin(), names.end());
    return true;
  }

  bool add(const YamlText& own, const YamlSpot& whole, const std::string& lines, const std::string& name) {
    const auto made = yaml::with_item(own, whole, lines);
    if (!made) return false;
    merged_.text = made->text;
    merged_.added.push_back(name);
    return true;
  }

  template <class Find>
  bool add_labelled(const YamlText& own, const YamlSpot& whole, const YamlText& text, const YamlSpot& spot,
                    const Find& find) {
    const std::string domain = spot.key.substr(0, spot.key.find(' '));
    for (int number = 1; number <= kMostLabels; ++number) {
      const std::string label =
          number == 1 ? fmt::format("{} imported", domain) : fmt::format("{} imported {}", domain, number);
      const auto former = find(label);
      if (former && alike(former->node, spot.node)) return true;
      if (former) continue;
      std::string lines = lines_of_spot(text, spot.range);
      if (!lines.starts_with(spot.key)) return false;  // in quotes
      lines.replace(0, spot.key.size(), label);
      return add(own, whole, lines, label);
    }
    return false;
  }

  const std::string& file_;
  const std::function<bool(const std::string&)>& makes_things_;
  MergedYaml merged_;
  std::set<std::string> changed_;  // sections
};

}  // namespace

std::optional<MergedYaml> merge_items(const std::string& here, const std::string& theirs, const std::string& file) {
  const auto former = yaml::parse_document(here, file), other = yaml::parse_document(theirs, file);
  if (!former || !other) return {};
  // A dashboard is one thing.
  for (const YamlDocument* const document : {&*former, &*other}) {
    const YAML::Node root = document->root();
    if (root.IsMap() && root["views"].IsDefined()) return {};
  }
  const YamlText own(former->text), text(other->text);
  const YamlSpot whole = yaml::whole_file(own, former->root());
  auto missing = missing_items(own, whole, text, yaml::whole_file(text, other->root()));
  if (!missing) return {};
  MergedYaml merged{former->text, std::move(missing->names), std::move(missing->collisions)};
  if (missing->lines.empty()) return merged;
  auto made = yaml::with_item(own, whole, missing->lines);
  if (!made) return {};
  merged.text = std::move(made->text);
  const auto again = yaml::parse_document(merged.text, file);
  const std::size_t former_size = is_empty(former->root()) ? 0 : former->root().size();
  if (!again || !keeps_all(*former, *again) || again->root().size() != former_size + merged.added.size()) return {};
  return merged;
}

std::optional<MergedYaml> merge_sections(const std::string& here, const std::string& theirs, const std::string& file,
                                         const std::function<bool(const std::string&)>& makes_things) {
  return SectionsMerge(file, makes_things).run(here, theirs);
}

}  // namespace hearth::import_ha
