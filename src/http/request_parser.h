// SPDX-License-Identifier: Apache-2.0
// Beast's parser with a sink that keeps only what some part of the hub reads. Grammar, framing and smuggling rules are Beast's;
// Host, repeated fields and the number of fields are checked here.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/system/error_code.hpp>

#include "http/limits.h"
#include "http/request.h"

namespace hearth::http {

enum class RequestError { too_many_fields = 1, host, repeated_field, transfer_encoding };
boost::system::error_code make_error_code(RequestError error);

class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  // Reads into `request`, which outlives the parser.
  RequestParser(Request& request, const Limits& limits);

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

  Request& request_;
  std::size_t fields_left_;
  bool has_host_ = false;
  bool has_transfer_encoding_ = false;
};

}  // namespace hearth::http

template <>
struct boost::system::is_error_code_enum<hearth::http::RequestError> : std::true_type {};
