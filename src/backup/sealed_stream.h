// SPDX-License-Identifier: Apache-2.0
// Bytes encrypted with a passphrase: a line that says how the key is derived (argon2id), then libsodium's secretstream
// (XChaCha20-Poly1305) in pieces of 64 KiB. The first piece authenticates the line, the last one marks the end.
//
// One thread at a time.
#pragma once

#include <sodium.h>

#include <optional>
#include <string>

#include "backup/byte_stream.h"
#include "base/json/json.h"

namespace hearth::backup {

constexpr std::size_t kMaxPassphrase = 1'024;  // bytes

// The unencrypted head: what the caller wants to be readable, and how the key is derived.
struct SealedHead {
  json::object told;
  std::uint64_t operations = 0;
  std::uint64_t memory = 0;  // bytes
  std::string salt;
  std::size_t size = 0;  // bytes of the head in the file
};

// Reads the first bytes of a file; null if it is not sealed. Fails with invalid if the head is damaged.
constexpr std::size_t kMaxSealedHead = 4'096;
base::Result<std::optional<SealedHead>> read_sealed_head(std::string_view start);

class SealingSink final : public ByteSink {
 public:
  // `out` must outlive this. Deriving the key takes a moment and 64 MiB. Fails with invalid if the passphrase is empty
  // or too long, with unavailable if memory runs out.
  static base::Result<SealingSink> create(ByteSink& out, std::string_view passphrase, const json::object& told);

  base::Result<void> write(std::string_view bytes) override;
  base::Result<void> finish() override;

 private:
  explicit SealingSink(ByteSink& out) : out_(out) {}
  base::Result<void> seal(std::string_view piece, unsigned char tag);

  ByteSink& out_;
  crypto_secretstream_xchacha20poly1305_state state_;
  std::string waiting_;
  std::string head_;  // until the first piece has authenticated it
};

class UnsealingSource final : public ByteSource {
 public:
  // `in`, which starts with the head, must outlive this. Fails like the sink, and with invalid if the passphrase is
  // wrong.
  static base::Result<UnsealingSource> create(ByteSource& in, std::string_view passphrase);

  base::Result<std::string_view> next() override;

 private:
  explicit UnsealingSource(ByteSource& in) : in_(in) {}
  // Up to that many bytes; less only at the end.
  base::Result<std::string> take(std::size_t size);

  ByteSource& in_;
  std::string rest_;  // of the last piece of `in`
  crypto_secretstream_xchacha20poly1305_state state_;
  std::string head_;  // until the first piece has authenticated it
  bool first_ = true, ended_ = false;
  std::string plain_;
};

}  // namespace hearth::backup
