// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/secure_tar.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "base/digest.h"

namespace hearth::import_ha {
namespace {

using backup::ByteSource;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kSecureMagic = "SecureTar";
constexpr std::size_t kMagicSize = 16, kSizeSize = 16, kCbcSaltSize = 16, kBlock = 16;
constexpr std::size_t kTarMagicAt = 257;
constexpr int kHashings = 100;  // of versions 1 and 2
// Version 3.
constexpr unsigned long long kOperations = 8;
constexpr std::size_t kMemory = 16 * 1024 * 1024;
constexpr std::size_t kSalt = 16, kCheck = 32, kPiece = 1024 * 1024;
constexpr std::size_t kStreamHeader = crypto_secretstream_xchacha20poly1305_HEADERBYTES;
constexpr std::size_t kBox = kPiece + crypto_secretstream_xchacha20poly1305_ABYTES;
constexpr std::string_view kPersonal("SecureTarv3\0\0\0\0\0", crypto_generichash_blake2b_PERSONALBYTES);
constexpr std::uint64_t kNoSize = 0;  // in the header: it is not known

const unsigned char* octets_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* octets_of(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

std::unexpected<base::Error> secure_cut_short() {
  return base::fail(ErrorCode::unavailable, "it is cut short");
}
std::unexpected<base::Error> wrong_or_damaged() {
  return base::fail(ErrorCode::unavailable, std::string(kWrongPassphrase));
}

// A key, overwritten when it goes.
template <std::size_t Size>
struct Secret : std::array<unsigned char, Size> {
  ~Secret() { sodium_memzero(this->data(), Size); }
};

// Takes pieces of a wanted size from a source.
class PieceTaker {
 public:
  explicit PieceTaker(ByteSource& in) : in_(in) {}
  // Less only at the end.
  Result<std::string> take(std::size_t size) {
    std::string taken;
    taken.reserve(size);
    while (taken.size() < size) {
      if (rest_.empty()) {
        const auto piece = in_.next();
        if (!piece) return std::unexpected(piece.error());
        if (piece->empty()) break;
        rest_ = *piece;
      }
      const auto part = rest_.substr(0, size - taken.size());
      taken += part;
      rest_.remove_prefix(part.size());
    }
    return taken;
  }
  Result<bool> at_end() {
    if (!rest_.empty()) return false;
    const auto piece = in_.next();
    if (!piece) return std::unexpected(piece.error());
    rest_ = *piece;
    return rest_.empty();
  }

 private:
  ByteSource& in_;
  std::string_view rest_;  // of the last piece
};

Secret<crypto_hash_sha256_BYTES> hashed_often(std::string_view bytes) {
  Secret<crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), octets_of(bytes), bytes.size());
  for (int i = 1; i < kHashings; ++i) crypto_hash_sha256(hash.data(), hash.data(), hash.size());
  return hash;
}

// Versions 1 and 2: AES-128-CBC. Writers of version 1 left the padding out where the last block was full, so none is
// taken off: version 2 says the size, and in version 1 at most a block follows the end of the archive.
class CbcSource final : public ByteSource {
 public:
  static Result<std::unique_ptr<ByteSource>> create(PieceTaker in, std::string_view passphrase, std::string_view salt,
                                                    std::optional<std::uint64_t> size) {
    auto source = std::make_unique<CbcSource>(std::move(in), size);
    const auto key = hashed_often(passphrase);
    Secret<2 * kBlock> keyed_salt;
    std::memcpy(keyed_salt.data(), key.data(), kBlock);
    std::memcpy(keyed_salt.data() + kBlock, salt.data(), kBlock);
    const auto vector = hashed_often({reinterpret_cast<const char*>(keyed_salt.data()), keyed_salt.size()});
    if (!source->context_ ||
        EVP_DecryptInit_ex(source->context_.get(), EVP_aes_128_cbc(), nullptr, key.data(), vector.data()) != 1)
      return base::fail(ErrorCode::unavailable, "there is no AES-128-CBC in this system's OpenSSL");
    EVP_CIPHER_CTX_set_padding(source->context_.get(), 0);
    return source;
  }
  CbcSource(PieceTaker in, std::optional<std::uint64_t> size)
      : in_(std::move(in)), left_(size), context_(EVP_CIPHER_CTX_new()) {}

  Result<std::string_view> next() override {
    if (left_ && *left_ == 0) return std::string_view();
    const auto box = in_.take(kAtOnce);
    if (!box) return std::unexpected(box.error());
    if (box->empty() && !left_) return std::string_view();
    if (box->empty() || box->size() % kBlock != 0) return secure_cut_short();
    plain_.resize(box->size() + kBlock);
    int size = 0;
    if (EVP_DecryptUpdate(context_.get(), octets_of(plain_), &size, octets_of(*box), static_cast<int>(box->size())) !=
        1)
      return wrong_or_damaged();
    plain_.resize(static_cast<std::size_t>(size));
    if (left_) {
      if (plain_.size() > *left_) plain_.resize(static_cast<std::size_t>(*left_));
      *left_ -= plain_.size();
    }
    return std::string_view(plain_);
  }

 private:
  static constexpr std::size_t kAtOnce = 128 * 1024;
  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };

  PieceTaker in_;
  std::optional<std::uint64_t> left_;  // bytes that are still to come; null: until the end
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
  std::string plain_;
};

// Version 3: libsodium's secretstream.
class SecretStreamSource final : public ByteSource {
 public:
  static Result<std::unique_ptr<ByteSource>> create(PieceTaker in, std::string_view passphrase, std::uint64_t size) {
    const auto start = in.take(3 * kSalt + kCheck + kStreamHeader);
    if (!start) return std::unexpected(start.error());
    if (start->size() < 3 * kSalt + kCheck + kStreamHeader) return secure_cut_short();
    const std::string_view root_salt = std::string_view(*start).substr(0, kSalt);
    const std::string_view check_salt = std::string_view(*start).substr(kSalt, kSalt);
    const std::string_view check = std::string_view(*start).substr(2 * kSalt, kCheck);
    const std::string_view stream_salt = std::string_view(*start).substr(2 * kSalt + kCheck, kSalt);
    const std::string_view stream_header = std::string_view(*start).substr(3 * kSalt + kCheck);

    if (sodium_init() < 0) return base::fail(ErrorCode::unavailable, "there is no cryptography");
    Secret<crypto_secretstream_xchacha20poly1305_KEYBYTES> root;
    if (crypto_pwhash(root.data(), root.size(), passphrase.data(), passphrase.size(), octets_of(root_salt), kOperations,
                      kMemory, crypto_pwhash_ALG_ARGON2ID13) != 0)
      return base::fail(ErrorCode::unavailable, "there is not enough memory to derive its key");
    const auto derive = [&](std::string_view salt) {
      Secret<crypto_secretstream_xchacha20poly1305_KEYBYTES> key;
      crypto_generichash_blake2b_salt_personal(key.data(), key.size(), nullptr, 0, root.data(), root.size(),
                                               octets_of(salt), octets_of(kPersonal));
      return key;
    };
    if (sodium_memcmp(derive(check_salt).data(), check.data(), kCheck) != 0) return wrong_or_damaged();
    auto source = std::make_unique<SecretStreamSource>(std::move(in), size);
    if (crypto_secretstream_xchacha20poly1305_init_pull(&source->state_, octets_of(stream_header),
                                                        derive(stream_salt).data()) != 0)
      return base::fail(ErrorCode::unavailable, "it is damaged at its start");
    return source;
  }
  SecretStreamSource(PieceTaker in, std::uint64_t size) : in_(std::move(in)), size_(size) {}
  ~SecretStreamSource() override { sodium_memzero(&state_, sizeof(state_)); }

  Result<std::string_view> next() override {
    if (ended_) return std::string_view();
    const auto box = in_.take(kBox);
    if (!box) return std::unexpected(box.error());
    if (box->size() < crypto_secretstream_xchacha20poly1305_ABYTES) return secure_cut_short();
    plain_.resize(box->size() - crypto_secretstream_xchacha20poly1305_ABYTES);
    unsigned char tag = 0;
    if (crypto_secretstream_xchacha20poly1305_pull(&state_, octets_of(plain_), nullptr, &tag, octets_of(*box),
                                                   box->size(), nullptr, 0) != 0)
      return base::fail(ErrorCode::unavailable, "it is damaged, or cut short");
    bytes_ += plain_.size();
    if (tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL) {
      ended_ = true;
      const auto end = in_.at_end();
      if (!end) return std::unexpected(end.error());
      if (!*end) return base::fail(ErrorCode::unavailable, "it is damaged: something stands behind its end");
      if (size_ != kNoSize && size_ != bytes_)
        return base::fail(ErrorCode::unavailable, "it is damaged: its size is not what it says");
    } else if (plain_.size() < kPiece) {
      return secure_cut_short();
    }
    return std::string_view(plain_);
  }

 private:
  PieceTaker in_;
  const std::uint64_t size_;
  std::uint64_t bytes_ = 0;
  bool ended_ = false;
  crypto_secretstream_xchacha20poly1305_state state_;
  std::string plain_;
};

}  // namespace

Result<std::string_view> PeekedSource::peek(std::size_t size) {
  while (first_.size() < size) {
    const auto piece = in_.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) break;
    first_ += *piece;
  }
  return std::string_view(first_).substr(0, size);
}

Result<std::string_view> PeekedSource::next() {
  if (std::exchange(first_is_next_, false) && !first_.empty()) return std::string_view(first_);
  return in_.next();
}

bool is_gzip(std::string_view start) {
  return start.starts_with("\x1f\x8b\x08");
}
bool is_tar(std::string_view start) {
  return start.size() > kTarMagicAt && start.substr(kTarMagicAt).starts_with("ustar");
}
bool is_secure_tar(std::string_view start) {
  return start.starts_with(kSecureMagic);
}

Result<std::unique_ptr<ByteSource>> decrypt_secure_tar(PeekedSource& in, std::string_view passphrase) {
  PieceTaker taker(in);
  const auto magic = taker.take(kMagicSize);
  if (!magic) return std::unexpected(magic.error());
  if (magic->size() < kMagicSize) return secure_cut_short();
  if (!is_secure_tar(*magic)) return CbcSource::create(std::move(taker), passphrase, *magic, {});
  const int version = static_cast<unsigned char>((*magic)[kSecureMagic.size()]);
  if (version != 2 && version != 3) {
    return base::fail(
        ErrorCode::unavailable,
        fmt::format("it is encrypted in version {} of its format; this Hearth knows 1 to 3. Update Hearth", version));
  }
  if (std::ranges::any_of(magic->substr(kSecureMagic.size() + 1), [](char c) { return c != '\0'; }))
    return base::fail(ErrorCode::unavailable, "it is damaged at its start");
  const auto sizes = taker.take(kSizeSize);
  if (!sizes) return std::unexpected(sizes.error());
  if (sizes->size() < kSizeSize) return secure_cut_short();
  std::uint64_t size = 0;
  for (const char c : std::string_view(*sizes).substr(0, 8)) size = size << 8 | static_cast<unsigned char>(c);
  if (version == 3) return SecretStreamSource::create(std::move(taker), passphrase, size);
  const auto salt = taker.take(kCbcSaltSize);
  if (!salt) return std::unexpected(salt.error());
  if (salt->size() < kCbcSaltSize) return secure_cut_short();
  return CbcSource::create(std::move(taker), passphrase, *salt, size == kNoSize ? std::nullopt : std::optional(size));
}

}  // namespace hearth::import_ha
