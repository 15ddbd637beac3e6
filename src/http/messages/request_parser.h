// SPDX-License-Identifier: Apache-2.0
// Beast's parser with a sink that keeps only the fields that the hub reads. Beast checks grammar, framing and
// smuggling; Host, repeated and folded fields and the size of all fields are checked here. Trailers are counted and
// ignored.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/system/error_code.hpp>

#include "http/messages/limits.h"
#include "http/messages/request.h"

namespace hearth::http {

enum class RequestError { too_many_fields = 1, host, repeated_field, transfer_encoding, folded_line };
boost::system::error_code make_error_code(RequestError error);

class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  // Parses into `request`, which must outlive the parser.
  RequestParser(Request& request, const Limits& limits);

  // Like put; returns how much of the data was used.
  std::size_t parse(std::string_view data, boost::system::error_code& error);

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;
  using field = boost::beast::http::field;

  void on_request_impl(Verb method, string_view method_text, string_view target, int version, error_code&) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(field name, string_view name_text, string_view value, error_code& error) override;
  void on_header_impl(error_code& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override;
  std::size_t on_body_impl(string_view body, error_code&) override;
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t remaining, string_view body, error_code&) override;
  void on_finish_impl(error_code&) override {}

  void count(std::size_t bytes, error_code& error);
  bool folded(string_view name, string_view value) const;

  Request& request_;
  std::string_view data_;  // the input being parsed
  std::size_t fields_left_;
  std::size_t bytes_left_;  // of request line, fields and trailers; Beast's own limit restarts with each call
  bool head_done_ = false;
  bool has_host_ = false;
  bool has_transfer_encoding_ = false;
};

}  // namespace hearth::http

template <>
struct boost::system::is_error_code_enum<hearth::http::RequestError> : std::true_type {};
