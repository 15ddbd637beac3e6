// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/statistics_store.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "recorder/log/columns.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

using base::Result;
using Numbers = std::vector<std::uint64_t>;

// The second version of days that have what only the third can say; the fourth of those with imported steps.
constexpr std::uint64_t kPlainVersion = 2, kDayVersion = 3, kImportedVersion = 4;
constexpr std::uint64_t kTotal = 1, kAngle = 2;  // kinds …
constexpr std::uint64_t kImported = 4;           // … and what is added to them
constexpr base::Duration kHour = std::chrono::hours(1);
constexpr double kSteadiness = 1e6;
constexpr std::size_t kStepsOfADay = 288;
constexpr int kDayLevel = 6;
constexpr std::size_t kMaxDayBytes = 256 * 1024;
constexpr double Statistics::* kValues[] = {&Statistics::mean, &Statistics::min, &Statistics::max, &Statistics::state,
                                            &Statistics::sum};
constexpr int kDecimals = 6;
constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr std::uint64_t kMaxDecimals = 9, kRawBits = 10;  // forms of an imported column
constexpr double kMostUnits = 9e15;                       // exact in a double
constexpr double kTolerance = 1e-9;                       // of means, minima and maxima, relative
constexpr double kSmallest = 1e-4;              // what a number may be off a whole one for what it was computed from
constexpr std::uint64_t kLastDay = 10'000'000;  // folded by zigzag

// Two decimals more than the measurements, which is enough for a mean, but at most 15 digits for the largest.
int decimals_for(std::span<const Statistics> steps) {
  double greatest = 1;
  int needed = 0;
  const auto whole = [&](double value) { return std::abs(value - std::round(value)) < kSmallest; };
  for (const Statistics& step : steps) {
    for (const auto value : kValues) greatest = std::max(greatest, std::abs(step.*value));
    while (needed < kDecimals && !whole(step.min * kPowers[needed])) ++needed;
    while (needed < kDecimals && !whole(step.max * kPowers[needed])) ++needed;
  }
  const int digits = static_cast<int>(std::ceil(std::log10(greatest)));
  return std::max(0, std::min({needed + 2, kDecimals, 15 - digits}));
}

// The kind of each step is enough for all but totals with a time of their last reset, and angles.
bool is_plain(std::span<const Statistics> steps) {
  return std::ranges::none_of(steps, [](const Statistics& step) { return step.angle || step.last_reset; });
}

// 0: none.
std::uint64_t reset_number(const Statistics& step) {
  if (!step.last_reset) return 0;
  return zigzag(step.last_reset->time_since_epoch().count()) + 1;
}

bool read_more(ColumnReader& in, std::vector<Statistics>& steps) {
  Numbers resets, steadiness;
  if (!in.column(resets, steps.size()) || !in.column(steadiness, steps.size())) return false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (resets[i] > 0) steps[i].last_reset = base::Timestamp(base::Duration(unzigzag(resets[i] - 1)));
    steps[i].steadiness = std::min(static_cast<double>(steadiness[i]) / kSteadiness, 1.0);
  }
  return true;
}

void write_more(ColumnWriter& out, std::span<const Statistics> steps) {
  Numbers resets, steadiness;
  for (const Statistics& step : steps) {
    resets.push_back(reset_number(step));
    steadiness.push_back(static_cast<std::uint64_t>(std::llround(step.steadiness * kSteadiness)));
  }
  out.column(resets);
  out.column(steadiness);
}

// The least number of decimals that says every value; kRawBits if none does.
std::uint64_t form_of(std::span<const Statistics> steps, double Statistics::* value, double tolerance) {
  for (std::uint64_t form = 0; form <= kMaxDecimals; ++form) {
    const auto says = [&](const Statistics& step) {
      const double units = step.*value * kPowers[form];
      return std::abs(units) < kMostUnits &&
             std::abs(std::round(units) / kPowers[form] - step.*value) <= tolerance * std::abs(step.*value);
    };
    if (std::ranges::all_of(steps, says)) return form;
  }
  return kRawBits;
}

void write_imported_values(ColumnWriter& out, std::span<const Statistics> steps) {
  for (const auto value : kValues) {
    const bool exact = value == &Statistics::state || value == &Statistics::sum;
    const std::uint64_t form = form_of(steps, value, exact ? 0 : kTolerance);
    out.number(form);
    Numbers column;
    std::int64_t last = 0;
    for (const Statistics& step : steps) {
      if (form == kRawBits) {
        column.push_back(std::bit_cast<std::uint64_t>(step.*value));
        continue;
      }
      const auto units = static_cast<std::int64_t>(std::llround(step.*value * kPowers[form]));
      column.push_back(zigzag(units - std::exchange(last, units)));
    }
    out.column(column);
  }
}

bool read_imported_values(ColumnReader& in, std::vector<Statistics>& steps) {
  for (const auto value : kValues) {
    std::uint64_t form;
    Numbers column;
    if (!in.number(form, kRawBits) || !in.column(column, steps.size())) return false;
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (form == kRawBits) {
        steps[i].*value = std::bit_cast<double>(column[i]);
        continue;
      }
      units += static_cast<std::uint64_t>(unzigzag(column[i]));
      steps[i].*value = static_cast<double>(static_cast<std::int64_t>(units)) / kPowers[form];
    }
  }
  return true;
}

std::uint64_t kind_of(const Statistics& step) {
  return (step.total ? kTotal : step.angle ? kAngle : 0) + (step.imported ? kImported : 0);
}

std::string imported_until_name(std::int64_t entity) {
  return fmt::format("imported_until.{}", entity);
}

std::string compress(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kDayLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

bool read(std::string_view bytes, std::vector<Statistics>& steps) {
  ColumnReader in(bytes);
  std::uint64_t version, count, day, decimals;
  if (!in.number(version) || version < kPlainVersion || version > kImportedVersion || !in.number(count, kStepsOfADay) ||
      !in.number(day, kLastDay) || !in.number(decimals, kDecimals))
    return false;
  const auto most_covered = version == kImportedVersion ? kHour : kStatisticsStep;
  Numbers gaps, covered, totals;
  if (!in.column(gaps, count) || !in.column(covered, count) || !in.column(totals, count)) return false;
  steps.resize(count);
  const base::Timestamp midnight{base::Duration(unzigzag(day) * kMicrosPerDay)};
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (gaps[i] >= kStepsOfADay || covered[i] > static_cast<std::uint64_t>(most_covered.count())) return false;
    place += gaps[i];
    steps[i].start = midnight + static_cast<std::int64_t>(place) * kStatisticsStep;
    steps[i].covered = base::Duration(covered[i]);
    steps[i].imported = version == kImportedVersion && (totals[i] & kImported) != 0;
    if (steps[i].imported) totals[i] -= kImported;
    steps[i].total = totals[i] == kTotal;
    steps[i].angle = totals[i] == kAngle;
  }
  if (place >= kStepsOfADay) return false;
  if (version == kImportedVersion) return read_imported_values(in, steps) && read_more(in, steps) && in.done();
  for (const auto value : kValues) {
    Numbers deltas;
    if (!in.column(deltas, count)) return false;
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < count; ++i) {
      units += static_cast<std::uint64_t>(unzigzag(deltas[i]));
      steps[i].*value = static_cast<double>(static_cast<std::int64_t>(units)) / kPowers[decimals];
    }
  }
  return (version == kPlainVersion || read_more(in, steps)) && in.done();
}

}  // namespace

std::int64_t statistics_row(std::int64_t entity, std::int64_t day) {
  constexpr std::int64_t kDays = 1 << 20;
  return entity * kDays + std::clamp<std::int64_t>(day, 0, kDays - 1);
}

std::string encode_statistics(std::span<const Statistics> steps) {
  ColumnWriter out;
  const bool plain = is_plain(steps), imported = std::ranges::any_of(steps, &Statistics::imported);
  out.number(imported ? kImportedVersion : plain ? kPlainVersion : kDayVersion);
  out.number(steps.size());
  const std::int64_t day = day_of(steps.front().start);
  out.number(zigzag(day));
  const int decimals = imported ? 0 : decimals_for(steps);
  out.number(static_cast<std::uint64_t>(decimals));
  Numbers gaps, covered, totals;
  base::Timestamp last_start{base::Duration(day * kMicrosPerDay)};
  for (const Statistics& step : steps) {
    gaps.push_back(static_cast<std::uint64_t>((step.start - last_start) / kStatisticsStep));
    last_start = step.start;
    covered.push_back(static_cast<std::uint64_t>(step.covered.count()));
    totals.push_back(kind_of(step));
  }
  out.column(gaps);
  out.column(covered);
  out.column(totals);
  if (imported) {
    write_imported_values(out, steps);
    write_more(out, steps);
    return compress(out.bytes());
  }
  const double scale = kPowers[decimals];
  for (const auto value : kValues) {
    Numbers deltas;
    std::int64_t last = 0;
    for (const Statistics& step : steps) {
      const auto units = static_cast<std::int64_t>(std::llround(step.*value * scale));
      deltas.push_back(zigzag(units - last));
      last = units;
    }
    out.column(deltas);
  }
  if (!plain) write_more(out, steps);
  return compress(out.bytes());
}

Result<std::vector<Statistics>> decode_statistics(storage::Blob bytes) {
  std::vector<Statistics> steps;
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  const bool sized = size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR && size <= kMaxDayBytes;
  if (sized && ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) == bytes.size()) {
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    std::string out(size, '\0');
    const std::size_t got = ZSTD_decompressDCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
    if (got == size && read(out, steps)) return steps;
  }
  return base::fail(base::ErrorCode::internal, "Statistics of a day are damaged.");
}

Result<void> store_statistics(storage::Database& database, std::int64_t entity, std::span<const Statistics> steps) {
  auto put = database.prepare("INSERT OR REPLACE INTO statistics VALUES(?, ?)");
  if (!put) return std::unexpected(std::move(put.error()));
  while (!steps.empty()) {
    const std::int64_t day = day_of(steps.front().start);
    std::size_t count = 1;
    while (count < steps.size() && day_of(steps[count].start) == day) ++count;
    const std::string packed = encode_statistics(steps.first(count));
    const storage::Blob blob{reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()};
    if (auto done = put->bind(statistics_row(entity, day), blob).run(); !done) return done;
    steps = steps.subspan(count);
  }
  return {};
}

Result<std::vector<Statistics>> stored_statistics(storage::Database& database, std::int64_t entity, std::int64_t first,
                                                  std::int64_t last) {
  auto select = database.prepare("SELECT data FROM statistics WHERE id >= ? AND id <= ? ORDER BY id");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Statistics> all;
  auto read = select->bind(statistics_row(entity, first), statistics_row(entity, last))
                  .for_each([&](const storage::Statement& row) {
                    if (const auto steps = decode_statistics(row.blob(0)))
                      all.insert(all.end(), steps->begin(), steps->end());
                  });
  if (!read) return std::unexpected(std::move(read.error()));
  return all;
}

Result<std::optional<std::int64_t>> first_stored_day(storage::Database& database, std::int64_t entity) {
  auto select = database.prepare("SELECT id FROM statistics WHERE id >= ? AND id < ? ORDER BY id LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistics_row(entity, 0), statistics_row(entity + 1, 0)).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<std::int64_t>();
  return std::optional(select->integer(0) - statistics_row(entity, 0));
}

Result<std::optional<bool>> stored_as_total(storage::Database& database, std::int64_t entity) {
  auto select = database.prepare("SELECT data FROM statistics WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistics_row(entity, 0), statistics_row(entity + 1, 0)).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<bool>();
  const auto steps = decode_statistics(select->blob(0));
  return std::optional(steps && !steps->empty() && steps->back().total);
}

Result<base::Timestamp> imported_until(storage::Database& database, std::int64_t entity) {
  const auto until = stored_number(database, imported_until_name(entity));
  if (!until) return std::unexpected(until.error());
  return base::Timestamp(base::Duration(*until));
}

Result<void> set_imported_until(storage::Database& database, std::int64_t entity, base::Timestamp until) {
  return store_number(database, imported_until_name(entity), until.time_since_epoch().count());
}

Result<Total> stored_total(storage::Database& database, std::int64_t entity, std::int64_t before) {
  auto select = database.prepare("SELECT data FROM statistics WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistics_row(entity, 0), statistics_row(entity, before)).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return Total{};
  const auto steps = decode_statistics(select->blob(0));
  return steps && !steps->empty() ? total_after(steps->back()) : Total{};
}

}  // namespace hearth::recorder
