// SPDX-License-Identifier: Apache-2.0
// A request as the configuration describes it, and how it is read and rendered. Plans are immutable after reading; any
// thread, except that rendering is for the bus thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "building_blocks/text_template.h"
#include "net/http/http_message.h"

namespace hearth::building_blocks {

struct RequestPlan {
  using Texts = std::vector<std::pair<std::string, TextTemplate>>;  // by name
  static constexpr std::size_t kMaxTexts = 64;                      // headers, and as many params
  static constexpr std::chrono::seconds kMaxTimeout{300};

  std::string method = "GET";
  TextTemplate url;
  Texts headers, params;  // params are added to the query
  std::optional<TextTemplate> payload;
  std::optional<net::HttpCredentials> credentials;
  std::chrono::milliseconds timeout = std::chrono::seconds(10);
  bool verify_ssl = true;

  bool has_header(std::string_view name) const;
  // Instead of those of that name, in any case.
  void set_header(std::string_view name, TextTemplate text);
  // A payload without a type is text.
  void add_content_type();
};

// These read keys, and note errors in `in`.
std::optional<TextTemplate> read_text_template(base::ConfigReader& in, std::string_view key);
// The address under the key, which must be there.
void read_url(base::ConfigReader& in, std::string_view key, TextTemplate& url);
// headers, username, password, authentication, timeout, verify_ssl.
void read_request(base::ConfigReader& in, RequestPlan& plan);
void read_headers(base::ConfigReader& in, RequestPlan& plan);
// username, password, authentication.
void read_credentials(base::ConfigReader& in, RequestPlan& plan);
void read_params(base::ConfigReader& in, RequestPlan& plan);
// A key that other hubs have, and that means nothing here, if it is set to true or a text.
void note_unused(base::ConfigReader& in, std::string_view key, std::vector<std::string>& warnings);

// As a query or a form has it.
std::string query_encoded(std::string_view text);
// With what is encoded already; a fragment is no part of a request.
void add_query(std::string& url, std::string_view query);

// The request with all templates rendered. Fails with invalid; the message begins with the key.
base::Result<net::HttpRequest> render_request(const RequestPlan& plan, const automation::Renderer& renderer,
                                              const templates::Variables& given);

}  // namespace hearth::building_blocks
