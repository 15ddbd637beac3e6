// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/passkey.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <memory>

#include "auth/factors/fido_library.h"
#include "base/digest.h"
#include "base/json/json.h"
#include "base/net/web_origin.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;

constexpr int kBase64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
// Of authenticator data (§6.1): the hash of the relying party's id, flags, a counter.
constexpr std::size_t kHashBytes = 32, kLeastData = 37, kMostData = 4'096;
constexpr unsigned kUserPresent = 0x01, kUserVerified = 0x04, kHasCredential = 0x40;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string text_of(const unsigned char* data, std::size_t size) {
  return data ? std::string(reinterpret_cast<const char*>(data), size) : std::string();
}

// Both ceremonies check this of the client's data and the authenticator's (§7.1, steps 7 to 15; §7.2, 11 to 17).
Result<void> check_answer(const PasskeyChallenge& asked, const PasskeyAnswer& answer, std::string_view type) {
  const auto parsed = base::parse_json(answer.client_data);
  const json::object* const data = parsed ? parsed->if_object() : nullptr;
  if (!data) return fail(ErrorCode::invalid, "client_data is no JSON object.");
  const auto is = [&](std::string_view key, std::string_view expected) {
    const json::value* const value = data->if_contains(key);
    return value && value->is_string() && std::string_view(value->get_string()) == expected;
  };
  if (!is("type", type)) return fail(ErrorCode::invalid, fmt::format("client_data is not of the type {}.", type));
  if (!is("challenge", to_base64url(asked.bytes))) return fail(ErrorCode::invalid, "The challenge is another one.");
  if (!is("origin", asked.party.origin)) return fail(ErrorCode::invalid, "The key was asked for by another page.");
  const json::value* const crossed = data->if_contains("crossOrigin");
  if (crossed && *crossed != json::value(false)) {
    return fail(ErrorCode::invalid, "The key was asked for from within another page.");
  }
  const std::string_view signed_data = answer.authenticator_data;
  if (signed_data.size() < kLeastData || signed_data.size() > kMostData) {
    return fail(ErrorCode::invalid, "The authenticator's data is cut, or too long.");
  }
  const auto party = base::sha256(asked.party.id);
  if (!std::ranges::equal(party, std::string_view(signed_data).substr(0, kHashBytes), {}, {},
                          [](char c) { return static_cast<unsigned char>(c); })) {
    return fail(ErrorCode::invalid, "The key is one for another site.");
  }
  const auto flags = static_cast<unsigned char>(signed_data[kHashBytes]);
  if (!(flags & kUserPresent)) return fail(ErrorCode::invalid, "Nobody was there: the key was not touched.");
  if (!(flags & kUserVerified)) {
    return fail(ErrorCode::invalid, "The key has not asked for a PIN or a finger.");
  }
  return {};
}

// A public key as libfido2 takes it.
using PublicKey = std::unique_ptr<void, void (*)(void*)>;

template <class Key>
PublicKey read_key(Key* (*make)(), int (*read)(Key*, const void*, std::size_t), void (*free)(void*),
                   std::string_view text) {
  Key* const key = make();
  PublicKey owner(key, free);
  if (key && read(key, text.data(), text.size()) != FIDO_OK) owner.reset();
  return owner;
}

PublicKey read_public_key(const FidoLibrary& fido, const Passkey& key) {
  switch (key.algorithm) {
    case COSE_ES256:
      return read_key<es256_pk_t>(
          fido.new_es256, fido.read_es256,
          [](void* each) {
            auto* typed = static_cast<es256_pk_t*>(each);
            fido_library()->free_es256(&typed);
          },
          key.public_key);
    case COSE_EDDSA:
      return read_key<eddsa_pk_t>(
          fido.new_eddsa, fido.read_eddsa,
          [](void* each) {
            auto* typed = static_cast<eddsa_pk_t*>(each);
            fido_library()->free_eddsa(&typed);
          },
          key.public_key);
    case COSE_RS256:
      return read_key<rs256_pk_t>(
          fido.new_rs256, fido.read_rs256,
          [](void* each) {
            auto* typed = static_cast<rs256_pk_t*>(each);
            fido_library()->free_rs256(&typed);
          },
          key.public_key);
    default:
      return {nullptr, [](void*) {}};
  }
}

Result<const FidoLibrary*> library() {
  const FidoLibrary* const fido = fido_library();
  if (!fido) return fail(ErrorCode::unavailable, "This hub has no libfido2, which passkeys need.");
  return fido;
}

}  // namespace

bool passkeys_available() {
  return fido_library() != nullptr;
}

Result<RelyingParty> relying_party(std::string_view origin, std::string_view external_url) {
  const auto page = base::parse_web_origin(origin);
  const auto authority = page ? base::origin_authority(*page) : std::nullopt;
  // Of this machine's names browsers take only this one: an address is no id of a relying party.
  if (authority && authority->host == "localhost") return RelyingParty{"localhost", *page};
  if (authority && page->starts_with("https://") && page == base::parse_web_origin(external_url)) {
    return RelyingParty{authority->host, *page};
  }
  return fail(
      ErrorCode::invalid,
      "Browsers have passkeys only for a page that came by https, at the address that home: external_url names.");
}

Result<Passkey> register_passkey(const PasskeyChallenge& asked, const PasskeyAnswer& answer) {
  const auto fido = library();
  if (!fido) return std::unexpected(fido.error());
  if (auto good = check_answer(asked, answer, "webauthn.create"); !good)
    return std::unexpected(std::move(good.error()));
  if (!(static_cast<unsigned char>(answer.authenticator_data[kHashBytes]) & kHasCredential)) {
    return fail(ErrorCode::invalid, "The authenticator's data has no key.");
  }
  for (const int algorithm : kPasskeyAlgorithms) {
    const auto free = [&](fido_cred_t* each) { (*fido)->free_credential(&each); };
    const std::unique_ptr<fido_cred_t, decltype(free)> credential((*fido)->new_credential(), free);
    if (!credential || (*fido)->set_type(credential.get(), algorithm) != FIDO_OK ||
        (*fido)->set_authenticator_data(credential.get(), bytes(answer.authenticator_data),
                                        answer.authenticator_data.size()) != FIDO_OK) {
      continue;
    }
    Passkey key{text_of((*fido)->id(credential.get()), (*fido)->id_size(credential.get())), algorithm,
                text_of((*fido)->key(credential.get()), (*fido)->key_size(credential.get())),
                (*fido)->counter(credential.get())};
    if (!key.id.empty() && !key.public_key.empty() && read_public_key(**fido, key)) return key;
  }
  return fail(ErrorCode::invalid, "The authenticator's key is broken, or of a kind that was not asked for.");
}

Result<std::uint32_t> verify_passkey(const PasskeyChallenge& asked, const PasskeyAnswer& answer, const Passkey& key) {
  const auto fido = library();
  if (!fido) return std::unexpected(fido.error());
  if (auto good = check_answer(asked, answer, "webauthn.get"); !good) {
    return fail(ErrorCode::unauthorized, std::move(good.error().message));
  }
  const auto free = [&](fido_assert_t* each) { (*fido)->free_assertion(&each); };
  const std::unique_ptr<fido_assert_t, decltype(free)> assertion((*fido)->new_assertion(), free);
  const PublicKey public_key = read_public_key(**fido, key);
  const auto hash = base::sha256(answer.client_data);
  const bool set =
      assertion && public_key && (*fido)->set_count(assertion.get(), 1) == FIDO_OK &&
      (*fido)->set_relying_party(assertion.get(), asked.party.id.c_str()) == FIDO_OK &&
      (*fido)->set_client_data_hash(assertion.get(), hash.data(), hash.size()) == FIDO_OK &&
      (*fido)->set_asserted_data(assertion.get(), 0, bytes(answer.authenticator_data),
                                 answer.authenticator_data.size()) == FIDO_OK &&
      (*fido)->set_signature(assertion.get(), 0, bytes(answer.signature), answer.signature.size()) == FIDO_OK &&
      (*fido)->set_presence(assertion.get(), FIDO_OPT_TRUE) == FIDO_OK &&
      (*fido)->set_verification(assertion.get(), FIDO_OPT_TRUE) == FIDO_OK;
  if (!set) return fail(ErrorCode::unauthorized, "What the authenticator sent cannot be read.");
  if ((*fido)->verify(assertion.get(), 0, key.algorithm, public_key.get()) != FIDO_OK) {
    return fail(ErrorCode::unauthorized, "The signature is wrong.");
  }
  return (*fido)->asserted_counter(assertion.get(), 0);
}

std::string to_base64url(std::string_view data) {
  std::string text(sodium_base64_ENCODED_LEN(data.size(), kBase64), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes(data), data.size(), kBase64);
  text.pop_back();  // the terminating zero
  return text;
}

Result<std::string> from_base64url(std::string_view text) {
  std::string data(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(data.data()), data.size(), text.data(), text.size(), nullptr,
                        &size, nullptr, kBase64) != 0) {
    return fail(ErrorCode::invalid, "expected base64url without padding");
  }
  data.resize(size);
  return data;
}

}  // namespace hearth::auth
