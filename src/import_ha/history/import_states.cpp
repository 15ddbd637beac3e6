// SPDX-License-Identifier: Apache-2.0
// The phases of the import of states: deal, pack, done. Each survives a kill.
//
// Dealing notes in progress.db the number of the last row and the sizes of the temporary files from time to time, and
// cuts the files to these sizes when it goes on. Packing writes one file in one transaction of history.db, with a
// number that says so; what came of it is noted before, and counts if the number is there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "import_ha/history/history_import.h"
#include "import_ha/history/history_progress.h"
#include "import_ha/history/old_states.h"
#include "import_ha/history/state_packer.h"
#include "recorder/history/past_writer.h"
#include "recorder/log/history_file.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::size_t kStateFiles = 48;
constexpr std::size_t kLookStates = 4'096;
constexpr std::string_view kStatesPart = "states";

std::string packed_number(std::size_t file) {
  return fmt::format("import.states.{}", file);
}

// Of an earlier import.
Result<void> forget_numbers(const std::filesystem::path& target) {
  auto history = recorder::open_history(target / recorder::kHistoryDatabase);
  if (!history) return std::unexpected(std::move(history.error()));
  return history->execute("DELETE FROM numbers WHERE name LIKE 'import.states.%'");
}

void tell_states(const StateFates& fates, const PackedStates& packed, Report& report) {
  report.count("states", Fate::carried, packed.carried);
  report.count("states", Fate::left, fates.left() + packed.own);
  fates.lost.tell("state", report);
  report.count("history_entities", Fate::carried, packed.entities);
  report.count("history_entities", Fate::left, packed.bare_entities);
  for (const auto& [id, rows] : fates.no_entities) {
    report.add(Thing{.what = "history_entity",
                     .id = id,
                     .fate = Fate::left,
                     .why = Why::broken,
                     .text = fmt::format("This is no entity id: its {} states are left.", rows)});
  }
  const std::pair<std::uint64_t, std::string_view> notes[] = {
      {fates.future, "{} states are more than an hour in the future: left."},
      {fates.early, "{} states are from before 2000, or without a time: left."},
      {fates.unasked, "{} states are older than was asked for: left."},
      {fates.broken, "{} states have no entity, or a value that is no text of at most 255 characters: left."},
      {packed.own, "{} states are not older than the first change that this home recorded itself: left."},
      {fates.broken_attributes, "{} states have attributes that cannot be read: carried without them."},
  };
  for (const auto& [number, text] : notes) {
    if (number > 0) report.note(fmt::format(fmt::runtime(text), number));
  }
}

class StatesImport {
 public:
  StatesImport(const HistoryPlan& plan, Report& report, HistoryProgress progress, OldStates old)
      : plan_(plan), report_(report), progress_(std::move(progress)), old_(std::move(old)) {}

  Result<PastSpan> run();

 private:
  Result<void> resume();
  Result<void> deal();
  Result<void> pack();
  Result<void> pack_file(recorder::PastWriter& writer, std::size_t file);
  Result<void> note(std::string_view phase);
  Result<void> look(std::uint64_t rows);

  const HistoryPlan& plan_;
  Report& report_;
  HistoryProgress progress_;
  OldStates old_;
  std::string phase_ = "deal";
  std::int64_t at_ = 0, until_ = -1;
  std::optional<DealtRows> files_;
  PackedStates packed_;
  std::uint64_t done_ = 0;  // rows, of dealing and again of packing
};

Result<PastSpan> StatesImport::run() {
  if (auto done = resume(); !done) return std::unexpected(std::move(done.error()));
  if (phase_ == "deal") {
    if (auto done = deal(); !done) return std::unexpected(std::move(done.error()));
  }
  if (auto done = pack(); !done) return std::unexpected(std::move(done.error()));
  tell_states(old_.fates(), packed_, report_);
  return PastSpan{packed_.oldest, packed_.newest};
}

Result<void> StatesImport::resume() {
  at_ = old_.range().first - 1;
  until_ = old_.range().last;
  std::vector<DealtRows::Size> sizes(kStateFiles);
  auto was = progress_.read(kStatesPart);
  if (!was) return std::unexpected(std::move(was.error()));
  if (!was->empty()) {
    phase_ = base::text_at(*was, "phase");
    at_ = base::number_at(*was, "at");
    until_ = base::number_at(*was, "until");
    sizes = sizes_of(base::value_at(*was, "files"));
    if (const json::value& fates = base::value_at(*was, "fates"); fates.is_object())
      old_.fates() = StateFates::parse(fates.get_object());
  }
  if (was->empty()) {
    if (auto gone = forget_numbers(plan_.target); !gone) return gone;
  }
  done_ = 0;
  for (const DealtRows::Size& size : sizes) done_ += size.rows;
  if (plan_.last) {
    const auto newest = old_.newest();
    if (!newest) return std::unexpected(newest.error());
    if (*newest) old_.take_since(**newest - *plan_.last);
  }
  if (phase_ == "done") return {};
  auto files = DealtRows::open(plan_.scratch, "states", std::move(sizes));
  if (!files) return std::unexpected(std::move(files.error()));
  files_.emplace(std::move(*files));
  return {};
}

Result<void> StatesImport::note(std::string_view phase) {
  phase_ = phase;
  return progress_.write(kStatesPart, {{"phase", phase_},
                                       {"at", at_},
                                       {"until", until_},
                                       {"files", to_json(files_->sizes())},
                                       {"fates", old_.fates().to_json()}});
}

Result<void> StatesImport::look(std::uint64_t rows) {
  done_ += rows;
  plan_.progress(done_ / 2, std::max<std::uint64_t>(old_.range().size(), 1));
  if (plan_.go_on()) return {};
  return base::fail(base::ErrorCode::unavailable, "The import was cancelled; the same command goes on.");
}

Result<void> StatesImport::deal() {
  StateRowWriter writer(*files_);
  std::uint64_t rows = 0;  // since the last look
  const auto take = [&](const OldState& state) -> Result<void> {
    if (++rows == kLookStates) {
      if (auto looked = look(std::exchange(rows, 0)); !looked) return looked;
    }
    return writer.add(state.entity_hash % kStateFiles, state);
  };
  while (at_ < until_) {
    const auto at = old_.read(at_, until_, plan_.rows_at_once, take);
    if (!at) return std::unexpected(at.error());
    at_ = *at;
    if (auto done = files_->flush(); !done) return done;
    if (auto done = note("deal"); !done) return done;
    if (auto looked = look(std::exchange(rows, 0)); !looked) return looked;
    if (auto done = plan_.renew(); !done) return done;
  }
  return note("pack");
}

Result<void> StatesImport::pack() {
  auto writer = recorder::PastWriter::open(plan_.target / recorder::kHistoryDatabase);
  if (!writer) return std::unexpected(std::move(writer.error()));
  for (std::size_t file = 0; file < kStateFiles; ++file) {
    if (auto done = pack_file(*writer, file); !done) return done;
  }
  if (phase_ != "done") {
    if (auto done = note("done"); !done) return done;
    files_->remove_all();
  }
  return forget_numbers(plan_.target);
}

Result<void> StatesImport::pack_file(recorder::PastWriter& writer, std::size_t file) {
  if (files_ && files_->sizes()[file].rows == 0) return {};
  const std::string part = fmt::format("{}.{}", kStatesPart, file);
  const auto was = recorder::stored_number(writer.database(), packed_number(file));
  if (!was) return std::unexpected(was.error());
  if (phase_ == "done" || *was == 1) {
    const auto noted = progress_.read(part);
    if (!noted) return std::unexpected(noted.error());
    packed_.add(PackedStates::parse(*noted));
    return {};
  }
  auto transaction = storage::Transaction::begin(writer.database(), storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  StatePacker packer(writer, plan_.scratch, [this](std::uint64_t rows) { return look(rows); });
  const auto packed = packer.pack(*files_, file);
  if (!packed) return std::unexpected(packed.error());
  if (packed->carried > 0) {
    if (auto again = writer.compute_statistics_again(); !again) return again;
  }
  if (auto noted = progress_.write(part, packed->to_json()); !noted) return noted;
  if (auto stored = recorder::store_number(writer.database(), packed_number(file), 1); !stored) return stored;
  if (auto done = transaction->commit(); !done) return done;
  packed_.add(*packed);
  return {};
}

// Counts, and the entities that have a state that comes.
Result<PastSpan> count_states(const HistoryPlan& plan, OldStates& old, Report& report) {
  if (plan.last) {
    const auto newest = old.newest();
    if (!newest) return std::unexpected(newest.error());
    if (*newest) old.take_since(**newest - *plan.last);
  }
  PackedStates counted;
  base::TextMap<bool> entities;
  const auto take = [&](const OldState& state) -> Result<void> {
    counted.add({1, 0, 0, 0, state.updated, state.updated});
    if (!entities.contains(state.entity)) entities.emplace(state.entity, true);
    if (counted.carried % kLookStates != 0) return {};
    plan.progress(counted.carried, old.range().size());
    return plan.go_on() ? Result<void>() : base::fail(base::ErrorCode::unavailable, "The import was cancelled.");
  };
  for (std::int64_t at = old.range().first - 1; at < old.range().last;) {
    const auto read = old.read(at, old.range().last, plan.rows_at_once, take);
    if (!read) return std::unexpected(read.error());
    at = *read;
    if (auto done = plan.renew(); !done) return std::unexpected(std::move(done.error()));
  }
  counted.entities = entities.size();
  tell_states(old.fates(), counted, report);
  return PastSpan{counted.oldest, counted.newest};
}

}  // namespace

Result<PastSpan> import_states(const HistoryPlan& plan, Report& report) {
  auto old = OldStates::open(plan.old, plan.now);
  if (!old) return std::unexpected(std::move(old.error()));
  if (plan.dry_run) return count_states(plan, *old, report);
  auto progress = HistoryProgress::open(plan.scratch, plan.fingerprint);
  if (!progress) return std::unexpected(std::move(progress.error()));
  return StatesImport(plan, report, std::move(*progress), std::move(*old)).run();
}

}  // namespace hearth::import_ha
