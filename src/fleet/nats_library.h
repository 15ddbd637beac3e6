// SPDX-License-Identifier: Apache-2.0
// The functions of libnats that the links use: its core only, whose types are opaque and the same in each version since
// 3.4. JetStream's requests are JSON over that; the library's own structures for them differ between versions.
// Any thread.
#pragma once

#include <nats/nats.h>

namespace hearth::fleet {

struct NatsLibrary {
  decltype(&natsStatus_GetText) status_text;
  decltype(&nats_GetLastError) last_error;
  decltype(&natsOptions_Create) create_options;
  decltype(&natsOptions_Destroy) destroy_options;
  decltype(&natsOptions_SetURL) set_url;
  decltype(&natsOptions_SetName) set_name;
  decltype(&natsOptions_SetTimeout) set_timeout;
  decltype(&natsOptions_SetAllowReconnect) set_allow_reconnect;
  decltype(&natsOptions_SetPingInterval) set_ping_interval;
  decltype(&natsOptions_SetMaxPingsOut) set_max_pings_out;
  decltype(&natsOptions_SetWriteDeadline) set_write_deadline;
  decltype(&natsOptions_SetSendAsap) set_send_asap;
  decltype(&natsOptions_SetErrorHandler) set_error_handler;
  decltype(&natsOptions_SetUserInfo) set_user;
  decltype(&natsOptions_SetUserCredentialsFromFiles) set_credentials;
  decltype(&natsOptions_SetSecure) set_secure;
  decltype(&natsOptions_SetExpectedHostname) set_expected_host;
  decltype(&natsOptions_LoadCATrustedCertificates) load_ca;
  decltype(&natsOptions_LoadCertificatesChain) load_certificate;
  decltype(&natsConnection_Connect) connect;
  decltype(&natsConnection_Destroy) destroy_connection;
  decltype(&natsConnection_IsClosed) is_closed;
  decltype(&natsConnection_FlushTimeout) flush;
  decltype(&natsConnection_GetMaxPayload) max_payload;
  decltype(&natsConnection_GetLastError) connection_error;
  decltype(&natsConnection_PublishMsg) publish;
  decltype(&natsConnection_Subscribe) subscribe;
  decltype(&natsSubscription_SetOnCompleteCB) set_on_complete;
  decltype(&natsSubscription_Destroy) destroy_subscription;
  decltype(&natsMsg_Create) create_message;
  decltype(&natsMsg_Destroy) destroy_message;
  decltype(&natsMsg_GetSubject) subject;
  decltype(&natsMsg_GetReply) reply;
  decltype(&natsMsg_GetData) data;
  decltype(&natsMsg_GetDataLength) data_length;
  decltype(&natsMsgHeader_Set) set_header;
  decltype(&natsMsgHeader_Get) header;
};

// Null if it is not installed.
const NatsLibrary* nats_library();

}  // namespace hearth::fleet
