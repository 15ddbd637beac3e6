// SPDX-License-Identifier: Apache-2.0
// The hub with two integrations more, which fail on purpose: for tests/functional/system/test_faulty.py, and
// test_connections.py.
#include <vector>

#include "app/commands/command_line.h"
#include "app/connections/integrations.h"
#include "integrations/faulty/bridge.h"
#include "integrations/faulty/faulty.h"

int main(int argc, char** argv) {
  namespace app = hearth::app;
  const auto all = app::all_integrations();
  std::vector<app::IntegrationFactory> integrations(all.begin(), all.end());
  integrations.push_back(app::integration_factory<hearth::integrations::faulty::Faulty>("faulty"));
  integrations.push_back(app::integration_factory<hearth::integrations::faulty::Bridge>("bridge"));
  return app::run_program(argc, argv, integrations);
}
