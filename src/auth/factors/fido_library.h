// SPDX-License-Identifier: Apache-2.0
// The functions of libfido2 that check what an authenticator has signed. Any thread.
#pragma once

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

#include "base/net/loaded_library.h"

namespace hearth::auth {

struct FidoLibrary {
  base::LoadedLibrary library;
  decltype(&fido_init) init = library.find("fido_init");
  decltype(&fido_cred_new) new_credential = library.find("fido_cred_new");
  decltype(&fido_cred_free) free_credential = library.find("fido_cred_free");
  decltype(&fido_cred_set_type) set_type = library.find("fido_cred_set_type");
  decltype(&fido_cred_set_authdata_raw) set_authenticator_data = library.find("fido_cred_set_authdata_raw");
  decltype(&fido_cred_id_ptr) id = library.find("fido_cred_id_ptr");
  decltype(&fido_cred_id_len) id_size = library.find("fido_cred_id_len");
  decltype(&fido_cred_pubkey_ptr) key = library.find("fido_cred_pubkey_ptr");
  decltype(&fido_cred_pubkey_len) key_size = library.find("fido_cred_pubkey_len");
  decltype(&fido_cred_sigcount) counter = library.find("fido_cred_sigcount");
  decltype(&fido_assert_new) new_assertion = library.find("fido_assert_new");
  decltype(&fido_assert_free) free_assertion = library.find("fido_assert_free");
  decltype(&fido_assert_set_count) set_count = library.find("fido_assert_set_count");
  decltype(&fido_assert_set_rp) set_relying_party = library.find("fido_assert_set_rp");
  decltype(&fido_assert_set_clientdata_hash) set_client_data_hash = library.find("fido_assert_set_clientdata_hash");
  decltype(&fido_assert_set_authdata_raw) set_asserted_data = library.find("fido_assert_set_authdata_raw");
  decltype(&fido_assert_set_sig) set_signature = library.find("fido_assert_set_sig");
  decltype(&fido_assert_set_up) set_presence = library.find("fido_assert_set_up");
  decltype(&fido_assert_set_uv) set_verification = library.find("fido_assert_set_uv");
  decltype(&fido_assert_verify) verify = library.find("fido_assert_verify");
  decltype(&fido_assert_sigcount) asserted_counter = library.find("fido_assert_sigcount");
  decltype(&es256_pk_new) new_es256 = library.find("es256_pk_new");
  decltype(&es256_pk_free) free_es256 = library.find("es256_pk_free");
  decltype(&es256_pk_from_ptr) read_es256 = library.find("es256_pk_from_ptr");
  decltype(&eddsa_pk_new) new_eddsa = library.find("eddsa_pk_new");
  decltype(&eddsa_pk_free) free_eddsa = library.find("eddsa_pk_free");
  decltype(&eddsa_pk_from_ptr) read_eddsa = library.find("eddsa_pk_from_ptr");
  decltype(&rs256_pk_new) new_rs256 = library.find("rs256_pk_new");
  decltype(&rs256_pk_free) free_rs256 = library.find("rs256_pk_free");
  decltype(&rs256_pk_from_ptr) read_rs256 = library.find("rs256_pk_from_ptr");
};

// Null if it is not installed.
const FidoLibrary* fido_library();

}  // namespace hearth::auth
