// SPDX-License-Identifier: Apache-2.0
#include "api/history/earlier.h"

#include <algorithm>
#include <memory>

#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "core/services/other_hub.h"

namespace hearth::api {
namespace {

std::string text_of(base::Timestamp time) {
  const auto text = base::format_timestamp(time);
  return {text.data(), text.size()};
}

// One question; on the thread of history, then on the bus's.
class Finder : public std::enable_shared_from_this<Finder> {
 public:
  Finder(const core::View& home, recorder::History& history, EarlierQuestion question,
         std::function<void(EarlierById)> done)
      : home_(home), history_(history), question_(std::move(question)), done_(std::move(done)) {}
  // However it ends, whoever waits gets what there is.
  ~Finder() {
    if (done_) done_(std::move(found_));
  }

  void ask(std::map<std::string, std::vector<std::string>> ids_of_hubs) {
    for (auto& [other, ids] : ids_of_hubs) {
      for (std::string& id : ids) entities_.push_back({std::move(id), other});
    }
    look();
  }

 private:
  struct Entity {
    std::string id, other;
  };

  // An entity in each turn.
  void look() {
    static_cast<void>(history_.post([self = shared_from_this()](recorder::HistoryReader& reader) {
      if (self->next_ == self->entities_.size()) return self->ask_hubs();
      const Entity& entity = self->entities_[self->next_++];
      const auto first = self->question_.first(reader, entity.id, self->question_.span);
      if (first && *first && **first > self->question_.span.start)
        self->found_[entity.id].until = std::min(**first, self->question_.span.end);
      self->look();
    }));
  }

  void ask_hubs() {
    std::map<std::string, std::vector<std::string>> wanted;
    for (const Entity& entity : entities_) {
      if (found_.contains(entity.id)) wanted[entity.other].push_back(entity.id);
    }
    for (auto& [other, ids] : wanted) {
      json::object command = command_for(ids);
      static_cast<void>(home_.ask_elsewhere(
          other, 0, [self = shared_from_this(), name = other, command = std::move(command)](core::OtherHub* there) {
            if (there) there->past(command, [self, name](const auto& answer) { self->take(name, answer); });
          }));
    }
  }

  json::object command_for(const std::vector<std::string>& ids) const {
    json::object command = question_.command;
    base::Timestamp start = base::Timestamp::max(), end = question_.span.start;
    json::array list;
    for (const std::string& id : ids) {
      const base::Timestamp until = found_.at(id).until;
      start = std::min(start, std::max(question_.span.start, until - EarlierQuestion::kMostTime));
      end = std::max(end, until);
      list.push_back(json::value(id));
    }
    // Of entities whose records begin at very different times the latest part is asked for.
    start = std::max(start, end - EarlierQuestion::kMostTime);
    command["start_time"] = text_of(start);
    command["end_time"] = text_of(end);
    command[question_.ids_key] = std::move(list);
    return command;
  }

  void take(const std::string& other, const base::Result<json::object>& answer) {
    if (!answer) return base::log_info("history", "{} does not tell its past: {}", other, answer.error().message);
    for (const auto& member : *answer) {
      const auto found = found_.find(std::string_view(member.key()));
      const json::array* const rows = member.value().if_array();
      if (found == found_.end() || !rows) continue;
      found->second.rows = *rows;
      if (rows->size() <= EarlierQuestion::kMostRows) continue;
      base::log_info("history", "{} tells more of {} than {} changes; the first are left out", other, found->first,
                     EarlierQuestion::kMostRows);
      const std::size_t left_out = rows->size() - EarlierQuestion::kMostRows;
      found->second.rows.erase(found->second.rows.begin(), found->second.rows.begin() + left_out);
    }
  }

  const core::View home_;
  recorder::History& history_;
  const EarlierQuestion question_;
  std::function<void(EarlierById)> done_;
  std::vector<Entity> entities_;
  std::size_t next_ = 0;
  EarlierById found_;
};

// The name of the hub that is asked; empty if there is none.
std::string hub_of(const core::View& home, const std::string& entity_id) {
  std::string other = home.elsewhere(entity_id);
  return !other.empty() && home.other_hubs().tells_past(other) ? other : std::string();
}

}  // namespace

bool may_ask_earlier(const core::View& home, const std::vector<std::string>& entity_ids) {
  return std::ranges::any_of(entity_ids, [&](const std::string& id) { return !hub_of(home, id).empty(); });
}

void ask_earlier(const core::View& home, recorder::History* history, EarlierQuestion question,
                 std::function<void(EarlierById)> done) {
  std::map<std::string, std::vector<std::string>> ids_of_hubs;
  for (const std::string& id : question.entity_ids) {
    const std::string other = history ? hub_of(home, id) : std::string();
    if (other.empty()) continue;
    std::vector<std::string>& ids = ids_of_hubs[other];
    if (ids.size() < EarlierQuestion::kMostEntities) ids.push_back(id);
  }
  if (ids_of_hubs.empty()) return done({});
  std::make_shared<Finder>(home, *history, std::move(question), std::move(done))->ask(std::move(ids_of_hubs));
}

base::Result<std::optional<base::Timestamp>> first_change(recorder::HistoryReader& reader, const std::string& entity_id,
                                                          recorder::Span span) {
  recorder::EntityHistory history(entity_id, span);
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    if (piece->initial) return std::nullopt;
    if (!piece->changes.empty()) return piece->changes.front().updated;
    more = piece->more;
  }
  return span.end;
}

}  // namespace hearth::api
