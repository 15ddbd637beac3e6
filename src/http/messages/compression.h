// SPDX-License-Identifier: Apache-2.0
// Compresses bodies as clients accept it. Any thread; scratch memory is per thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/messages/body_file.h"

namespace hearth::http {

enum class Encoding { identity, gzip, zstd };

// The preferred encoding of an Accept-Encoding field (RFC 9110 §12.5.3); zstd before gzip if both are equal.
Encoding choose_encoding(std::string_view accept_encoding);
// True if an Accept-Encoding field names the coding, and does not refuse it.
bool accepts(std::string_view accept_encoding, std::string_view coding);
std::string_view to_string(Encoding encoding);

// Fast, for an answer that is being made. REQUIRES: encoding is not identity. Null if the library failed.
std::optional<std::string> compress(std::string_view body, Encoding encoding);
// As small as possible, however long it takes: for content that is compressed once and sent often.
std::optional<std::string> compress_best(std::string_view body, Encoding encoding);
// The body again, of the zstd of compress_best. Throws if it is something else.
std::string decompress_zstd(std::string_view frame);
// As `compress` for a body in pieces: zstd is compressed piece by piece; gzip holds the whole. Throws if the library
// fails.
BodySource compress(BodySource source, Encoding encoding);

constexpr std::size_t kMinCompressed = 1024;  // bytes; smaller bodies are not compressed

}  // namespace hearth::http
