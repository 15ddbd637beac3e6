// SPDX-License-Identifier: Apache-2.0
// Decrypts what the old hub's backups hold if they are protected, versions 1 to 3 of its format (section 11 of the
// import's specification).
//
// One thread at a time. Fails with unavailable if the passphrase is wrong, the bytes are damaged or cut short, or the
// version is unknown. No message holds the passphrase.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backup/byte_stream.h"

namespace hearth::import_ha {

// The first bytes of a source, and then all of it.
class PeekedSource final : public backup::ByteSource {
 public:
  // `in` must outlive this.
  explicit PeekedSource(backup::ByteSource& in) : in_(in) {}
  // Up to so many first bytes; call before `next`.
  base::Result<std::string_view> peek(std::size_t size);
  base::Result<std::string_view> next() override;

 private:
  backup::ByteSource& in_;
  std::string first_;
  bool first_is_next_ = true;
};

// True if the bytes, the first 512 of a file, are those of a gzip stream or of a tar archive.
bool is_gzip(std::string_view start);
bool is_tar(std::string_view start);
// True if they begin with the mark of an encrypted archive, which version 1 has not.
bool is_secure_tar(std::string_view start);

// The plain bytes of an encrypted archive, from its first byte on; `in` must outlive it. Deriving the key of version 3
// takes a moment and 16 MiB. Versions 1 and 2 authenticate nothing: a wrong passphrase shows in what comes out.
base::Result<std::unique_ptr<backup::ByteSource>> decrypt_secure_tar(PeekedSource& in, std::string_view passphrase);

constexpr std::string_view kWrongPassphrase = "the passphrase is wrong, or the file is damaged";

}  // namespace hearth::import_ha
