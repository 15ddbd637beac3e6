// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/protocol/noise.h"

#include <sodium.h>

#include <algorithm>

namespace hearth::integrations::esphome {
namespace {

constexpr std::string_view kProtocol = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void hash_into(SecretBytes& out, std::string_view first, std::string_view second = {}) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  crypto_hash_sha256_update(&state, bytes_of(first), first.size());
  crypto_hash_sha256_update(&state, bytes_of(second), second.size());
  crypto_hash_sha256_final(&state, out.data());
}

SecretBytes hmac(const SecretBytes& key, std::string_view first, std::string_view second = {}) {
  SecretBytes out;
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, key.data(), SecretBytes::kSize);
  crypto_auth_hmacsha256_update(&state, bytes_of(first), first.size());
  crypto_auth_hmacsha256_update(&state, bytes_of(second), second.size());
  crypto_auth_hmacsha256_final(&state, out.data());
  sodium_memzero(&state, sizeof(state));
  return out;
}

// HKDF of Noise, section 4.3, with three outputs; two are the first two of these.
std::array<SecretBytes, 3> derive(const SecretBytes& chain, std::string_view input) {
  const SecretBytes secret = hmac(chain, input);
  std::array<SecretBytes, 3> out;
  out[0] = hmac(secret, "\x01");
  out[1] = hmac(secret, out[0].view(), "\x02");
  out[2] = hmac(secret, out[1].view(), "\x03");
  return out;
}

}  // namespace

SecretBytes::~SecretBytes() {
  sodium_memzero(bytes_.data(), kSize);
}

SecretBytes random_secret() {
  SecretBytes made;
  randombytes_buf(made.data(), SecretBytes::kSize);
  return made;
}

base::Result<NodeKey> parse_node_key(std::string_view base64) {
  NodeKey key;
  std::size_t size = 0;
  const char* end = nullptr;
  const int done = sodium_base642bin(key.data(), NodeKey::kSize, base64.data(), base64.size(), nullptr, &size, &end,
                                     sodium_base64_VARIANT_ORIGINAL);
  if (done != 0 || size != NodeKey::kSize || end != base64.data() + base64.size())
    return base::fail(base::ErrorCode::invalid, "expected an encryption key: 32 bytes in base64, 44 characters");
  return key;
}

std::string make_node_key() {
  const NodeKey key = random_secret();
  std::string text(sodium_base64_ENCODED_LEN(NodeKey::kSize, sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), key.data(), NodeKey::kSize, sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the zero at the end
  return text;
}

std::array<unsigned char, 12> NoiseCipher::next_nonce() {
  std::array<unsigned char, 12> nonce{};
  for (std::size_t place = 0; place < 8; ++place)
    nonce[4 + place] = static_cast<unsigned char>(counter_ >> (8 * place));
  ++counter_;
  return nonce;
}

void NoiseCipher::seal(std::string& out, std::string_view plain, std::string_view associated) {
  const auto nonce = next_nonce();
  const std::size_t start = out.size();
  out.resize(start + plain.size() + kMac);
  crypto_aead_chacha20poly1305_ietf_encrypt(reinterpret_cast<unsigned char*>(out.data()) + start, nullptr,
                                            bytes_of(plain), plain.size(), bytes_of(associated), associated.size(),
                                            nullptr, nonce.data(), key_.data());
}

std::optional<std::string_view> NoiseCipher::open(std::span<unsigned char> sealed, std::string_view associated) {
  const auto nonce = next_nonce();
  if (sealed.size() < kMac) return {};
  unsigned long long size = 0;
  if (crypto_aead_chacha20poly1305_ietf_decrypt(sealed.data(), &size, nullptr, sealed.data(), sealed.size(),
                                                bytes_of(associated), associated.size(), nonce.data(), key_.data()))
    return {};
  return std::string_view(reinterpret_cast<const char*>(sealed.data()), size);
}

NoiseSymmetric::NoiseSymmetric(std::string_view prologue) {
  hash_into(hash_, kProtocol);
  chain_ = hash_;
  mix_hash(prologue);
}

void NoiseSymmetric::mix_hash(std::string_view bytes) {
  const SecretBytes before = hash_;
  hash_into(hash_, before.view(), bytes);
}

void NoiseSymmetric::mix_key(std::string_view input) {
  const auto made = derive(chain_, input);
  chain_ = made[0];
  cipher_ = NoiseCipher(made[1]);
}

void NoiseSymmetric::mix_key_and_hash(const NodeKey& key) {
  const auto made = derive(chain_, key.view());
  chain_ = made[0];
  mix_hash(made[1].view());
  cipher_ = NoiseCipher(made[2]);
}

void NoiseSymmetric::seal_nothing(std::string& out) {
  const std::size_t start = out.size();
  cipher_.seal(out, {}, hash_.view());
  mix_hash(std::string_view(out).substr(start));
}

bool NoiseSymmetric::open_nothing(std::string_view mac) {
  std::array<unsigned char, NoiseCipher::kMac> sealed{};
  if (mac.size() != sealed.size()) return false;
  std::ranges::copy(mac, sealed.begin());
  if (!cipher_.open(sealed, hash_.view())) return false;
  mix_hash(mac);
  return true;
}

NoiseSymmetric::Pair NoiseSymmetric::split() const {
  const auto made = derive(chain_, {});
  return {NoiseCipher(made[0]), NoiseCipher(made[1])};
}

NoiseInitiator::NoiseInitiator(const NodeKey& key, std::string_view prologue, const SecretBytes& secret)
    : symmetric_(prologue), secret_(secret) {
  first_.resize(SecretBytes::kSize);
  crypto_scalarmult_base(reinterpret_cast<unsigned char*>(first_.data()), secret_.data());
  symmetric_.mix_key_and_hash(key);
  symmetric_.mix_hash(first_);
  symmetric_.mix_key(first_);
  symmetric_.seal_nothing(first_);
}

std::optional<NoiseSymmetric::Pair> NoiseInitiator::finish(std::string_view message) {
  if (message.size() != kMessage) return {};
  const std::string_view remote = message.substr(0, SecretBytes::kSize);
  symmetric_.mix_hash(remote);
  symmetric_.mix_key(remote);
  SecretBytes shared;
  if (crypto_scalarmult(shared.data(), secret_.data(), bytes_of(remote)) != 0) return {};
  symmetric_.mix_key(shared.view());
  if (!symmetric_.open_nothing(message.substr(SecretBytes::kSize))) return {};
  return symmetric_.split();
}

}  // namespace hearth::integrations::esphome
