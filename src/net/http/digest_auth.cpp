// SPDX-License-Identifier: Apache-2.0
#include "net/http/digest_auth.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <utility>

#include "base/text/text.h"

namespace hearth::net {
namespace {

using Algorithm = DigestChallenge::Algorithm;

bool is_token_char(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kOthers.contains(c);
}

// Reads `scheme name=value, name="value", scheme …` (RFC 9110 §11.6.1).
class ChallengeReader {
 public:
  explicit ChallengeReader(std::string_view text) : rest_(text) {}

  // Null at the end, or if what follows cannot be read.
  struct Part {
    std::string_view scheme;  // of a new challenge; empty: it is a parameter
    std::string_view name;
    std::string value;
  };
  std::optional<Part> next() {
    skip(", \t");
    const std::string_view word = token();
    if (word.empty()) return {};
    const std::string_view after = rest_;
    skip(" \t");
    if (!rest_.starts_with('=')) {
      rest_ = after;
      return Part{word, {}, {}};
    }
    rest_.remove_prefix(1);
    skip(" \t");
    if (rest_.starts_with('"')) {
      auto value = quoted();
      if (!value) return {};
      return Part{{}, word, std::move(*value)};
    }
    return Part{{}, word, std::string(token68())};
  }

 private:
  void skip(std::string_view which) { rest_.remove_prefix(std::min(rest_.find_first_not_of(which), rest_.size())); }
  std::string_view token() {
    std::size_t end = 0;
    while (end < rest_.size() && is_token_char(rest_[end])) ++end;
    return take(end);
  }
  // A token, or what other schemes have in its place.
  std::string_view token68() { return take(std::min(rest_.find_first_of(", \t"), rest_.size())); }
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::optional<std::string> quoted() {
    std::string value;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') return rest_.remove_prefix(i + 1), value;
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      value += rest_[i];
    }
    return {};
  }

  std::string_view rest_;
};

// Of one challenge, as it was read.
struct DigestParts {
  DigestChallenge challenge;
  bool is_digest = false, known = true, has_nonce = false;

  bool usable() const { return is_digest && known && has_nonce; }
};

// True if a list such as `auth, auth-int` has the word.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (base::equals_ignoring_case(base::trim_blanks(list.substr(0, end)), word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

void set_algorithm(DigestParts& parts, std::string_view name) {
  constexpr std::string_view kSession = "-sess";
  if (name.size() > kSession.size() &&
      base::equals_ignoring_case(name.substr(name.size() - kSession.size()), kSession)) {
    parts.challenge.session = true;
    name.remove_suffix(kSession.size());
  }
  if (base::equals_ignoring_case(name, "MD5"))
    parts.challenge.algorithm = Algorithm::md5;
  else if (base::equals_ignoring_case(name, "SHA-256"))
    parts.challenge.algorithm = Algorithm::sha256;
  else if (base::equals_ignoring_case(name, "SHA-512-256"))
    parts.challenge.algorithm = Algorithm::sha512_256;
  else
    parts.known = false;
}

void set_parameter(DigestParts& parts, std::string_view name, std::string value) {
  const auto is = [&](std::string_view expected) { return base::equals_ignoring_case(name, expected); };
  if (is("realm")) {
    parts.challenge.realm = std::move(value);
  } else if (is("nonce")) {
    parts.has_nonce = true;
    parts.challenge.nonce = std::move(value);
  } else if (is("opaque")) {
    parts.challenge.opaque = std::move(value);
  } else if (is("stale")) {
    parts.challenge.stale = base::equals_ignoring_case(value, "true");
  } else if (is("algorithm")) {
    set_algorithm(parts, value);
  } else if (is("qop")) {
    parts.challenge.with_qop = has_word(value, "auth");
    parts.known = parts.known && parts.challenge.with_qop;
  }
}

std::string_view algorithm_name(Algorithm algorithm) {
  return algorithm == Algorithm::md5 ? "MD5" : algorithm == Algorithm::sha256 ? "SHA-256" : "SHA-512-256";
}

// As lower-case hexadecimal digits; empty if OpenSSL lacks it.
std::string hashed(Algorithm algorithm, std::string_view text) {
  const ::EVP_MD* const kind = algorithm == Algorithm::md5      ? EVP_md5()
                               : algorithm == Algorithm::sha256 ? EVP_sha256()
                                                                : EVP_sha512_256();
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), bytes.data(), &size, kind, nullptr) != 1) return {};
  std::string digits;
  for (unsigned i = 0; i < size; ++i) digits += fmt::format("{:02x}", bytes[i]);
  return digits;
}

std::string as_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    // Never a line end within a field.
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
  }
  return out += '"';
}

}  // namespace

std::optional<DigestChallenge> parse_digest_challenges(const std::vector<std::string_view>& fields) {
  std::optional<DigestChallenge> best;
  const auto consider = [&](DigestParts& parts) {
    if (parts.usable() && (!best || best->algorithm < parts.challenge.algorithm)) best = std::move(parts.challenge);
    parts = {};
  };
  for (const std::string_view field : fields) {
    ChallengeReader reader(field);
    DigestParts parts;
    while (auto part = reader.next()) {
      if (part->scheme.empty()) {
        set_parameter(parts, part->name, std::move(part->value));
      } else {
        consider(parts);
        parts.is_digest = base::equals_ignoring_case(part->scheme, "Digest");
      }
    }
    consider(parts);
  }
  return best;
}

std::string answer_digest(const DigestChallenge& challenge, const DigestRequest& request) {
  const auto hash = [&](std::string_view text) { return hashed(challenge.algorithm, text); };
  std::string a1 = hash(fmt::format("{}:{}:{}", request.user, challenge.realm, request.password));
  if (a1.empty()) return {};
  if (challenge.session) a1 = hash(fmt::format("{}:{}:{}", a1, challenge.nonce, request.client_nonce));
  const std::string a2 = hash(fmt::format("{}:{}", request.method, request.target));
  const std::string count = fmt::format("{:08x}", request.count);
  const std::string response =
      challenge.with_qop
          ? hash(fmt::format("{}:{}:{}:{}:auth:{}", a1, challenge.nonce, count, request.client_nonce, a2))
          : hash(fmt::format("{}:{}:{}", a1, challenge.nonce, a2));
  std::string field = fmt::format("Digest username={}, realm={}, nonce={}, uri={}, response=\"{}\", algorithm={}{}",
                                  as_quoted(request.user), as_quoted(challenge.realm), as_quoted(challenge.nonce),
                                  as_quoted(request.target), response, algorithm_name(challenge.algorithm),
                                  challenge.session ? "-sess" : "");
  if (challenge.with_qop) field += fmt::format(", qop=auth, nc={}", count);
  if (challenge.with_qop || challenge.session) field += fmt::format(", cnonce={}", as_quoted(request.client_nonce));
  if (challenge.opaque) field += fmt::format(", opaque={}", as_quoted(*challenge.opaque));
  return field;
}

std::string basic_authorization(std::string_view user, std::string_view password) {
  const std::string plain = fmt::format("{}:{}", user, password);
  std::string coded((plain.size() + 2) / 3 * 4 + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(coded.data()),
                      reinterpret_cast<const unsigned char*>(plain.data()), static_cast<int>(plain.size()));
  coded.resize(static_cast<std::size_t>(size));
  return "Basic " + coded;
}

}  // namespace hearth::net
