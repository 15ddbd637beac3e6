// SPDX-License-Identifier: Apache-2.0
// An answer before it is serialised.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/messages/body_file.h"
#include "http/messages/compression.h"

namespace hearth::http {

// The rest of a body, made on another thread in pieces (about 256 KiB), each requested when the client has taken the
// one before. Owned by the session; destroyed with the connection.
class PieceSource {
 public:
  struct Piece {
    std::string bytes;
    bool more;
  };
  virtual ~PieceSource() = default;
  // Worker thread. `ready` is called once, on any thread. If it is called without a piece, or destroyed uncalled, the
  // connection is cut, which tells the client that the body is incomplete.
  virtual void next(std::function<void(std::optional<Piece>)> ready) = 0;
};

struct Response {
  static constexpr std::string_view kJson = "application/json";
  static constexpr std::string_view kNoStore = "no-store";

  int status = 200;
  std::string_view content_type = kJson;  // a literal; empty if there is no content
  // A literal. The default forbids everybody to store the answer.
  std::string_view cache_control = kNoStore;
  std::string headers;      // further header lines, each ending in \r\n
  bool close = false;       // end the connection after it
  bool negotiated = false;  // its encoding is already chosen: no compression

  // The body, one of these:
  std::string text;                   // owned
  std::shared_ptr<const void> owner;  // keeps `view` alive: existing bytes
  std::string_view view;
  BodySource source;  // for bodies too long to hold in memory; runs on the worker
  BodyFilePtr file;   // sent with sendfile
  struct Part {
    std::size_t first, length;
  };
  std::optional<Part> part;  // of the file; null: all of it
  // The body after `text`. Such a body is not compressed.
  std::shared_ptr<PieceSource> pieces;
  std::optional<std::size_t> length;  // of text and pieces together, if known

  std::string_view body() const { return owner ? view : std::string_view(text); }

  static Response json(std::string body, int status = 200);
  // Bytes that `owner` keeps alive.
  static Response shared(std::shared_ptr<const void> owner, std::string_view body, int status = 200);
  // `file` holds the body in this encoding, which the client accepts.
  static Response kept(BodyFilePtr file, Encoding encoding);
  // The specification's Message object.
  [[gnu::cold]] static Response message(int status, std::string_view text);
  // The one place that maps errors to status codes.
  [[gnu::cold]] static Response error(const base::Error& error);

  Response& with_header(std::string_view name, std::string_view value);
};

std::string_view reason_phrase(int status);

}  // namespace hearth::http
