# SPDX-License-Identifier: Apache-2.0
"""Telegrams of smart meters, and the port that they come from."""

import socket
import threading

SERIAL = "4530303434303037"


def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def telegram(*lines, header="/ISK5\\2M550T-1012", version="1-3:0.2.8(50)", serial=SERIAL):
    text = "\r\n".join([header, "", version, f"0-0:96.1.1({serial})", *lines, "!"]).encode()
    return text + b"%04X\r\n" % crc16(text)


def dsmr5(power="02.027"):
    return telegram("1-0:1.8.1(001581.123*kWh)", "1-0:2.8.2(000012.500*kWh)", f"1-0:1.7.0({power}*kW)",
                    "0-0:96.14.0(0002)", "1-0:32.7.0(229.0*V)", "0-1:24.1.0(003)", "0-1:96.1.0(4730303339303031)",
                    "0-1:24.2.1(260105092500W)(00473.789*m3)")


class Port:
    """A TCP server that sends each client what it is told to."""

    def __init__(self, greeting=b"", close=False):
        self.greeting, self.close = greeting, close
        self.clients, self.connections = [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            try:
                client.sendall(self.greeting)
                if self.close:
                    client.close()
                else:
                    self.clients.append(client)
            except OSError:
                pass
            self.connections += 1

    def send(self, data):
        for client in self.clients:
            try:
                client.sendall(data)
            except OSError:
                pass

    def drop(self):
        while self.clients:
            self.clients.pop().close()

    def stop(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:  # it has been stopped
            pass
        self.listener.close()
        self.drop()
