# SPDX-License-Identifier: Apache-2.0
"""A server of pymodbus, a second implementation of Modbus, on a thread: over TCP, UDP, RTU over TCP, or a serial line."""

import asyncio
import threading

from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.server.async_io import ModbusSerialServer, ModbusTcpServer, ModbusUdpServer
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer

HOLDING, INPUT, COIL, DISCRETE = 3, 4, 1, 2


class ModbusServer:
    """`units`: by number, {"holding": {address: value}, "input": …, "coil": …, "discrete": …}; others do not answer."""

    def __init__(self, units, kind="tcp", port=0, device=None):
        self.kind, self.port, self.device = kind, port, device
        self.units = {number: ModbusSlaveContext(
            hr=ModbusSparseDataBlock(tables.get("holding", {0: 0})),
            ir=ModbusSparseDataBlock(tables.get("input", {0: 0})),
            co=ModbusSparseDataBlock(tables.get("coil", {0: 0})),
            di=ModbusSparseDataBlock(tables.get("discrete", {0: 0})), zero_mode=True)
            for number, tables in units.items()}
        self.requests = []
        for number, unit in self.units.items():
            self._watch(number, unit)
        self.failure = None
        self.started = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.started.wait(10) and self.failure is None, self.failure

    def _watch(self, number, unit):
        validate = unit.validate

        def noted(function, address, count=1):
            self.requests.append((number, function, address, count))
            return validate(function, address, count)

        unit.validate = noted

    def _run(self):
        try:
            asyncio.run(self._serve())
        except Exception as failure:
            self.failure = failure
            self.started.set()

    async def _serve(self):
        self.loop = asyncio.get_running_loop()
        self.ended = asyncio.Event()
        context = ModbusServerContext(slaves=self.units, single=False)
        address = ("127.0.0.1", self.port)
        if self.kind == "serial":
            server = ModbusSerialServer(context, framer=ModbusRtuFramer, port=self.device, ignore_missing_slaves=True,
                                        baudrate=9600)
            await server.start()
        elif self.kind == "udp":
            server = ModbusUdpServer(context, framer=ModbusSocketFramer, address=address, ignore_missing_slaves=True)
        else:
            framer = ModbusRtuFramer if self.kind == "rtuovertcp" else ModbusSocketFramer
            server = ModbusTcpServer(context, framer=framer, address=address, allow_reuse_address=True,
                                     ignore_missing_slaves=True)
        serving = asyncio.ensure_future(server.serve_forever())
        if self.kind != "serial":
            await server.serving
            ends = server.protocol if self.kind == "udp" else server.server.sockets[0]
            name = ends.get_extra_info("sockname") if self.kind == "udp" else ends.getsockname()
            self.port = name[1]
        self.started.set()
        await self.ended.wait()
        serving.cancel()
        try:
            await asyncio.wait_for(server.shutdown(), 2)
        except Exception:  # its own defects at the end are not of interest
            pass

    def value(self, function, address, unit=1):
        return self.units[unit].getValues(function, address, 1)[0]

    def set(self, function, address, value, unit=1):
        self.units[unit].setValues(function, address, [value])

    def stop(self):
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(10)
