// SPDX-License-Identifier: Apache-2.0
// Node-RED as the tests run it: its flows, no editor, and nothing that would ask another machine.
module.exports = {
  flowFile: "flows.json",
  credentialSecret: false,
  uiHost: "127.0.0.1",
  disableEditor: true,
  telemetry: { enabled: false, updateNotification: false },
  diagnostics: { enabled: false, ui: false },
  runtimeState: { enabled: false, ui: false },
  externalModules: {
    autoInstall: false,
    palette: { allowInstall: false, allowUpdate: false, allowUpload: false },
    modules: { allowInstall: false },
  },
  editorTheme: { tours: false, projects: { enabled: false } },
  logging: { console: { level: "debug", metrics: false, audit: false } },
};
