# SPDX-License-Identifier: Apache-2.0
"""Automations, scripts and scenes in files of all kinds."""


def url(item, kind="automation"):
    return f"/api/config/{kind}/config/{item}"


def start(hub_factory, text="", packages=False, **files):
    """A hub with more in configuration.yaml, and with files: `pk__a` is pk/a.yaml."""
    folder = hub_factory.folder()
    settings = folder / "configuration.yaml"
    given = settings.read_text()
    if packages:
        given = given.replace("home:\n", "home:\n  packages: !include_dir_named pk\n", 1)
    settings.write_text(given + text)
    for name, content in files.items():
        file = folder / (name.replace("__", "/") + ".yaml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())
    return hub_factory(folder)


def text_of(hub, name):
    return (hub.folder / name).read_bytes().decode()


def change(hub, item, kind="automation", **keys):
    return hub.admin.post(url(item, kind), json=hub.admin.get(url(item, kind)).json() | keys)
