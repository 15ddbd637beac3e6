// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <unordered_map>
#include <unordered_set>

#include "archive/fleet_history.h"
#include "archive/postgres_changes.h"
#include "archive/postgres_rows.h"
#include "archive/postgres_schema.h"
#include "archive/remote_events.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;
using base::Result;
using recorder::ChangeList;
using recorder::HistoryReader;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kPatienceOfReader = 10s;
constexpr auto kConnectAgain = 5s;  // after it has failed: others ask meanwhile
constexpr auto kKnownFor = 10s;     // entities' numbers, and which have changed
constexpr auto kNamesKnownFor = 60s;
constexpr std::size_t kMostKnown = 10'000;  // entities' numbers
constexpr std::size_t kAskedOneByOne = 16;  // then, who has changed in that time is asked at once
constexpr std::size_t kSpans = 4;           // of which that is known
constexpr int kEventsAtOnce = 1'000;

constexpr const char* kReaderSession =
    "SET statement_timeout = '10s'; SET lock_timeout = '10s'; SET default_transaction_read_only = on";
constexpr const char* kEntity =
    "SELECT entities.id FROM hearth.entities JOIN hearth.sites ON sites.id = site WHERE name = $1 AND entity_id = $2";
constexpr const char* kEntities = "SELECT name, entity_id FROM hearth.entities JOIN hearth.sites ON sites.id = site";
constexpr const char* kChanged = R"(
SELECT name, entity_id FROM (
  SELECT DISTINCT entity FROM hearth.changes
  WHERE NOT measured AND updated >= $1::timestamptz AND updated <= $2::timestamptz) AS changed
  JOIN hearth.entities ON entities.id = changed.entity JOIN hearth.sites ON sites.id = site)";
constexpr const char* kEvents = R"(
SELECT name, type, data, (extract(epoch FROM fired) * 1000000)::bigint, context_id, parent_id, user_id, epoch, sequence
FROM hearth.events JOIN hearth.epochs ON epochs.id = epoch JOIN hearth.sites ON sites.id = site
WHERE fired <= $2::timestamptz AND fired >= $1::timestamptz
  AND (fired, epoch, sequence) > ($1::timestamptz, $3::integer, $4::bigint)
ORDER BY fired, epoch, sequence LIMIT )";

class PostgresHistory final : public HistoryReader {
 public:
  PostgresHistory(FleetHistoryOptions options, std::unique_ptr<HistoryReader> own)
      : options_(std::move(options)), own_(std::move(own)) {}

  Result<std::optional<ChangeList>> next(std::string_view entity_id, Position& position, base::Timestamp from,
                                         base::Timestamp until, Kinds kinds) override;
  Result<ChangeList> last_before(std::string_view entity_id, base::Timestamp from) override;
  Result<Names> names() override;
  std::vector<std::string> waiting_names() override { return own_->waiting_names(); }
  bool records(std::string_view entity_id) const override {
    return options_.remote(entity_id) || own_->records(entity_id);
  }
  Result<base::Timestamp> oldest() override;
  Result<bool> events(base::Timestamp from, base::Timestamp until, const TakeEvent& take) override;
  Result<std::vector<recorder::Statistics>> day_statistics(std::string_view entity_id, std::int64_t first,
                                                           std::int64_t last) override;
  Result<std::optional<std::int64_t>> first_day(std::string_view entity_id) override;
  Result<std::optional<bool>> last_day_is_total(std::string_view entity_id) override;
  Result<recorder::Total> total_before(std::string_view entity_id, std::int64_t day) override;
  Result<void> open() override { return own_->open(); }
  void rest() override { own_->rest(); }
  void cancel() override {
    cancel_.request();
    own_->cancel();
  }

 private:
  using Ids = std::unordered_set<std::string>;
  struct Span {
    base::Timestamp from, until;
    std::size_t asked = 0;
    std::optional<Ids> changed = {};  // ids at the portal
    SteadyClock::time_point known_until = {};
  };
  class Events;

  Result<void> connect();
  // Its questions to the connection; a failure may have broken it.
  template <class Ask>
  auto ask(Ask&& question) -> decltype(question(std::declval<PostgresChanges&>()));
  Result<std::vector<PostgresConnection::Row>> rows(const std::string& sql,
                                                    const std::vector<std::string>& parameters = {});
  // Its number; empty if the archive has nothing of it.
  Result<std::string> number_of(const RemoteEntity& entity);
  // Of rows that begin with the site's name and the entity's id there.
  std::optional<std::string> portal_id(const PostgresConnection::Row& row) const;
  // False if it surely has not, but for measurements.
  Result<bool> may_have_changed(std::string_view entity_id, base::Timestamp from, base::Timestamp until);
  // As `found`, with the entity's number, if it is a site's; `own` if it is the portal's.
  template <class Own, class Found>
  auto of(std::string_view entity_id, Own&& own, Found&& found) -> decltype(own());

  const FleetHistoryOptions options_;
  const std::unique_ptr<HistoryReader> own_;
  Cancel cancel_;
  std::optional<PostgresConnection> connection_;
  std::optional<base::Error> failure_;  // of the last try to connect
  SteadyClock::time_point connect_at_;
  std::unordered_map<std::string, std::string> numbers_;  // by `<site>/<entity id>`
  SteadyClock::time_point numbers_until_;
  std::list<Span> spans_;  // the last one asked for first
  Names names_;
  SteadyClock::time_point names_until_;
  std::optional<base::Timestamp> oldest_;
  SteadyClock::time_point oldest_until_;
};

Result<void> PostgresHistory::connect() {
  if (connection_) return {};
  if (failure_ && SteadyClock::now() < connect_at_) return std::unexpected(*failure_);
  auto opened = PostgresConnection::open(options_.url, cancel_, kPatienceOfReader);
  Result<void> ready;
  if (!opened) {
    ready = std::unexpected(std::move(opened.error()));
  } else {
    ready = prepare_schema(*opened);
    if (ready) ready = run(*opened, kReaderSession);
    if (ready) connection_.emplace(std::move(*opened));
  }
  failure_.reset();
  if (ready) return {};
  failure_ = base::Error{base::ErrorCode::unavailable, "The archive cannot be read. " + ready.error().message};
  connect_at_ = SteadyClock::now() + kConnectAgain;
  return std::unexpected(*failure_);
}

template <class Ask>
auto PostgresHistory::ask(Ask&& question) -> decltype(question(std::declval<PostgresChanges&>())) {
  if (auto connected = connect(); !connected) return std::unexpected(std::move(connected.error()));
  PostgresChanges changes(*connection_);
  auto answer = question(changes);
  if (!answer) {
    connection_.reset();
    answer.error() = {base::ErrorCode::unavailable, "The archive cannot be read. " + answer.error().message};
  }
  return answer;
}

Result<std::vector<PostgresConnection::Row>> PostgresHistory::rows(const std::string& sql,
                                                                   const std::vector<std::string>& parameters) {
  return ask([&](PostgresChanges&) { return connection_->run(sql, parameters); });
}

Result<std::string> PostgresHistory::number_of(const RemoteEntity& entity) {
  const auto now = SteadyClock::now();
  if (now >= numbers_until_ || numbers_.size() >= kMostKnown) {
    numbers_.clear();
    numbers_until_ = now + kKnownFor;
  }
  const auto [place, fresh] = numbers_.try_emplace(entity.site + "/" + entity.entity_id);
  if (!fresh) return place->second;
  const auto found = rows(kEntity, {entity.site, entity.entity_id});
  if (!found) {
    numbers_.erase(place);
    return std::unexpected(found.error());
  }
  if (!found->empty()) place->second = found->front().front().value_or("");
  return place->second;
}

template <class Own, class Found>
auto PostgresHistory::of(std::string_view entity_id, Own&& own, Found&& found) -> decltype(own()) {
  const auto remote = options_.remote(entity_id);
  if (!remote) return own();
  const auto number = number_of(*remote);
  if (!number) return std::unexpected(number.error());
  if (number->empty()) return {};
  return ask([&](PostgresChanges& changes) { return found(changes, *number); });
}

std::optional<std::string> PostgresHistory::portal_id(const PostgresConnection::Row& row) const {
  return row[0] && row[1] ? options_.portal_id({*row[0], *row[1]}) : std::nullopt;
}

Result<bool> PostgresHistory::may_have_changed(std::string_view entity_id, base::Timestamp from,
                                               base::Timestamp until) {
  auto span = std::ranges::find_if(spans_, [&](const Span& each) { return each.from == from && each.until == until; });
  if (span == spans_.end()) {
    if (spans_.size() == kSpans) spans_.pop_back();
    span = spans_.insert(spans_.begin(), Span{from, until});
  } else {
    spans_.splice(spans_.begin(), spans_, span);
  }
  if (++span->asked <= kAskedOneByOne) return true;
  const auto now = SteadyClock::now();
  if (!span->changed || now >= span->known_until) {
    const auto found = rows(kChanged, {time_text(from), time_text(until)});
    if (!found) return std::unexpected(found.error());
    span->changed.emplace();
    for (const auto& row : *found) {
      if (auto id = portal_id(row)) span->changed->insert(std::move(*id));
    }
    span->known_until = now + kKnownFor;
  }
  return span->changed->contains(std::string(entity_id));
}

Result<std::optional<ChangeList>> PostgresHistory::next(std::string_view entity_id, Position& position,
                                                        base::Timestamp from, base::Timestamp until, Kinds kinds) {
  const bool first = position.last.time_since_epoch() == base::Duration::min();
  if (kinds == Kinds::without_measurements && first && options_.remote(entity_id)) {
    const auto maybe = may_have_changed(entity_id, from, until);
    if (!maybe) return std::unexpected(maybe.error());
    if (!*maybe) return std::optional<ChangeList>();
  }
  return of(
      entity_id, [&] { return own_->next(entity_id, position, from, until, kinds); },
      [&](PostgresChanges& changes, const std::string& number) {
        return changes.next(number, position, from, until, kinds);
      });
}

Result<ChangeList> PostgresHistory::last_before(std::string_view entity_id, base::Timestamp from) {
  return of(
      entity_id, [&] { return own_->last_before(entity_id, from); },
      [&](PostgresChanges& changes, const std::string& number) { return changes.last_before(number, from); });
}

Result<HistoryReader::Names> PostgresHistory::names() {
  const auto now = SteadyClock::now();
  if (names_ && now < names_until_) return names_;
  const auto own = own_->names();
  if (!own) return own;
  const auto found = rows(kEntities);
  if (!found) return std::unexpected(found.error());
  auto all = std::make_shared<std::vector<std::string>>(**own);
  for (const auto& row : *found) {
    if (auto id = portal_id(row)) all->push_back(std::move(*id));
  }
  std::ranges::sort(*all);
  const auto twice = std::ranges::unique(*all);
  all->erase(twice.begin(), twice.end());
  names_ = std::move(all);
  names_until_ = now + kNamesKnownFor;
  return names_;
}

// The first day of the first month that has any.
Result<base::Timestamp> PostgresHistory::oldest() {
  const auto own = own_->oldest();
  if (!own) return own;
  const auto now = SteadyClock::now();
  if (!oldest_ || now >= oldest_until_) {
    const auto found = ask([&](PostgresChanges&) { return oldest_month(*connection_); });
    if (!found) return std::unexpected(found.error());
    oldest_ = found->value_or(base::Timestamp::max());
    oldest_until_ = now + kKnownFor;
  }
  return std::min(*own, *oldest_);
}

// The sites' events of a span, a bounded number at a time.
class PostgresHistory::Events {
 public:
  Events(PostgresHistory& history, base::Timestamp from, base::Timestamp until)
      : history_(history), from_(from), until_(until) {}

  // Rows up to that time, as long as it takes them.
  Result<bool> take_until(base::Timestamp time, const TakeEvent& take) {
    for (;;) {
      if (next_ == rows_.size()) {
        if (auto read = this->read(); !read) return std::unexpected(std::move(read.error()));
        if (rows_.empty()) return true;
      }
      const auto& row = rows_[next_];
      const auto fired = integer(row, 3);
      if (!fired) return std::unexpected(fired.error());
      if (time_of(*fired) > time) return true;
      ++next_;
      const auto data = portal_data(*row[1], *row[2], [&](std::string_view entity_id) {
        return history_.options_.portal_id({*row[0], std::string(entity_id)});
      });
      if (data && !take({*row[1], *data, time_of(*fired), {row[4].value_or(""), row[5], row[6]}})) return false;
    }
  }

 private:
  Result<void> read() {
    const bool more = first_ || rows_.size() == kEventsAtOnce;
    std::string epoch = "-1", sequence = "0", from = time_text(from_);
    if (!std::exchange(first_, false) && more) {
      const auto fired = integer(rows_.back(), 3);
      if (!fired) return std::unexpected(fired.error());
      from = time_text(time_of(*fired));
      epoch = rows_.back()[7].value_or("0");
      sequence = rows_.back()[8].value_or("0");
    }
    rows_.clear();
    next_ = 0;
    if (!more) return {};
    auto rows = history_.rows(kEvents + std::to_string(kEventsAtOnce), {from, time_text(until_), epoch, sequence});
    if (!rows) return std::unexpected(std::move(rows.error()));
    rows_ = std::move(*rows);
    return {};
  }

  PostgresHistory& history_;
  const base::Timestamp from_, until_;
  std::vector<PostgresConnection::Row> rows_;
  std::size_t next_ = 0;
  bool first_ = true;
};

Result<bool> PostgresHistory::events(base::Timestamp from, base::Timestamp until, const TakeEvent& take) {
  Events events(*this, from, until);
  std::optional<base::Error> failure;
  const auto own = own_->events(from, until, [&](const KeptEvent& event) {
    const auto before = events.take_until(event.fired, take);
    if (!before) failure = before.error();
    return before && *before && take(event);
  });
  if (failure) return std::unexpected(std::move(*failure));
  if (!own || !*own) return own;
  return events.take_until(until, take);
}

Result<std::vector<recorder::Statistics>> PostgresHistory::day_statistics(std::string_view entity_id,
                                                                          std::int64_t first, std::int64_t last) {
  return of(
      entity_id, [&] { return own_->day_statistics(entity_id, first, last); },
      [&](PostgresChanges& changes, const std::string& number) { return changes.day_statistics(number, first, last); });
}

Result<std::optional<std::int64_t>> PostgresHistory::first_day(std::string_view entity_id) {
  return of(
      entity_id, [&] { return own_->first_day(entity_id); },
      [](PostgresChanges& changes, const std::string& number) { return changes.first_day(number); });
}

Result<std::optional<bool>> PostgresHistory::last_day_is_total(std::string_view entity_id) {
  return of(
      entity_id, [&] { return own_->last_day_is_total(entity_id); },
      [](PostgresChanges& changes, const std::string& number) { return changes.last_day_is_total(number); });
}

Result<recorder::Total> PostgresHistory::total_before(std::string_view entity_id, std::int64_t day) {
  return of(
      entity_id, [&] { return own_->total_before(entity_id, day); },
      [&](PostgresChanges& changes, const std::string& number) { return changes.total_before(number, day); });
}

}  // namespace

Result<std::unique_ptr<HistoryReader>> make_fleet_history(FleetHistoryOptions options,
                                                          std::unique_ptr<HistoryReader> own) {
  if (!postgres_library()) {
    return base::fail(base::ErrorCode::unavailable,
                      "The library of PostgreSQL is not installed: install the package libpq5.");
  }
  return std::make_unique<PostgresHistory>(std::move(options), std::move(own));
}

}  // namespace hearth::archive
