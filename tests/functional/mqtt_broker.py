# SPDX-License-Identifier: Apache-2.0
"""Debian's mosquitto on a port of its own, and clients of it that play devices."""

import queue
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

import paho.mqtt.client

from hub_process import free_port, wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")


class MqttClient:
    """A device: publishes, and keeps what it subscribes to."""

    def __init__(self, port, **credentials):
        self.messages = queue.Queue()
        self.library = paho.mqtt.client.Client(clean_session=True)
        if credentials:
            self.library.username_pw_set(credentials["username"], credentials["password"])
        self.library.max_inflight_messages_set(1000)
        self._subscribed = threading.Event()
        self.library.on_message = lambda client, data, message: self.messages.put(message)
        self.library.on_subscribe = lambda *_: self._subscribed.set()
        self.library.connect("127.0.0.1", port)
        self.library.loop_start()

    def publish(self, topic, payload="", qos=1, retain=False):
        """Returns when the broker has it."""
        self.library.publish(topic, payload, qos, retain).wait_for_publish(10)

    def send(self, topic, payload="", qos=0, retain=False):
        """Does not wait."""
        return self.library.publish(topic, payload, qos, retain)

    def subscribe(self, topic, qos=2):
        self._subscribed.clear()
        self.library.subscribe(topic, qos)
        assert self._subscribed.wait(5)
        return self

    def message(self, timeout=5.0):
        """The next one."""
        return self.messages.get(timeout=timeout)

    def payload(self, timeout=5.0):
        return self.message(timeout).payload.decode()

    def wait_for(self, topic, payload, timeout=5.0):
        """Reads until that message."""
        deadline = time.monotonic() + timeout
        while True:
            message = self.messages.get(timeout=max(0.01, deadline - time.monotonic()))
            if (message.topic, message.payload.decode()) == (topic, payload):
                return message

    def close(self):
        self.library.disconnect()
        self.library.loop_stop()


class Broker:
    """One running mosquitto. `lines` of its configuration replace the line that lets everybody in."""

    def __init__(self, folder, lines=("allow_anonymous true",)):
        assert MOSQUITTO, "mosquitto is missing: tools/bootstrap --test installs it"
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.lines = list(lines)
        self.clients = []
        self.process = None

    @property
    def settings(self):
        """For the hub's `mqtt`."""
        return {"broker": "127.0.0.1", "port": self.port}

    def start(self):
        configuration = self.folder / f"{self.port}.conf"
        lines = [f"listener {self.port} 127.0.0.1", "max_queued_messages 0", "log_dest none",
                 "user root",  # has no effect for others, who run it as themselves
                 *self.lines]
        configuration.write_text("\n".join(lines) + "\n")
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(configuration)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._answers, 10)
        return self

    def _answers(self):
        assert self.process.poll() is None, "mosquitto has ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def client(self, **credentials):
        client = MqttClient(self.port, **credentials)
        self.clients.append(client)
        return client

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        for client in self.clients:
            client.close()
        self.clients.clear()
        self.kill()
