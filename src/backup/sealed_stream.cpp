// SPDX-License-Identifier: Apache-2.0
#include "backup/sealed_stream.h"

#include <array>

namespace hearth::backup {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kSealedMagic = "hearth-sealed-backup ";
constexpr std::uint64_t kOperations = 4, kMemory = 64 << 20;
constexpr std::uint64_t kMaxOperations = 64, kMaxMemory = 1 << 30;  // for files of others
constexpr std::size_t kSealedPiece = 64 * 1024;
constexpr std::size_t kOverhead = crypto_secretstream_xchacha20poly1305_ABYTES;
constexpr std::size_t kStreamHead = crypto_secretstream_xchacha20poly1305_HEADERBYTES;

using Key = std::array<unsigned char, crypto_secretstream_xchacha20poly1305_KEYBYTES>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

Result<Key> make_key(std::string_view passphrase, const SealedHead& head) {
  if (passphrase.empty()) return base::fail(ErrorCode::invalid, "The passphrase is empty.");
  if (passphrase.size() > kMaxPassphrase) return base::fail(ErrorCode::invalid, "The passphrase is too long.");
  Key key;
  if (sodium_init() < 0 ||
      crypto_pwhash(key.data(), key.size(), passphrase.data(), passphrase.size(), bytes_of(head.salt), head.operations,
                    head.memory, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return base::fail(ErrorCode::unavailable, "There is not enough memory for the passphrase.");
  }
  return key;
}

std::string hex(std::string_view bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes_of(bytes), bytes.size());
  text.pop_back();
  return text;
}

std::optional<std::uint64_t> number(const json::object& object, std::string_view key, std::uint64_t most) {
  const json::value* const value = object.if_contains(key);
  if (!value || !value->is_int64() || value->get_int64() < 1) return {};
  const auto found = static_cast<std::uint64_t>(value->get_int64());
  return found <= most ? std::optional(found) : std::nullopt;
}

}  // namespace

Result<std::optional<SealedHead>> read_sealed_head(std::string_view start) {
  if (!start.starts_with(kSealedMagic)) return std::optional<SealedHead>();
  const auto damaged = base::fail(ErrorCode::invalid, "its head is damaged");
  const auto end = start.substr(0, kMaxSealedHead).find('\n');
  if (end == std::string_view::npos) return damaged;
  const auto parsed = base::parse_json(start.substr(kSealedMagic.size(), end - kSealedMagic.size()));
  if (!parsed || !parsed->is_object()) return damaged;
  const json::object& line = parsed->get_object();
  const json::value* const told = line.if_contains("backup");
  const json::value* const kdf = line.if_contains("argon2id");
  if (!told || !told->is_object() || !kdf || !kdf->is_object()) return damaged;
  const auto operations = number(kdf->get_object(), "operations", kMaxOperations);
  const auto memory = number(kdf->get_object(), "memory", kMaxMemory);
  const json::value* const salt = kdf->get_object().if_contains("salt");
  if (!operations || !memory || !salt || !salt->is_string()) return damaged;
  SealedHead head{told->get_object(), *operations, *memory, std::string(crypto_pwhash_SALTBYTES, '\0'), end + 1};
  std::size_t size = 0;
  const auto& text = salt->get_string();
  if (sodium_hex2bin(bytes_of(head.salt), head.salt.size(), text.data(), text.size(), nullptr, &size, nullptr) != 0 ||
      size != head.salt.size())
    return damaged;
  return std::optional(std::move(head));
}

Result<SealingSink> SealingSink::create(ByteSink& out, std::string_view passphrase, const json::object& told) {
  SealedHead head{told, kOperations, kMemory, std::string(crypto_pwhash_SALTBYTES, '\0'), 0};
  randombytes_buf(head.salt.data(), head.salt.size());
  auto key = make_key(passphrase, head);
  if (!key) return std::unexpected(std::move(key.error()));
  SealingSink sink(out);
  sink.head_ = kSealedMagic;
  base::write_json(
      sink.head_,
      json::object{
          {"backup", told},
          {"argon2id", json::object{{"operations", kOperations}, {"memory", kMemory}, {"salt", hex(head.salt)}}}});
  sink.head_ += '\n';
  std::string stream_head(kStreamHead, '\0');
  crypto_secretstream_xchacha20poly1305_init_push(&sink.state_, bytes_of(stream_head), key->data());
  sodium_memzero(key->data(), key->size());
  if (auto done = out.write(sink.head_); !done) return std::unexpected(std::move(done.error()));
  if (auto done = out.write(stream_head); !done) return std::unexpected(std::move(done.error()));
  return sink;
}

Result<void> SealingSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (waiting_.size() == kSealedPiece) {
      if (auto done = seal(waiting_, 0); !done) return done;
      waiting_.clear();
    }
    const std::size_t fits = std::min(kSealedPiece - waiting_.size(), bytes.size());
    waiting_ += bytes.substr(0, fits);
    bytes.remove_prefix(fits);
  }
  return {};
}

Result<void> SealingSink::finish() {
  if (auto done = seal(waiting_, crypto_secretstream_xchacha20poly1305_TAG_FINAL); !done) return done;
  return out_.finish();
}

Result<void> SealingSink::seal(std::string_view piece, unsigned char tag) {
  std::string sealed(piece.size() + kOverhead, '\0');
  crypto_secretstream_xchacha20poly1305_push(&state_, bytes_of(sealed), nullptr, bytes_of(piece), piece.size(),
                                             bytes_of(std::string_view(head_)), head_.size(), tag);
  head_.clear();
  return out_.write(sealed);
}

Result<UnsealingSource> UnsealingSource::create(ByteSource& in, std::string_view passphrase) {
  UnsealingSource source(in);
  auto start = source.take(kMaxSealedHead);
  if (!start) return std::unexpected(std::move(start.error()));
  const auto head = read_sealed_head(*start);
  if (!head) return std::unexpected(head.error());
  if (!*head) return base::fail(ErrorCode::invalid, "it has no passphrase");
  source.head_ = start->substr(0, (*head)->size);
  source.rest_ = start->substr((*head)->size) + source.rest_;
  const auto stream_head = source.take(kStreamHead);
  if (!stream_head) return std::unexpected(stream_head.error());
  if (stream_head->size() < kStreamHead) return base::fail(ErrorCode::invalid, "it is cut short");
  auto key = make_key(passphrase, **head);
  if (!key) return std::unexpected(std::move(key.error()));
  const bool ready =
      crypto_secretstream_xchacha20poly1305_init_pull(&source.state_, bytes_of(*stream_head), key->data()) == 0;
  sodium_memzero(key->data(), key->size());
  if (!ready) return base::fail(ErrorCode::invalid, "it is damaged");
  return source;
}

Result<std::string> UnsealingSource::take(std::size_t size) {
  std::string taken = std::move(rest_);
  rest_.clear();
  while (taken.size() < size) {
    const auto piece = in_.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) return taken;
    taken += *piece;
  }
  rest_ = taken.substr(size);
  taken.resize(size);
  return taken;
}

Result<std::string_view> UnsealingSource::next() {
  for (;;) {
    const auto sealed = take(kSealedPiece + kOverhead);
    if (!sealed) return std::unexpected(sealed.error());
    if (ended_ && sealed->empty()) return std::string_view();
    if (ended_) return base::fail(ErrorCode::invalid, "something stands behind its end");
    if (sealed->size() < kOverhead) return base::fail(ErrorCode::invalid, "it is cut short");
    plain_.resize(sealed->size() - kOverhead);
    unsigned char tag;
    if (crypto_secretstream_xchacha20poly1305_pull(&state_, bytes_of(plain_), nullptr, &tag, bytes_of(*sealed),
                                                   sealed->size(), bytes_of(std::string_view(head_)),
                                                   head_.size()) != 0) {
      return base::fail(ErrorCode::invalid,
                        first_ ? "the passphrase is wrong, or it is damaged" : "it is damaged or cut short");
    }
    first_ = false;
    head_.clear();
    ended_ = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
    if (!plain_.empty()) return plain_;
  }
}

}  // namespace hearth::backup
