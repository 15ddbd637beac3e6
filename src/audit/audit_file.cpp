// SPDX-License-Identifier: Apache-2.0
#include "audit/audit_file.h"

#include <fmt/format.h>

#include <system_error>

#include "audit/chain.h"
#include "audit/kinds.h"
#include "base/text/utf8.h"

namespace hearth::audit {
namespace {

using base::Result;
using storage::Transaction;

// Texts that repeat are stored once, and ids of 32 hexadecimal digits as 16 bytes. audit_start is the row before the
// oldest one.
constexpr std::array<std::string_view, 1> kSteps{R"(
  CREATE TABLE audit_texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE audit_rows(
    number INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    count INTEGER NOT NULL,
    what INTEGER NOT NULL,
    subject ANY NOT NULL,
    user_id INTEGER NOT NULL,
    user INTEGER NOT NULL,
    address INTEGER NOT NULL,
    client INTEGER NOT NULL,
    before_hash BLOB,
    after_hash BLOB,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE TABLE audit_start(number INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
  INSERT INTO audit_start VALUES(0, zeroblob(32));
)"};

constexpr std::string_view kSubject = "iif(typeof(r.subject) = 'blob', lower(hex(r.subject)), r.subject)";
constexpr std::string_view kColumns =
    "r.number, r.time, r.count, w.text, iif(typeof(r.subject) = 'blob', lower(hex(r.subject)), r.subject), i.text, "
    "u.text, a.text, c.text, r.before_hash, r.after_hash, r.hash";
constexpr std::string_view kJoined =
    "audit_rows r LEFT JOIN audit_texts w ON w.id = r.what LEFT JOIN audit_texts i ON i.id = r.user_id "
    "LEFT JOIN audit_texts u ON u.id = r.user LEFT JOIN audit_texts a ON a.id = r.address "
    "LEFT JOIN audit_texts c ON c.id = r.client";

std::string to_hex(storage::Blob bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::vector<std::uint8_t> from_hex(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) * 16 + digit(text[i + 1])));
  return bytes;
}

Row read_row(const storage::Statement& from) {
  Row row{from.integer(0), from.timestamp(1), {}, to_hex(from.blob(11))};
  const auto text = [&](int column) { return from.optional_string(column).value_or(""); };
  row.entry = {text(3),        text(4), text(5), text(6), text(7), text(8), to_hex(from.blob(9)), to_hex(from.blob(10)),
               from.integer(2)};
  return row;
}

bool is_id(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string cut_to_fit(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text), Entry::kMaxText);
}

}  // namespace

storage::Schema AuditFile::schema() {
  return {"audit", kSteps};
}

Result<AuditFile> AuditFile::open(const std::filesystem::path& file) {
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  // A log of some hundred pages, so that the files stay small.
  if (auto set = database->execute("PRAGMA wal_autocheckpoint = 100; PRAGMA journal_size_limit = 524288"); !set)
    return std::unexpected(std::move(set.error()));
  if (auto migrated = storage::migrate(*database, "audit", kSteps); !migrated)
    return std::unexpected(std::move(migrated.error()));
  return AuditFile(std::move(*database));
}

Result<AuditFile> AuditFile::open_to_read(const std::filesystem::path& file) {
  auto database = storage::Database::open_to_read(file);
  if (!database) return std::unexpected(std::move(database.error()));
  return AuditFile(std::move(*database));
}

Result<std::int64_t> AuditFile::text_id(std::string_view text) {
  auto select = database_.prepare("SELECT id FROM audit_texts WHERE text = ?1");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(text).step();
  if (!row) return std::unexpected(row.error());
  if (*row) return select->integer(0);
  auto insert = database_.prepare("INSERT INTO audit_texts(text) VALUES(?1) RETURNING id");
  if (!insert) return std::unexpected(std::move(insert.error()));
  const auto inserted = insert->bind(text).step();
  if (!inserted) return std::unexpected(inserted.error());
  const std::int64_t id = insert->integer(0);
  // Stepped to its end, otherwise the transaction cannot be committed.
  if (auto done = insert->step(); !done) return std::unexpected(std::move(done.error()));
  return id;
}

Result<Head> AuditFile::start() {
  auto select = database_.prepare("SELECT number, hash FROM audit_start");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return Head{};
  return Head{select->integer(0), to_hex(select->blob(1))};
}

Result<Head> AuditFile::head() {
  auto select = database_.prepare("SELECT number, hash FROM audit_rows ORDER BY number DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return start();
  return Head{select->integer(0), to_hex(select->blob(1))};
}

Result<Head> AuditFile::append(std::span<const Entry> entries, base::Timestamp now) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto last = append_within(entries, now);
  if (!last) return last;
  if (auto committed = transaction->commit(); !committed) return std::unexpected(std::move(committed.error()));
  return last;
}

Result<Head> AuditFile::append_within(std::span<const Entry> entries, base::Timestamp now) {
  auto last = head();
  if (!last) return last;
  auto insert = database_.prepare(
      "INSERT INTO audit_rows VALUES(?1, ?2, ?3, ?4, coalesce(?13, ?5), ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
  if (!insert) return std::unexpected(std::move(insert.error()));
  for (const Entry& given : entries) {
    Row row{last->number + 1, now, given, {}};
    for (std::string* text : {&row.entry.what, &row.entry.subject, &row.entry.user_id, &row.entry.user,
                              &row.entry.address, &row.entry.client})
      *text = cut_to_fit(*text);
    row.hash = hash_of(row, last->hash);
    std::array<std::int64_t, 5> ids{};
    std::size_t next = 0;
    for (const std::string* text :
         {&row.entry.what, &row.entry.user_id, &row.entry.user, &row.entry.address, &row.entry.client}) {
      const auto id = text_id(*text);
      if (!id) return std::unexpected(id.error());
      ids[next++] = *id;
    }
    const auto hash = from_hex(row.hash), before = from_hex(row.entry.before), after = from_hex(row.entry.after);
    const auto or_null = [](const auto& bytes) {
      return bytes.empty() ? std::optional<storage::Blob>() : std::optional<storage::Blob>(bytes);
    };
    const auto id = is_id(row.entry.subject) ? from_hex(row.entry.subject) : std::vector<std::uint8_t>();
    auto done = insert
                    ->bind(row.number, row.time, row.entry.count, ids[0], row.entry.subject, ids[1], ids[2], ids[3],
                           ids[4], or_null(before), or_null(after), storage::Blob(hash), or_null(id))
                    .run();
    if (!done) return std::unexpected(std::move(done.error()));
    *last = {row.number, std::move(row.hash)};
  }
  return last;
}

Result<bool> AuditFile::has_been(std::string_view id, std::string_view address) {
  auto select = database_.prepare(
      fmt::format("SELECT 1 FROM audit_rows r WHERE address = (SELECT id FROM audit_texts WHERE text = ?2) AND {} = ?1 "
                  "AND what IN (SELECT id FROM audit_texts WHERE text IN (?3, ?4)) LIMIT 1",
                  kSubject));
  if (!select) return std::unexpected(std::move(select.error()));
  return select->bind(id, address, kind::kNewAddress, kind::kSessionCreated).step();
}

Result<std::vector<Row>> AuditFile::rows_before(std::int64_t before, std::size_t limit) {
  auto select = database_.prepare(
      fmt::format("SELECT {} FROM {} WHERE r.number < ?1 ORDER BY r.number DESC LIMIT ?2", kColumns, kJoined));
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Row> rows;
  auto read =
      select->bind(before, limit).for_each([&](const storage::Statement& row) { rows.push_back(read_row(row)); });
  if (!read) return std::unexpected(std::move(read.error()));
  return rows;
}

Result<void> AuditFile::for_each(const std::function<bool(const Row&)>& take) {
  auto select = database_.prepare(fmt::format("SELECT {} FROM {} ORDER BY r.number", kColumns, kJoined));
  if (!select) return std::unexpected(std::move(select.error()));
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row || !take(read_row(*select))) return {};
  }
}

Result<AuditFile::Extent> AuditFile::extent() {
  auto select = database_.prepare(
      "SELECT coalesce((SELECT max(number) FROM audit_rows) - (SELECT number FROM audit_start), 0), coalesce((SELECT "
      "time FROM audit_rows ORDER BY number LIMIT 1), 0)");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  return Extent{select->integer(0), select->timestamp(1), database_.size()};
}

Result<std::int64_t> AuditFile::cut(base::Timestamp before, base::Timestamp now) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  Head last;
  std::int64_t going = 0;
  {
    // All up to the first one that stays; never the last one.
    auto select = database_.prepare(
        "SELECT number, hash FROM audit_rows WHERE number < "
        "min(coalesce((SELECT min(number) FROM audit_rows WHERE time >= ?1), 9223372036854775807), "
        "(SELECT max(number) FROM audit_rows)) ORDER BY number DESC LIMIT 1");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(before).step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return 0;
    last = {select->integer(0), to_hex(select->blob(1))};
  }
  const auto former = start();
  if (!former) return std::unexpected(former.error());
  going = last.number - former->number;
  const std::array<Entry, 1> said{Entry{
      .what = std::string(kind::kCut), .subject = fmt::format("{}", last.number), .client = "hub", .count = going}};
  if (auto appended = append_within(said, now); !appended) return std::unexpected(std::move(appended.error()));
  const auto hash = from_hex(last.hash);
  if (auto set = database_.run("UPDATE audit_start SET number = ?1, hash = ?2", last.number, storage::Blob(hash)); !set)
    return std::unexpected(std::move(set.error()));
  if (auto gone = database_.run("DELETE FROM audit_rows WHERE number <= ?1", last.number); !gone)
    return std::unexpected(std::move(gone.error()));
  auto texts = database_.execute(
      "DELETE FROM audit_texts WHERE id NOT IN (SELECT what FROM audit_rows UNION SELECT user_id FROM audit_rows UNION "
      "SELECT user FROM audit_rows UNION SELECT address FROM audit_rows UNION SELECT client FROM audit_rows)");
  if (!texts) return std::unexpected(std::move(texts.error()));
  if (auto committed = transaction->commit(); !committed) return std::unexpected(std::move(committed.error()));
  return going;
}

Result<AuditFile::Verdict> AuditFile::verify(const std::optional<Head>& expected, const storage::GoOn& go_on) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto first = start();
  if (!first) return std::unexpected(first.error());
  Verdict verdict{0, *first, {}};
  std::string cut_at = "0";
  bool met = !expected || expected->number <= first->number;
  if (expected && expected->number == first->number && expected->hash != first->hash)
    verdict.problem = fmt::format("row {}, where the log was cut, is not the one that was written down", first->number);
  bool cancelled = false;
  auto read = for_each([&](const Row& row) {
    if (verdict.problem) return false;
    if (go_on && verdict.rows % 1'000 == 0 && !go_on()) return cancelled = true, false;
    const std::int64_t next = verdict.head.number + 1;
    if (row.number != next)
      verdict.problem = row.number > next ? fmt::format("row {} is missing", next)
                                          : fmt::format("row {} was added before the oldest one", row.number);
    else if (row.hash != hash_of(row, verdict.head.hash))
      verdict.problem = fmt::format("row {} was changed, or is not in its place", row.number);
    else if (expected && expected->number == row.number && expected->hash != row.hash)
      verdict.problem = fmt::format("row {} is not the one that was written down", row.number);
    if (verdict.problem) return false;
    met = met || (expected && expected->number == row.number);
    if (row.entry.what == kind::kCut) cut_at = row.entry.subject;
    ++verdict.rows;
    verdict.head = {row.number, row.hash};
    return true;
  });
  if (!read) return std::unexpected(std::move(read.error()));
  if (cancelled) return base::fail(base::ErrorCode::unavailable, "The check was cancelled.");
  if (!verdict.problem && cut_at != fmt::format("{}", first->number))
    verdict.problem = fmt::format("the rows up to {} are missing, and no row says that they were cut", first->number);
  if (!verdict.problem && !met)
    verdict.problem = fmt::format("the end is missing: row {} was written down, and {} is the last one",
                                  expected->number, verdict.head.number);
  return verdict;
}

std::string head_text(const std::filesystem::path& folder) {
  std::error_code absent;
  const auto path = folder / kFileName;
  if (!std::filesystem::exists(path, absent)) return {};
  auto file = AuditFile::open_to_read(path);
  if (!file) return {};
  const auto head = file->head();
  return head && head->number > 0 ? to_string(*head) : std::string();
}

}  // namespace hearth::audit
