// SPDX-License-Identifier: Apache-2.0
#include "yaml/yaml_loader.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/text/utf8.h"

namespace hearth::yaml {
namespace {

using base::ConfigNode;
using base::ErrorCode;

// Otherwise aliases of aliases, and long keys above many values, could fill the memory.
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 100'000;
constexpr std::size_t kMaxText = 16 << 20;  // bytes, of all values and the keys above them

constexpr std::string_view kTooMany = "more than 100,000 values, aliases followed";
constexpr std::string_view kTooDeep = "nested deeper than 64 levels";
constexpr std::string_view kTooLong = "more than 16 MiB of text, aliases followed";
constexpr std::string_view kSecondDocument = "the line does not belong to those before it, or starts a second document";

// The meaning of the library's messages for people who edit the file.
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
    {"illegal tab", "a tab where YAML takes spaces only"},
    {"illegal map value",
     "a colon that does not fit: the line is indented too deep, the line before lacks its colon, or a text with a "
     "colon needs "
     "quotes"},
    {"end of map flow", "a bracket { is not closed"},
    {"end of sequence flow", "a bracket [ is not closed"},
    {"end of map", "the line does not start where the lines before it do, or text follows a closed quote or bracket"},
    {"end of sequence",
     "the line does not start where the lines before it do, or text follows a closed quote or bracket"},
    {"illegal flow end", "a bracket is closed that was not opened"},
    {"illegal block entry", "a list item that does not fit: items stand on lines of their own"},
    {"illegal document indicator", "a quote is opened and never closed"},
    {"illegal EOF", "a quote is opened and never closed"},
    {"unknown token", "a text that starts with such a character needs quotes"},
    {"the referenced anchor", "an alias (*name) without its anchor (&name) before it"},
    {"bad file", kTooDeep},
};

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

std::string explain(const std::string& message, std::string_view line) {
  const auto indentation = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
  if (indentation.contains('\t')) return std::string(kMeanings[0].second);
  for (const auto& [start, meaning] : kMeanings) {
    if (message.starts_with(start)) return std::string(meaning);
  }
  return base::utf8_repaired(message);
}

// The first line that is not UTF-8; 0 if there is none.
std::size_t first_bad_line(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    const auto control = [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r') || c == 0x7F;
    };
    if (!base::utf8_length(line) || std::ranges::any_of(line, control)) return number;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return 0;
}

// A string or a key. The library writes the escapes \N and \_ as Latin-1 bytes, which are not UTF-8: they are
// recognised where a code point would begin.
std::string text_of(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (base::utf8_length(text)) return text;
  std::string utf8;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (bytes == 0) utf8 += '\xC2';
    const std::size_t taken = std::max<std::size_t>(bytes, 1);
    utf8.append(text, i, taken);
    i += taken;
  }
  return base::utf8_repaired(utf8);
}

// Checks the text before a tree is built: refuses a second document (the library takes an illegal comma for an empty
// document and never moves past it), and more than a tree may hold.
class Examiner : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) {
      start_ = mark.pos;
    } else if (mark.pos == start_) {
      refuse(mark, "unknown token");
    } else {
      refuse(mark, kSecondDocument);
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override {
    count(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    descend(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    descend(mark);
  }
  void OnMapEnd() override { --depth_; }

  bool found_a_document() const { return documents_ > 0; }

 private:
  [[noreturn]] static void refuse(const YAML::Mark& mark, std::string_view reason) {
    throw YAML::ParserException(mark, std::string(reason));
  }
  void count(const YAML::Mark& mark) {
    if (++values_ > 2 * kMaxValues) refuse(mark, kTooMany);  // each may have a key
  }
  void descend(const YAML::Mark& mark) {
    count(mark);
    if (++depth_ > kMaxDepth) refuse(mark, kTooDeep);
  }

  int documents_ = 0;
  int start_ = 0;
  std::size_t values_ = 0;
  std::size_t depth_ = 0;
};

// The only document in the text; null if there is none.
std::optional<YAML::Node> parse_only_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  Examiner examiner;
  while (parser.HandleNextDocument(examiner)) continue;
  if (!examiner.found_a_document()) return {};
  return YAML::Load(text);
}

class Converter {
 public:
  // `lines`: of the text.
  Converter(const std::string& file, std::size_t lines, const YamlReading& reading)
      : file_(std::make_shared<const std::string>(file)), lines_(lines), reading_(reading) {}

  // The library gives an empty value the position of the next token, which may be after the end.
  std::size_t line_number(const YAML::Node& node) const {
    return std::min(static_cast<std::size_t>(node.Mark().line + 1), lines_);
  }

  // Converts the node at `key`. Null if it has an error, or if there is too much.
  std::optional<ConfigNode> convert(const YAML::Node& node, std::string key, std::size_t line, std::size_t depth = 0) {
    if (++values_ > kMaxValues) return refuse(line, kTooMany), std::nullopt;
    if (depth > kMaxDepth) return refuse(line, kTooDeep), std::nullopt;
    if (!take(key.size() + (node.IsScalar() ? node.Scalar().size() : 0) + node.Tag().size(), line)) return {};
    ConfigNode::Place place{file_, line, std::move(key), static_cast<std::size_t>(node.Mark().column + 1)};
    const std::string& tag = node.Tag();
    if (!tag.empty() && tag != "?" && tag != "!" && !tag.starts_with("tag:yaml.org,2002:"))
      return convert_tagged(node, std::move(place));
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return ConfigNode(std::move(place), text_of(node), {.plain = tag == "?"});
      case YAML::NodeType::Sequence:
        return convert_list(node, std::move(place), depth);
      case YAML::NodeType::Map:
        return convert_map(node, std::move(place), depth);
      default:
        return ConfigNode(std::move(place));
    }
  }
  base::Result<LoadedYaml> finish(std::optional<ConfigNode> root) {
    if (too_much_) return std::unexpected(std::move(*too_much_));
    return LoadedYaml{root ? std::move(*root) : ConfigNode({file_, 0, ""}), std::move(problems_), std::move(warnings_),
                      values_};
  }

 private:
  static bool is_merge(const YAML::Node& key) { return key.IsScalar() && key.Tag() == "?" && key.Scalar() == "<<"; }

  std::string whole_key(const std::string& key) const {
    if (reading_.key.empty() || key.empty()) return reading_.key + key;
    return reading_.key + (key.starts_with('[') ? "" : ".") + key;
  }
  bool tolerates(const std::string& key) const { return reading_.tolerates && reading_.tolerates(whole_key(key)); }
  // The value that has the error: a broken one if it is tolerated.
  std::optional<ConfigNode> fault(ConfigNode::Place place, base::Error error) {
    if (tolerates(place.key)) return ConfigNode(std::move(place), std::move(error));
    report(std::move(error), place.line);
    return {};
  }

  std::optional<ConfigNode> convert_tagged(const YAML::Node& node, ConfigNode::Place place) {
    auto outer = place;
    outer.key = whole_key(place.key);
    auto resolved = reading_.resolve ? reading_.resolve(node.Tag(), node.IsScalar() ? text_of(node) : "", outer)
                                     : std::optional<base::Result<ConfigNode>>();
    const ConfigNode at(place);
    if (!resolved)
      return fault(std::move(place), at.error(fmt::format("unknown tag {}, write the value itself", node.Tag())));
    if (!*resolved) {
      const base::Error& why = resolved->error();
      // An error of another file names that file.
      return fault(std::move(place), why.code == ErrorCode::unsupported ? at.error(why.message) : why);
    }
    ConfigNode& value = **resolved;
    // A text stands where the tag does.
    if (value.is_text()) return ConfigNode(std::move(place), value.text().value(), value.writing());
    return std::move(value);
  }

  ConfigNode convert_list(const YAML::Node& node, ConfigNode::Place place, std::size_t depth) {
    ConfigNode::List list;
    std::size_t position = 0;
    for (const auto& item : node) {
      auto converted = convert(item, fmt::format("{}[{}]", place.key, position++), line_number(item), depth + 1);
      if (converted) list.push_back(std::move(*converted));
      if (too_much_) break;
    }
    return {std::move(place), std::move(list)};
  }

  ConfigNode convert_map(const YAML::Node& node, ConfigNode::Place place, std::size_t depth) {
    ConfigNode::Map map;
    std::set<std::string> seen;
    for (const auto& pair : node) {
      const YAML::Node &key = pair.first, &value = pair.second;
      if (is_merge(key)) continue;
      const std::size_t line = line_number(key);
      if (!take(place.key.size() + (key.IsScalar() ? key.Scalar().size() : 0), line)) break;
      if (!key.IsScalar()) {
        const ConfigNode at({file_, line, place.key});
        // `x: {{ y }}` is a map whose key is a map.
        const std::string_view why = key.IsMap() ? "expected a text as the key; a template needs quotes around it"
                                                 : "expected a text as the key";
        if (auto broken = fault(at.place(), at.error(why))) map.push_back({"?", std::move(*broken)});
        continue;
      }
      const std::string name = text_of(key);
      std::string path = place.key.empty() ? name : place.key + "." + name;
      if (!seen.insert(name).second) {
        const ConfigNode at({file_, line, path});
        if (!tolerates(path)) {
          report(at.error("the key is there twice"), line);
          continue;
        }
        const auto former = std::ranges::find(map, name, &ConfigNode::Entry::key);
        if (former != map.end()) {
          warnings_.push_back(at.error(fmt::format("the key is there twice; this one counts, not the one in line {}",
                                                   former->value.place().line))
                                  .message);
          map.erase(former);
        }
      }
      auto converted = convert(value, std::move(path), line, depth + 1);
      if (converted) map.push_back({name, std::move(*converted)});
      if (too_much_) break;
    }
    // After the map's own keys, which win; of several maps the first one wins.
    for (const auto& pair : node) {
      if (too_much_) break;
      const YAML::Node &key = pair.first, &value = pair.second;
      if (!is_merge(key)) continue;
      if (value.IsSequence()) {
        for (const auto& item : value) merge(item, place, line_number(key), depth, seen, map);
      } else {
        merge(value, place, line_number(key), depth, seen, map);
      }
    }
    return {std::move(place), std::move(map)};
  }

  void merge(const YAML::Node& from, const ConfigNode::Place& place, std::size_t line, std::size_t depth,
             std::set<std::string>& seen, ConfigNode::Map& map) {
    const auto converted = convert(from, place.key, line, depth + 1);
    if (converted && !converted->is_map()) {
      if (auto broken = fault({file_, line, place.key}, converted->error("expected a map to merge (<<)")))
        map.push_back({"<<", std::move(*broken)});
    }
    if (!converted) return;
    for (const auto& entry : converted->entries()) {
      if (seen.insert(entry.key).second) map.push_back(entry);
    }
  }

  // Counts text that is about to be copied; false beyond the limit.
  bool take(std::size_t bytes, std::size_t line) {
    text_ += bytes;
    if (text_ > kMaxText) refuse(line, kTooLong);
    return !too_much_;
  }
  void refuse(std::size_t line, std::string_view reason) {
    if (!too_much_) too_much_ = {ErrorCode::invalid, fmt::format("{}:{}: {}", *file_, line, reason)};
  }
  void report(base::Error error, std::size_t line) { problems_.push_back({line, std::move(error)}); }

  std::shared_ptr<const std::string> file_;
  const std::size_t lines_;
  const YamlReading& reading_;
  std::vector<LoadedYaml::Problem> problems_;
  std::vector<std::string> warnings_;
  std::size_t values_ = 0;
  std::size_t text_ = 0;
  std::optional<base::Error> too_much_;
};

std::size_t count_lines(std::string_view text) {
  return std::max<std::size_t>(static_cast<std::size_t>(std::ranges::count(text, '\n')) + !text.ends_with('\n'), 1);
}

}  // namespace

base::Result<std::optional<YAML::Node>> parse_yaml_text(std::string_view text, const std::string& file) {
  if (const auto line = first_bad_line(text); line > 0) {
    return base::fail(ErrorCode::invalid, fmt::format("{}:{}: not a UTF-8 text", file, line));
  }
  try {
    // The library accepts an unterminated quote, but not the end of a document inside one.
    return parse_only_document(std::string(text) + "\n...\n");
  } catch (const YAML::Exception& e) {
    const std::size_t lines = count_lines(text);
    const std::size_t line = std::clamp<std::size_t>(static_cast<std::size_t>(e.mark.line + 1), 1, lines);
    const std::string_view wrong = line_of(text, line);
    // At the end of the text the library is beyond its last line.
    const std::size_t column = static_cast<std::size_t>(e.mark.line) < lines
                                   ? static_cast<std::size_t>(std::max(0, e.mark.column)) + 1
                                   : wrong.size() + 1;
    return base::fail(ErrorCode::invalid,
                      fmt::format("{}:{}:{}: not valid YAML: {}", file, line, column, explain(e.msg, wrong)));
  }
}

base::Result<LoadedYaml> convert_yaml(const std::optional<YAML::Node>& document, std::string_view text,
                                      const std::string& file, const YamlReading& reading) {
  Converter converter(file, count_lines(text), reading);
  if (!document) return converter.finish({});
  return converter.finish(converter.convert(*document, "", converter.line_number(*document)));
}

base::Result<LoadedYaml> load_yaml(std::string_view text, const std::string& file, const YamlReading& reading) {
  const auto document = parse_yaml_text(text, file);
  if (!document) return std::unexpected(document.error());
  return convert_yaml(*document, text, file, reading);
}

}  // namespace hearth::yaml
