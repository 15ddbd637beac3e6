// SPDX-License-Identifier: Apache-2.0
// Compression of bodies, as the client accepts it. Any thread; scratch memory is per thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/body_file.h"

namespace hearth::http {

enum class Encoding { identity, gzip, zstd };

// What an Accept-Encoding field likes best (RFC 9110 §12.5.3); of what it likes equally zstd before gzip.
Encoding choose_encoding(std::string_view accept_encoding);
std::string_view to_string(Encoding encoding);

// As an answer is being made. REQUIRES: encoding is not identity. Empty where the library failed.
std::optional<std::string> compress(std::string_view body, Encoding encoding);
// As small as can be, however long it takes: for what is compressed once and sent often.
std::optional<std::string> compress_best(std::string_view body, Encoding encoding);
// The same of a body that comes in pieces: zstd is made piece by piece; gzip holds the whole. Throws where the library
// fails.
BodySource compress(BodySource source, Encoding encoding);

constexpr std::size_t kMinCompressed = 1024;  // smaller bodies go as they are

}  // namespace hearth::http
