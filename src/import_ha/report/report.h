// SPDX-License-Identifier: Apache-2.0
// The fate of everything that the old home had: found = carried + reserved + left + lost for each kind of thing.
//
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace hearth::import_ha {

enum class Fate {
  carried,   // works as before
  reserved,  // kept, and in force when something provides it
  left,      // not carried, for the reason
  lost,      // should have come and did not
};

// Suites and pages group by these.
enum class Why {
  no_provider,
  no_integration,
  unknown_section,
  unknown_version,
  no_second_factor,
  local_only,
  expired,
  other_database,
  not_yet,
  broken,
  duplicate,
  out_of_range,
  secret,
};

// One thing. Texts are English; empty ones are not written.
struct Thing {
  std::string what;  // the kind, in the singular: "entity", "user", "section"
  std::string id;
  std::string name = {};  // what people call it
  Fate fate = Fate::carried;
  std::optional<Why> why = {};
  std::uint64_t count = 1;     // of those that it stands for
  std::string role = {};       // of a user, as the hub's own words have it: "administrator"
  std::string text = {};       // details for a person
  std::string platform = {};   // of an entity or device: its integration there
  std::string file = {};       // where it stands, relative to the source
  int line = 0;                // in that file; 0: none
  std::string instead = {};    // what a person can do or use instead
  std::string attention = {};  // a word for the cause, if a person should do something: "local_only"
  std::string todo = {};       // what they should do; with `attention`
};

class Report {
 public:
  struct Counts {
    std::uint64_t carried = 0, reserved = 0, left = 0, lost = 0;
    std::uint64_t found() const { return carried + reserved + left + lost; }
    bool operator==(const Counts&) const = default;
  };
  struct Automation {
    std::string id, entity_id;
    std::string was;  // its state there: "on", "off", "unavailable"
    struct Error {
      int line = 0;
      std::string text;
    };
    std::vector<Error> errors = {};
  };
  // Of the old home; set by who opens it.
  struct Source {
    std::string kind;  // "folder" or "backup"
    std::string version;
    bool running = false;
    std::string running_sign = {};  // how that was seen
    std::optional<int> schema = {};
    std::string fingerprint = {};
  };

  // Counts it under the plural of its kind, and keeps it.
  void add(Thing thing);
  // Counts things that are not told one by one, such as "states". `plural` is the key of `counts`.
  void count(std::string_view plural, Fate fate, std::uint64_t number = 1);
  // Something worth knowing that is no thing's fate.
  void note(std::string text);
  // An attention for the home as a whole.
  void attend(std::string attention, std::string text, std::string todo);
  void add(Automation automation);
  // A step is done; the time is that of the whole step.
  void finish_step(std::string step, double seconds);

  Source source;
  bool dry_run = false;

  const std::map<std::string, Counts, std::less<>>& counts() const { return counts_; }
  const std::vector<Thing>& things() const { return things_; }
  const std::vector<std::string>& notes() const { return notes_; }
  std::uint64_t lost() const;
  // Null if there is none. Valid until the next `add`.
  const Thing* find(std::string_view what, std::string_view id) const;

  // As the specification of the import shows it, "format": 1.
  json::object to_json() const;
  // For a terminal: a screen of summary, attention first, then what was left, grouped by integration, equal reasons
  // folded with a count.
  std::string to_text() const;

 private:
  struct Step {
    std::string name;
    double seconds;
  };

  struct Attention {
    std::string attention, text, todo;
  };

  std::map<std::string, Counts, std::less<>> counts_;
  std::vector<Thing> things_;
  std::vector<std::string> notes_;
  std::vector<Automation> automations_;
  std::vector<Step> steps_;
  std::vector<Attention> attentions_;
};

std::string_view to_text(Fate fate);
std::string_view to_text(Why why);
// The key of `counts` for a kind of thing: "entity" → "entities".
std::string plural_of(std::string_view what);

}  // namespace hearth::import_ha
