// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "import_ha/report/instead.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {
namespace {

constexpr std::size_t kMostNames = 6;  // of things that share a reason

std::string name_of(const Thing& thing) {
  return thing.name.empty() || thing.name == thing.id ? thing.id : fmt::format("{} ({})", thing.name, thing.id);
}

std::string_view words_of(Why why) {
  switch (why) {
    case Why::no_provider:
      return "nothing brings it here yet";
    case Why::no_integration:
      return "Hearth has no such integration";
    case Why::unknown_section:
      return "Hearth does not read it";
    case Why::unknown_version:
      return "its version is unknown";
    case Why::no_second_factor:
      return "its second factor cannot come";
    case Why::local_only:
      return "it is for the local network only";
    case Why::expired:
      return "it has expired";
    case Why::other_database:
      return "it is kept in another database";
    case Why::not_yet:
      return "Hearth cannot take it yet";
    case Why::broken:
      return "it is broken";
    case Why::duplicate:
      return "it is there already";
    case Why::out_of_range:
      return "it is beyond what Hearth takes";
    case Why::secret:
      return "it is a secret, and not carried";
  }
  return {};
}

// The reason that the things of a fold have in common.
std::string reason_of(const Thing& thing) {
  std::string text = thing.text.empty() && thing.why ? std::string(words_of(*thing.why)) : thing.text;
  if (!thing.instead.empty()) text += fmt::format("{}{}", text.empty() ? "" : "; ", sentence_of(thing.instead));
  return text;
}

std::string names_of(const std::vector<const Thing*>& things) {
  std::string text;
  for (std::size_t place = 0; place < things.size() && place < kMostNames; ++place)
    text += (place == 0 ? "" : ", ") + name_of(*things[place]);
  if (things.size() > kMostNames) text += fmt::format(" and {} more", things.size() - kMostNames);
  return text;
}

std::string counted(std::uint64_t number, const std::string& what) {
  return number == 1 ? fmt::format("1 {}", what) : fmt::format("{} {}", number, plural_of(what));
}

// One line for each group of things that have the same reason.
void write_folded(std::string& out, const std::vector<Thing>& things, Fate fate) {
  using Fold = std::tuple<std::string, std::string, std::string>;  // integration, kind, sentence
  std::map<Fold, std::vector<const Thing*>> folds;
  for (const Thing& thing : things) {
    if (thing.fate == fate && thing.attention.empty())
      folds[{thing.platform, thing.what, reason_of(thing)}].push_back(&thing);
  }
  for (const auto& [fold, members] : folds) {
    const auto& [platform, what, sentence] = fold;
    std::uint64_t number = 0;
    for (const Thing* const thing : members) number += thing->count;
    out += fmt::format("  {}{}", platform.empty() ? "" : platform + ": ", counted(number, what));
    if (!sentence.empty()) out += " - " + sentence;
    out += fmt::format("\n      {}\n", names_of(members));
  }
}

}  // namespace

std::string Report::to_text() const {
  std::string out = fmt::format("Home Assistant {} ({}{}){}\n\n", source.version, source.kind,
                                source.running ? ", running" : "", dry_run ? ": a dry run, nothing was written" : "");
  out += fmt::format("  {:<24}{:>12}{:>12}{:>12}{:>10}{:>8}\n", "", "found", "carried", "reserved", "left", "lost");
  for (const auto& [plural, each] : counts_) {
    out += fmt::format("  {:<24}{:>12}{:>12}{:>12}{:>10}{:>8}\n", plural, each.found(), each.carried, each.reserved,
                       each.left, each.lost);
  }
  std::string users;
  for (const Thing& thing : things_) {
    if (thing.role.empty()) continue;
    users += fmt::format("{}{} {}", users.empty() ? "" : ", ", thing.name.empty() ? thing.id : thing.name, thing.role);
  }
  if (!users.empty()) out += fmt::format("\nUsers\n  {}\n", users);
  const bool attention =
      !attentions_.empty() || std::ranges::any_of(things_, [](const Thing& thing) { return !thing.attention.empty(); });
  if (attention) out += "\nNeeds attention\n";
  for (const Attention& each : attentions_) out += fmt::format("  {} {}\n", each.text, each.todo);
  for (const Thing& thing : things_) {
    if (thing.attention.empty()) continue;
    const std::string sentence = reason_of(thing);
    out += fmt::format("  {} {}: {}{}{}\n", thing.what, name_of(thing), sentence,
                       sentence.empty() || thing.todo.empty() ? "" : ". ", thing.todo);
  }
  for (const auto& [fate, title] : {std::pair(Fate::lost, "Lost"), std::pair(Fate::left, "Left behind"),
                                    std::pair(Fate::reserved, "Waits until something provides it")}) {
    std::string lines;
    write_folded(lines, things_, fate);
    if (!lines.empty()) out += fmt::format("\n{}\n{}", title, lines);
  }
  bool broken = false;
  for (const Automation& each : automations_) {
    for (const auto& error : each.errors) {
      if (!std::exchange(broken, true)) out += "\nAutomations that do not work yet\n";
      out +=
          fmt::format("  {}, line {}: {}\n", each.entity_id.empty() ? each.id : each.entity_id, error.line, error.text);
    }
  }
  if (!notes_.empty()) out += "\nNotes\n";
  for (const std::string& note : notes_) out += fmt::format("  {}\n", note);
  return out;
}

}  // namespace hearth::import_ha
