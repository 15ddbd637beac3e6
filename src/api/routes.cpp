// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include <vector>

#include "api/rows.h"

namespace hearth::api {

std::span<const Endpoint> endpoints() {
  static const auto joined = [] {
    std::vector<Endpoint> all;
    // In the specification's order, which is that of the OpenAPI document; then how one comes to a token.
    for (const Endpoints& rows :
         {kStatusEndpoints,        kConfigurationEndpoints, kStateEndpoints,       kEventEndpoints,
          kServiceEndpoints,       kHistoryEndpoints,       kLogbookEndpoints,     kBackupEndpoints,
          kBackupUploadEndpoints,  kStreamEndpoints,        kWebSocketEndpoints,   kPictureEndpoints,
          kLocalFileEndpoints,     kLentFileEndpoints,      kCalendarEndpoints,    kAlertEndpoints,
          kTemplateEndpoints,      kComponentEndpoints,     kKindEndpoints,        kRegistryEndpoints,
          kMqttDiscoveryEndpoints, kIntegrationEndpoints,   kConfigEntryEndpoints, kConfigFlowEndpoints,
          kBridgeEndpoints,        kCoreStateEndpoints,     kItemTextEndpoints,    kCheckConfigEndpoints,
          kErrorLogEndpoints,      kHealthCheckEndpoints,   kMetricsEndpoints,     kImportEndpoints,
          kWebhookEndpoints,       kOpenApiEndpoints,       kOnboardingEndpoints,  kFirstBackupEndpoints,
          kFirstImportEndpoints,   kLoginFlowEndpoints,     kInvitationEndpoints,  kAuthorizeEndpoints,
          kTokenEndpoints,         kPhoneEndpoints})
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }();
  return joined;
}

}  // namespace hearth::api
