// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats_library.h"

#include <fmt/format.h>

#include <optional>

#include "base/loaded_library.h"

namespace hearth::fleet {
namespace {

// Each minor version is a library of its own name: 3.4 in Debian 12, 3.7 in Ubuntu 24.04.
constexpr int kOldest = 4, kNewest = 30;

std::optional<NatsLibrary> load_nats(const char* file) {
  base::LoadedLibrary library(file);
  NatsLibrary functions{};
  library.find(functions.status_text, "natsStatus_GetText");
  library.find(functions.last_error, "nats_GetLastError");
  library.find(functions.create_options, "natsOptions_Create");
  library.find(functions.destroy_options, "natsOptions_Destroy");
  library.find(functions.set_url, "natsOptions_SetURL");
  library.find(functions.set_name, "natsOptions_SetName");
  library.find(functions.set_timeout, "natsOptions_SetTimeout");
  library.find(functions.set_allow_reconnect, "natsOptions_SetAllowReconnect");
  library.find(functions.set_ping_interval, "natsOptions_SetPingInterval");
  library.find(functions.set_max_pings_out, "natsOptions_SetMaxPingsOut");
  library.find(functions.set_write_deadline, "natsOptions_SetWriteDeadline");
  library.find(functions.set_send_asap, "natsOptions_SetSendAsap");
  library.find(functions.set_error_handler, "natsOptions_SetErrorHandler");
  library.find(functions.set_user, "natsOptions_SetUserInfo");
  library.find(functions.set_credentials, "natsOptions_SetUserCredentialsFromFiles");
  library.find(functions.set_secure, "natsOptions_SetSecure");
  library.find(functions.set_expected_host, "natsOptions_SetExpectedHostname");
  library.find(functions.load_ca, "natsOptions_LoadCATrustedCertificates");
  library.find(functions.load_certificate, "natsOptions_LoadCertificatesChain");
  library.find(functions.connect, "natsConnection_Connect");
  library.find(functions.destroy_connection, "natsConnection_Destroy");
  library.find(functions.is_closed, "natsConnection_IsClosed");
  library.find(functions.flush, "natsConnection_FlushTimeout");
  library.find(functions.max_payload, "natsConnection_GetMaxPayload");
  library.find(functions.connection_error, "natsConnection_GetLastError");
  library.find(functions.publish, "natsConnection_PublishMsg");
  library.find(functions.subscribe, "natsConnection_Subscribe");
  library.find(functions.set_on_complete, "natsSubscription_SetOnCompleteCB");
  library.find(functions.destroy_subscription, "natsSubscription_Destroy");
  library.find(functions.create_message, "natsMsg_Create");
  library.find(functions.destroy_message, "natsMsg_Destroy");
  library.find(functions.subject, "natsMsg_GetSubject");
  library.find(functions.reply, "natsMsg_GetReply");
  library.find(functions.data, "natsMsg_GetData");
  library.find(functions.data_length, "natsMsg_GetDataLength");
  library.find(functions.set_header, "natsMsgHeader_Set");
  library.find(functions.header, "natsMsgHeader_Get");
  if (!library.complete()) return {};
  return functions;
}

std::optional<NatsLibrary> load_newest_nats() {
  for (int minor = kNewest; minor >= kOldest; --minor) {
    if (auto loaded = load_nats(fmt::format("libnats.so.3.{}", minor).c_str())) return loaded;
  }
  return load_nats("libnats.so.3");
}

}  // namespace

const NatsLibrary* nats_library() {
  static const std::optional<NatsLibrary> kLoaded = load_newest_nats();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::fleet
