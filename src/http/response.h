// SPDX-License-Identifier: Apache-2.0
// An answer before it becomes bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/body_file.h"
#include "http/compression.h"

namespace hearth::http {

// The rest of a body, made on another thread in pieces (about 256 KiB) that are asked for one at a time: whoever makes
// them does not run ahead of the client. Owned by the session; gone with the connection.
class PieceSource {
 public:
  struct Piece {
    std::string bytes;
    bool more;
  };
  virtual ~PieceSource() = default;
  // Worker thread. `ready` is called once, on any thread; without a piece, or if it is destroyed uncalled, the
  // connection is cut, which tells the client that the body has no end.
  virtual void next(std::function<void(std::optional<Piece>)> ready) = 0;
};

struct Response {
  static constexpr std::string_view kJson = "application/json";
  static constexpr std::string_view kNoStore = "no-store";

  int status = 200;
  std::string_view content_type = kJson;  // a literal; empty where there is no content
  // A literal. Who may keep the answer: nobody, unless it says what everybody may know.
  std::string_view cache_control = kNoStore;
  std::string headers;      // further header lines, each ending in \r\n
  bool close = false;       // end the connection behind it
  bool negotiated = false;  // its encoding is chosen already: it goes as it is

  // The body, one of these:
  std::string text;                   // owned
  std::shared_ptr<const void> owner;  // keeps `view` alive: bytes that exist already
  std::string_view view;
  BodySource source;  // for bodies too long to hold; runs on the worker
  BodyFilePtr file;   // sent from where it lies
  // What comes behind `text`. Such a body is sent as it is, without compression.
  std::shared_ptr<PieceSource> pieces;
  std::optional<std::size_t> length;  // of text and pieces together, where it is known

  std::string_view body() const { return owner ? view : std::string_view(text); }

  static Response json(std::string body, int status = 200);
  // Bytes that `owner` keeps alive.
  static Response shared(std::shared_ptr<const void> owner, std::string_view body, int status = 200);
  // `file` has the body in this encoding already, which the client accepts.
  static Response kept(BodyFilePtr file, Encoding encoding);
  // The specification's Message object.
  [[gnu::cold]] static Response message(int status, std::string_view text);
  // The one place where an error finds its status code.
  [[gnu::cold]] static Response error(const base::Error& error);

  Response& with_header(std::string_view name, std::string_view value);
};

std::string_view reason_phrase(int status);

}  // namespace hearth::http
