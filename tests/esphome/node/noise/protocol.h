// SPDX-License-Identifier: Apache-2.0
// The part of the Noise-C interface that an ESPHome node uses, over libsodium: the responder of
// Noise_NNpsk0_25519_ChaChaPoly_SHA256. Only for the node that tests build; see noiseprotocol.org, revision 34.
#pragma once

#include <sodium.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

constexpr int NOISE_ERROR_NONE = 0, NOISE_ERROR_NO_MEMORY = 1, NOISE_ERROR_UNKNOWN_ID = 2, NOISE_ERROR_UNKNOWN_NAME = 3,
              NOISE_ERROR_MAC_FAILURE = 4, NOISE_ERROR_NOT_APPLICABLE = 5, NOISE_ERROR_SYSTEM = 6,
              NOISE_ERROR_REMOTE_KEY_REQUIRED = 7, NOISE_ERROR_LOCAL_KEY_REQUIRED = 8, NOISE_ERROR_PSK_REQUIRED = 9,
              NOISE_ERROR_INVALID_LENGTH = 10, NOISE_ERROR_INVALID_PARAM = 11, NOISE_ERROR_INVALID_STATE = 12,
              NOISE_ERROR_INVALID_NONCE = 13, NOISE_ERROR_INVALID_PRIVATE_KEY = 14, NOISE_ERROR_INVALID_PUBLIC_KEY = 15,
              NOISE_ERROR_INVALID_FORMAT = 16, NOISE_ERROR_INVALID_SIGNATURE = 17;
constexpr int NOISE_ACTION_NONE = 0, NOISE_ACTION_WRITE_MESSAGE = 1, NOISE_ACTION_READ_MESSAGE = 2,
              NOISE_ACTION_FAILED = 3, NOISE_ACTION_SPLIT = 4;
constexpr int NOISE_PATTERN_NN = 1, NOISE_CIPHER_CHACHAPOLY = 2, NOISE_DH_NONE = 0, NOISE_DH_CURVE25519 = 3,
              NOISE_PREFIX_STANDARD = 4, NOISE_HASH_SHA256 = 5, NOISE_MODIFIER_PSK0 = 6, NOISE_ROLE_RESPONDER = 7;

struct NoiseProtocolId {
  int prefix_id, pattern_id, dh_id, cipher_id, hash_id, hybrid_id, modifier_ids[4];
};

struct NoiseBuffer {
  uint8_t* data;
  size_t size, max_size;
};
#define noise_buffer_init(buffer) ((buffer) = NoiseBuffer{nullptr, 0, 0})
#define noise_buffer_set_input(buffer, bytes, length) ((buffer) = NoiseBuffer{bytes, length, length})
#define noise_buffer_set_output(buffer, bytes, length) ((buffer) = NoiseBuffer{bytes, 0, length})
#define noise_buffer_set_inout(buffer, bytes, length, room) ((buffer) = NoiseBuffer{bytes, length, room})

struct NoiseCipherState {
  uint8_t key[32];
  uint64_t counter = 0;

  void nonce(uint8_t (&out)[12]) {
    memset(out, 0, 4);
    for (int i = 0; i < 8; i++) out[4 + i] = static_cast<uint8_t>(counter >> (8 * i));
    counter++;
  }
};

struct NoiseHandshakeState {
  uint8_t hash[32], chain[32], psk[32], own[32], remote[32];
  NoiseCipherState cipher;
  std::vector<uint8_t> prologue;
  int action = NOISE_ACTION_NONE;

  void mix_hash(const uint8_t* data, size_t size) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, hash, 32);
    crypto_hash_sha256_update(&state, data, size);
    crypto_hash_sha256_final(&state, hash);
  }
  static void hmac(uint8_t (&out)[32], const uint8_t* key, const uint8_t* data, size_t size, uint8_t last) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, 32);
    crypto_auth_hmacsha256_update(&state, data, size);
    if (last != 0) crypto_auth_hmacsha256_update(&state, &last, 1);
    crypto_auth_hmacsha256_final(&state, out);
  }
  // HKDF with two or three outputs, of which the first is the new chaining key.
  void derive(const uint8_t* input, size_t size, uint8_t (&second)[32], uint8_t (&third)[32]) {
    uint8_t secret[32], first[32];
    hmac(secret, chain, input, size, 0);
    hmac(first, secret, nullptr, 0, 1);
    hmac(second, secret, first, 32, 2);
    hmac(third, secret, second, 32, 3);
    memcpy(chain, first, 32);
  }
  void mix_key(const uint8_t* input) {
    uint8_t second[32], third[32];
    derive(input, 32, second, third);
    memcpy(cipher.key, second, 32);
    cipher.counter = 0;
  }
};

inline int noise_handshakestate_new_by_id(NoiseHandshakeState** state, const NoiseProtocolId*, int) {
  *state = new NoiseHandshakeState;
  return sodium_init() < 0 ? NOISE_ERROR_SYSTEM : NOISE_ERROR_NONE;
}
inline int noise_handshakestate_free(NoiseHandshakeState* state) {
  delete state;
  return NOISE_ERROR_NONE;
}
inline int noise_handshakestate_set_pre_shared_key(NoiseHandshakeState* state, const uint8_t* key, size_t size) {
  if (size != 32) return NOISE_ERROR_INVALID_LENGTH;
  memcpy(state->psk, key, 32);
  return NOISE_ERROR_NONE;
}
inline int noise_handshakestate_set_prologue(NoiseHandshakeState* state, const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  state->prologue.assign(bytes, bytes + size);
  return NOISE_ERROR_NONE;
}
inline int noise_handshakestate_start(NoiseHandshakeState* state) {
  const char name[] = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
  crypto_hash_sha256(state->hash, reinterpret_cast<const uint8_t*>(name), sizeof(name) - 1);
  memcpy(state->chain, state->hash, 32);
  state->mix_hash(state->prologue.data(), state->prologue.size());
  uint8_t second[32], third[32];
  state->derive(state->psk, 32, second, third);
  state->mix_hash(second, 32);
  memcpy(state->cipher.key, third, 32);
  state->cipher.counter = 0;
  state->action = NOISE_ACTION_READ_MESSAGE;
  return NOISE_ERROR_NONE;
}
inline int noise_handshakestate_get_action(const NoiseHandshakeState* state) {
  return state->action;
}

// The initiator's e, with an empty payload.
inline int noise_handshakestate_read_message(NoiseHandshakeState* state, NoiseBuffer* message, NoiseBuffer*) {
  if (message->size < 48) return NOISE_ERROR_INVALID_LENGTH;
  memcpy(state->remote, message->data, 32);
  state->mix_hash(state->remote, 32);
  state->mix_key(state->remote);
  std::vector<uint8_t> plain(message->size - 32);
  uint8_t nonce[12];
  state->cipher.nonce(nonce);
  if (crypto_aead_chacha20poly1305_ietf_decrypt(plain.data(), nullptr, nullptr, message->data + 32, message->size - 32,
                                                state->hash, 32, nonce, state->cipher.key) != 0) {
    state->action = NOISE_ACTION_FAILED;
    return NOISE_ERROR_MAC_FAILURE;
  }
  state->mix_hash(message->data + 32, message->size - 32);
  state->action = NOISE_ACTION_WRITE_MESSAGE;
  return NOISE_ERROR_NONE;
}

// The responder's e and ee, with an empty payload.
inline int noise_handshakestate_write_message(NoiseHandshakeState* state, NoiseBuffer* message, NoiseBuffer*) {
  if (message->max_size < 48) return NOISE_ERROR_INVALID_LENGTH;
  randombytes_buf(state->own, 32);
  crypto_scalarmult_base(message->data, state->own);
  state->mix_hash(message->data, 32);
  state->mix_key(message->data);
  uint8_t shared[32], nonce[12];
  if (crypto_scalarmult(shared, state->own, state->remote) != 0) return NOISE_ERROR_INVALID_PUBLIC_KEY;
  state->mix_key(shared);
  state->cipher.nonce(nonce);
  crypto_aead_chacha20poly1305_ietf_encrypt(message->data + 32, nullptr, nullptr, 0, state->hash, 32, nullptr, nonce,
                                            state->cipher.key);
  state->mix_hash(message->data + 32, 16);
  message->size = 48;
  state->action = NOISE_ACTION_SPLIT;
  return NOISE_ERROR_NONE;
}
inline int noise_handshakestate_split(NoiseHandshakeState* state, NoiseCipherState** send, NoiseCipherState** receive) {
  uint8_t second[32], third[32];
  state->derive(nullptr, 0, second, third);
  *receive = new NoiseCipherState;
  memcpy((*receive)->key, state->chain, 32);
  *send = new NoiseCipherState;
  memcpy((*send)->key, second, 32);
  return NOISE_ERROR_NONE;
}

inline size_t noise_cipherstate_get_mac_length(const NoiseCipherState*) {
  return 16;
}
inline int noise_cipherstate_free(NoiseCipherState* state) {
  delete state;
  return NOISE_ERROR_NONE;
}
inline int noise_cipherstate_encrypt(NoiseCipherState* state, NoiseBuffer* message) {
  if (message->size + 16 > message->max_size) return NOISE_ERROR_INVALID_LENGTH;
  uint8_t nonce[12];
  state->nonce(nonce);
  crypto_aead_chacha20poly1305_ietf_encrypt(message->data, nullptr, message->data, message->size, nullptr, 0, nullptr,
                                            nonce, state->key);
  message->size += 16;
  return NOISE_ERROR_NONE;
}
inline int noise_cipherstate_decrypt(NoiseCipherState* state, NoiseBuffer* message) {
  if (message->size < 16) return NOISE_ERROR_INVALID_LENGTH;
  uint8_t nonce[12];
  state->nonce(nonce);
  if (crypto_aead_chacha20poly1305_ietf_decrypt(message->data, nullptr, nullptr, message->data, message->size, nullptr,
                                                0, nonce, state->key) != 0)
    return NOISE_ERROR_MAC_FAILURE;
  message->size -= 16;
  return NOISE_ERROR_NONE;
}
