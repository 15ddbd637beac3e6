// SPDX-License-Identifier: Apache-2.0
// The functions of libnats that the links use: only its core, whose types are opaque and the same in each version since
// 3.4. JetStream's requests are JSON over that; the library's own structures for them differ between versions. Any
// thread.
#pragma once

#include <nats/nats.h>

#include "base/net/loaded_library.h"

namespace hearth::fleet {

struct NatsLibrary {
  base::LoadedLibrary library;
  decltype(&natsStatus_GetText) status_text = library.find("natsStatus_GetText");
  decltype(&nats_GetLastError) last_error = library.find("nats_GetLastError");
  decltype(&natsOptions_Create) create_options = library.find("natsOptions_Create");
  decltype(&natsOptions_Destroy) destroy_options = library.find("natsOptions_Destroy");
  decltype(&natsOptions_SetURL) set_url = library.find("natsOptions_SetURL");
  decltype(&natsOptions_SetName) set_name = library.find("natsOptions_SetName");
  decltype(&natsOptions_SetTimeout) set_timeout = library.find("natsOptions_SetTimeout");
  decltype(&natsOptions_SetAllowReconnect) set_allow_reconnect = library.find("natsOptions_SetAllowReconnect");
  decltype(&natsOptions_SetPingInterval) set_ping_interval = library.find("natsOptions_SetPingInterval");
  decltype(&natsOptions_SetMaxPingsOut) set_max_pings_out = library.find("natsOptions_SetMaxPingsOut");
  decltype(&natsOptions_SetWriteDeadline) set_write_deadline = library.find("natsOptions_SetWriteDeadline");
  decltype(&natsOptions_SetSendAsap) set_send_asap = library.find("natsOptions_SetSendAsap");
  decltype(&natsOptions_SetErrorHandler) set_error_handler = library.find("natsOptions_SetErrorHandler");
  decltype(&natsOptions_SetUserInfo) set_user = library.find("natsOptions_SetUserInfo");
  decltype(&natsOptions_SetUserCredentialsFromFiles) set_credentials =
      library.find("natsOptions_SetUserCredentialsFromFiles");
  decltype(&natsOptions_SetSecure) set_secure = library.find("natsOptions_SetSecure");
  decltype(&natsOptions_SetExpectedHostname) set_expected_host = library.find("natsOptions_SetExpectedHostname");
  decltype(&natsOptions_LoadCATrustedCertificates) load_ca = library.find("natsOptions_LoadCATrustedCertificates");
  decltype(&natsOptions_LoadCertificatesChain) load_certificate = library.find("natsOptions_LoadCertificatesChain");
  decltype(&natsConnection_Connect) connect = library.find("natsConnection_Connect");
  decltype(&natsConnection_Destroy) destroy_connection = library.find("natsConnection_Destroy");
  decltype(&natsConnection_IsClosed) is_closed = library.find("natsConnection_IsClosed");
  decltype(&natsConnection_FlushTimeout) flush = library.find("natsConnection_FlushTimeout");
  decltype(&natsConnection_GetMaxPayload) max_payload = library.find("natsConnection_GetMaxPayload");
  decltype(&natsConnection_GetLastError) connection_error = library.find("natsConnection_GetLastError");
  decltype(&natsConnection_PublishMsg) publish = library.find("natsConnection_PublishMsg");
  decltype(&natsConnection_Subscribe) subscribe = library.find("natsConnection_Subscribe");
  decltype(&natsSubscription_SetOnCompleteCB) set_on_complete = library.find("natsSubscription_SetOnCompleteCB");
  decltype(&natsSubscription_Destroy) destroy_subscription = library.find("natsSubscription_Destroy");
  decltype(&natsMsg_Create) create_message = library.find("natsMsg_Create");
  decltype(&natsMsg_Destroy) destroy_message = library.find("natsMsg_Destroy");
  decltype(&natsMsg_GetSubject) subject = library.find("natsMsg_GetSubject");
  decltype(&natsMsg_GetReply) reply = library.find("natsMsg_GetReply");
  decltype(&natsMsg_GetData) data = library.find("natsMsg_GetData");
  decltype(&natsMsg_GetDataLength) data_length = library.find("natsMsg_GetDataLength");
  decltype(&natsMsgHeader_Set) set_header = library.find("natsMsgHeader_Set");
  decltype(&natsMsgHeader_Get) header = library.find("natsMsgHeader_Get");
};

// Null if it is not installed.
const NatsLibrary* nats_library();

}  // namespace hearth::fleet
