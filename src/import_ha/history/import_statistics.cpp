// SPDX-License-Identifier: Apache-2.0
// The phases of the import of statistics: the rows of hours and of five minutes are dealt by statistic, then each file
// is written in one transaction of history.db, with a number that says so. What came of a file is noted before.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/json/json_fields.h"
#include "import_ha/history/dealt_rows.h"
#include "import_ha/history/history_import.h"
#include "import_ha/history/history_progress.h"
#include "import_ha/history/lost_rows.h"
#include "import_ha/history/old_states.h"
#include "import_ha/history/old_statistics.h"
#include "import_ha/history/statistics_writer.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/history/past_writer.h"
#include "recorder/log/history_file.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::size_t kStatisticsFiles = 24;
constexpr std::size_t kMostSteps = 400'000;  // rows in memory, unless one statistic has more
constexpr std::size_t kLookSteps = 4'096;
constexpr std::string_view kStatisticsPart = "statistics";
constexpr std::array<std::string_view, 2> kStepTables = {"statistics", "statistics_short_term"};
constexpr base::Timestamp kEarliestStep = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);

std::string written_number(std::size_t file) {
  return fmt::format("import.statistics.{}", file);
}

class StatisticsWork {
 public:
  StatisticsWork(const HistoryPlan& plan, Report& report) : plan_(plan), report_(report) {}

  Result<void> run();

 private:
  Result<void> resume();
  Result<void> deal();
  Result<void> deal_table(std::size_t table);
  Result<void> note();
  Result<void> write();
  Result<void> write_file(std::size_t file);
  Result<void> write_group(std::size_t file, const std::set<std::int64_t>& group, StepCounts& counts);
  Result<void> forget_numbers();
  Result<void> look(std::uint64_t rows);
  void tell_ids();
  void tell();

  const HistoryPlan& plan_;
  Report& report_;
  std::optional<HistoryProgress> progress_;
  std::optional<recorder::PastWriter> writer_;
  std::optional<StatisticsWriter> steps_;
  OldStatistics statistics_;
  std::string phase_ = "deal";
  std::size_t table_ = 0;
  std::array<std::int64_t, 2> at_{}, until_{-1, -1};
  std::optional<DealtRows> files_;
  std::array<std::uint64_t, 2> most_{};  // rows
  std::array<LostRows, 2> lost_;
  StepCounts counts_{};              // of dealing …
  StepCounts written_{};             // … and of writing
  std::uint64_t done_ = 0, of_ = 0;  // rows; those done of dealing and again of writing
};

Result<void> StatisticsWork::run() {
  auto all = old_statistics(plan_.old);
  if (!all) return std::unexpected(std::move(all.error()));
  statistics_ = std::move(*all);
  if (auto done = resume(); !done) return done;
  if (phase_ == "deal") {
    if (auto done = deal(); !done) return done;
  }
  if (auto done = write(); !done) return done;
  tell_ids();
  tell();
  return {};
}

Result<void> StatisticsWork::resume() {
  for (std::size_t table = 0; table < kStepTables.size(); ++table) {
    const auto columns = old_columns(plan_.old, kStepTables[table]);
    if (!columns) return std::unexpected(columns.error());
    if (columns->empty()) continue;
    const auto range = old_range(plan_.old, kStepTables[table], "id");
    if (!range) return std::unexpected(range.error());
    at_[table] = range->first - 1;
    until_[table] = range->last;
    of_ += range->size();
    most_[table] = std::max<std::uint64_t>(range->size(), 1);
  }
  std::vector<DealtRows::Size> sizes(kStatisticsFiles);
  if (!plan_.dry_run) {
    auto progress = HistoryProgress::open(plan_.scratch, plan_.fingerprint);
    if (!progress) return std::unexpected(std::move(progress.error()));
    progress_.emplace(std::move(*progress));
    auto writer = recorder::PastWriter::open(plan_.target / recorder::kHistoryDatabase);
    if (!writer) return std::unexpected(std::move(writer.error()));
    writer_.emplace(std::move(*writer));
    const auto was = progress_->read(kStatisticsPart);
    if (!was) return std::unexpected(was.error());
    if (was->empty()) {
      if (auto gone = forget_numbers(); !gone) return gone;
    } else {
      phase_ = base::text_at(*was, "phase");
      table_ = static_cast<std::size_t>(base::number_at(*was, "table"));
      for (std::size_t i = 0; i < 2; ++i) {
        at_[i] = base::value_at(*was, "at").as_array().at(i).to_number<std::int64_t>();
        until_[i] = base::value_at(*was, "until").as_array().at(i).to_number<std::int64_t>();
        lost_[i] = LostRows::parse(base::value_at(*was, "lost").as_array().at(i));
      }
      sizes = sizes_of(base::value_at(*was, "files"));
      add_counts(counts_, base::value_at(*was, "counts"));
    }
  }
  for (const DealtRows::Size& size : sizes) done_ += size.rows;
  if (phase_ == "done") return {};
  auto files = DealtRows::open(plan_.scratch, "statistics", std::move(sizes));
  if (!files) return std::unexpected(std::move(files.error()));
  files_.emplace(std::move(*files));
  return {};
}

Result<void> StatisticsWork::forget_numbers() {
  return writer_->database().execute("DELETE FROM numbers WHERE name LIKE 'import.statistics.%'");
}

Result<void> StatisticsWork::note() {
  if (!progress_) return {};
  return progress_->write(kStatisticsPart, {{"phase", phase_},
                                            {"table", table_},
                                            {"at", json::array(at_.begin(), at_.end())},
                                            {"until", json::array(until_.begin(), until_.end())},
                                            {"files", to_json(files_->sizes())},
                                            {"lost", json::array{lost_[0].to_json(), lost_[1].to_json()}},
                                            {"counts", counts_json(counts_)}});
}

Result<void> StatisticsWork::look(std::uint64_t rows) {
  done_ += rows;
  plan_.progress(done_ / 2, std::max<std::uint64_t>(of_, 1));
  if (plan_.go_on()) return {};
  return base::fail(base::ErrorCode::unavailable, "The import was cancelled; the same command goes on.");
}

Result<void> StatisticsWork::deal() {
  for (; table_ < kStepTables.size(); ++table_) {
    if (auto done = deal_table(table_); !done) return done;
  }
  phase_ = "write";
  return note();
}

Result<void> StatisticsWork::deal_table(std::size_t table) {
  const bool hour = table == 0;
  const auto columns = old_columns(plan_.old, kStepTables[table]);
  if (!columns) return std::unexpected(columns.error());
  std::uint64_t rows = 0;
  const auto take = [&](const storage::Statement& row) -> Result<void> {
    if (++rows == kLookSteps) {
      if (auto looked = look(std::exchange(rows, 0)); !looked) return looked;
    }
    const auto step = old_step(row, hour);
    if (!step || step->start < kEarliestStep || step->start > plan_.now + OldStates::kAhead) {
      ++counts_[kWrongTime];
      ++counts_[hour ? kHoursLeft : kShortsLeft];
      return {};
    }
    const std::size_t file = static_cast<std::uint64_t>(step->statistic) % kStatisticsFiles;
    write_old_step(files_->row(file), *step);
    return files_->end_row(file);
  };
  const auto lost = [&](std::int64_t after, std::int64_t before) -> Result<void> {
    const auto gap = static_cast<std::uint64_t>(std::max<std::int64_t>(before - after - 1, 1));
    lost_[table].add(fmt::format("rows {} to {}", after + 1, before - 1), std::min(gap, most_[table]));
    return {};
  };
  OldPass pass(plan_.old, *columns, std::string(kStepTables[table]), kOldStepColumns, take, lost);
  while (at_[table] < until_[table]) {
    const auto at = pass.read(at_[table], until_[table], plan_.rows_at_once);
    if (!at) return std::unexpected(at.error());
    at_[table] = *at;
    if (auto done = files_->flush(); !done) return done;
    if (auto done = note(); !done) return done;
    if (auto looked = look(std::exchange(rows, 0)); !looked) return looked;
    if (auto done = plan_.renew(); !done) return done;
  }
  return {};
}

Result<void> StatisticsWork::write() {
  std::unique_ptr<recorder::ImportedStatistics> external;
  if (writer_) {
    auto opened = recorder::ImportedStatistics::open(plan_.target / recorder::kHomeDatabase);
    if (!opened) return std::unexpected(std::move(opened.error()));
    external = std::move(*opened);
  }
  steps_.emplace(writer_ ? &*writer_ : nullptr, std::move(external));
  for (std::size_t file = 0; file < kStatisticsFiles; ++file) {
    if (auto done = write_file(file); !done) return done;
  }
  if (phase_ != "done") {
    phase_ = "done";
    if (auto done = note(); !done) return done;
    files_->remove_all();
  }
  return writer_ ? forget_numbers() : Result<void>();
}

Result<void> StatisticsWork::write_file(std::size_t file) {
  if (files_ && files_->sizes()[file].rows == 0) return {};
  const std::string part = fmt::format("{}.{}", kStatisticsPart, file);
  if (writer_) {
    const auto was = recorder::stored_number(writer_->database(), written_number(file));
    if (!was) return std::unexpected(was.error());
    if (phase_ == "done" || *was == 1) {
      const auto noted = progress_->read(part);
      if (!noted) return std::unexpected(noted.error());
      add_counts(written_, base::value_at(*noted, "counts"));
      return {};
    }
  }
  std::map<std::int64_t, std::size_t> sizes;
  auto counted = files_->read(file, [&](const std::string& block) {
    for (const OldStep& step : read_old_steps(block)) ++sizes[step.statistic];
    return Result<void>();
  });
  if (!counted) return counted;
  std::optional<storage::Transaction> transaction;
  if (writer_) {
    auto begun = storage::Transaction::begin(writer_->database(), storage::Transaction::Kind::write);
    if (!begun) return std::unexpected(std::move(begun.error()));
    transaction.emplace(std::move(*begun));
  }
  StepCounts counts{};
  while (!sizes.empty()) {
    std::set<std::int64_t> group;
    for (std::size_t rows = 0; !sizes.empty() && (group.empty() || rows + sizes.begin()->second <= kMostSteps);) {
      rows += sizes.begin()->second;
      group.insert(sizes.begin()->first);
      sizes.erase(sizes.begin());
    }
    if (auto done = write_group(file, group, counts); !done) return done;
  }
  if (transaction) {
    if (auto noted = progress_->write(part, {{"counts", counts_json(counts)}}); !noted) return noted;
    if (auto stored = recorder::store_number(writer_->database(), written_number(file), 1); !stored) return stored;
    if (auto done = transaction->commit(); !done) return done;
  }
  add_counts(written_, counts_json(counts));
  return {};
}

Result<void> StatisticsWork::write_group(std::size_t file, const std::set<std::int64_t>& group, StepCounts& counts) {
  std::map<std::int64_t, std::vector<OldStep>> rows;
  auto read = files_->read(file, [&](const std::string& block) {
    for (const OldStep& step : read_old_steps(block)) {
      if (group.contains(step.statistic)) rows[step.statistic].push_back(step);
    }
    return Result<void>();
  });
  if (!read) return read;
  for (auto& [number, steps] : rows) {
    if (auto looked = look(steps.size()); !looked) return looked;
    const auto known = statistics_.find(number);
    const OldStatistic nobody;
    auto done = steps_->write(known == statistics_.end() ? nobody : known->second, std::move(steps), counts);
    if (!done) return done;
  }
  return {};
}

void StatisticsWork::tell_ids() {
  std::vector<std::string_view> circular, both, units;
  for (const auto& [number, statistic] : statistics_) {
    if (!is_known(statistic)) {
      report_.add(Thing{.what = "statistic_id",
                        .id = statistic.id,
                        .fate = Fate::left,
                        .why = Why::broken,
                        .text = "Neither an entity's statistics nor those of another source."});
      continue;
    }
    if (statistic.circular) circular.push_back(statistic.id);
    if (is_entity(statistic) && statistic.has_mean && statistic.has_sum) both.push_back(statistic.id);
  }
  const auto list = [](std::vector<std::string_view> ids) {
    std::ranges::sort(ids);
    return fmt::format("{}", fmt::join(ids, ", "));
  };
  if (!circular.empty())
    report_.note(fmt::format("Statistics of angles come with their mean alone: {}.", list(circular)));
  if (!both.empty()) report_.note(fmt::format("Statistics with a mean and a sum come with their sum: {}.", list(both)));
}

void StatisticsWork::tell() {
  add_counts(counts_, counts_json(written_));
  report_.count("statistics", Fate::carried, counts_[kHours]);
  report_.count("statistics", Fate::left, counts_[kHoursLeft]);
  lost_[0].tell("statistic", report_);
  report_.count("short_term_statistics", Fate::carried, counts_[kShorts]);
  report_.count("short_term_statistics", Fate::left, counts_[kShortsLeft]);
  lost_[1].tell("short_term_statistic", report_);
  report_.count("statistic_ids", Fate::carried, counts_[kIds]);
  const std::pair<StepCount, std::string_view> notes[] = {
      {kWrongTime, "{} statistics are of the future, from before 2000, or of no whole hour or five minutes: left."},
      {kBroken, "{} statistics lack the value that counts, or belong to nothing that is known: left."},
      {kUnused, "{} statistics of five minutes are left, because their hour comes whole."},
      {kOwn, "{} statistics are not older than what this home has itself, or are more than it can keep: left."},
  };
  for (const auto& [count, text] : notes) {
    if (counts_[count] > 0) report_.note(fmt::format(fmt::runtime(text), counts_[count]));
  }
}

}  // namespace

Result<void> import_statistics(const HistoryPlan& plan, Report& report) {
  if (plan.dry_run) {
    std::error_code ignored;
    std::filesystem::create_directories(plan.scratch, ignored);
  }
  return StatisticsWork(plan, report).run();
}

}  // namespace hearth::import_ha
