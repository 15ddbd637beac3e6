// SPDX-License-Identifier: Apache-2.0
// Sends a client's bytes through parser, session and worker: the answers do not depend on how the bytes are cut, each
// is well formed, and no request exceeds the limits. An incomplete request may be refused earlier or later.
#include <fmt/format.h>

#include "base/json/json.h"
#include "base/testing/fuzz_check.h"
#include "http/fuzz_worker.h"

namespace {

using namespace hearth;

// Answers each request with all that was read of it.
class Echo final : public http::Handler {
 public:
  explicit Echo(const http::Limits& limits) : limits_(limits) {}

  std::optional<http::Response> check(http::Request& request) override {
    base::must(request.target_text.size() <= limits_.header_bytes, "the request line is bounded");
    for (const auto* text : {&request.target_text, &request.headers.host, &request.headers.authorization,
                             &request.headers.cookie, &request.headers.origin}) {
      base::must(text->find_first_of("\r\n") == std::string::npos && !text->contains('\0'), "a field is one line");
    }
    if (request.target.segment(0) == "early") return http::Response::message(401, "Early.");
    return {};
  }
  void handle(http::Request& request, http::Responder responder) override {
    base::must(request.body.size() <= limits_.body_bytes, "a body is bounded");
    json::array segments, query;
    for (std::size_t i = 0; i < request.target.size(); ++i) segments.emplace_back(request.target.segment(i));
    for (const auto& [name, value] : request.target.query()) query.push_back({name, value});
    const auto& headers = request.headers;
    std::string bytes;
    for (const auto& text :
         {request.method_text, request.target_text, request.body, headers.authorization, headers.content_type,
          headers.cookie, headers.host, headers.origin, headers.x_forwarded_for, headers.last_event_id}) {
      for (const char c : text) bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
      bytes += ' ';
    }
    responder.send(http::Response::json(base::to_json(json::object{{"segments", std::move(segments)},
                                                                   {"query", std::move(query)},
                                                                   {"bytes", bytes},
                                                                   {"client", request.client.to_string()},
                                                                   {"http_1_0", request.http_1_0}})));
  }

 private:
  const http::Limits& limits_;
};

http::FuzzServer<Echo>& server() {
  static auto& server = *new http::FuzzServer<Echo>([] {  // its thread lives as long as the program
    http::ServerOptions options;
    options.workers = 1;
    options.limits.header_bytes = 1'024;
    options.limits.header_fields = 16;
    options.limits.body_bytes = 2'048;
    options.trusted_proxies = {*base::IpNetwork::parse("192.0.2.0/24")};
    return options;
  }());
  return server;
}

// Checks that the text is a sequence of complete answers.
void check_answers(std::string_view said) {
  while (!said.empty()) {
    base::must(said.starts_with("HTTP/1.1 ") && said.size() > 12, "an answer begins with a status line");
    const std::string_view status = said.substr(9, 3);
    const auto end = said.find("\r\n\r\n");
    base::must(end != std::string_view::npos, "its head has an end");
    const std::string_view head = said.substr(0, end + 2);
    said.remove_prefix(end + 4);
    constexpr std::string_view field = "\r\nContent-Length: ";
    const auto at = head.find(field);
    if (at == std::string_view::npos) return base::must(status == "200" || status == "204", "a refusal has a length");
    const auto length = std::stoul(std::string(head.substr(at + field.size(), 10)));
    // The answer to HEAD has no body; only an answer starts like this.
    if (said.starts_with("HTTP/1.1 ") || said.empty()) continue;
    base::must(said.size() >= length, "its body is whole");
    said.remove_prefix(length);
  }
}

void check_same(std::string_view one, std::string_view other) {
  const auto longer = one.size() > other.size() ? one : other, shorter = one.size() > other.size() ? other : one;
  const auto rest = longer.starts_with(shorter) ? longer.substr(shorter.size()) : std::string_view();
  if (rest.starts_with("HTTP/1.1 4") && rest.contains("\r\nConnection: close\r\n")) return;
  base::must_equal(one, other, "the answers are the same however the requests are cut");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16 * 1024) return 0;
  std::string first;
  bool begun = false;
  const std::string text = std::string(base::fuzz_text(data, size)) + "\r\n\r\n";  // completes most inputs
  for (const auto& pieces : http::ways_to_split(text)) {
    const std::string said = http::without_moments(http::talk(server().worker(), pieces));
    check_answers(said);
    if (begun) check_same(said, first);
    begun = true;
    first = said;
  }
  return 0;
}
