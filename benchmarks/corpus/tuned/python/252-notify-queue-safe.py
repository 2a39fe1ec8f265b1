import asyncio


class Notifier:
    def __init__(self, writer: asyncio.StreamWriter):
        self.writer = writer

    async def send(self, text: str) -> None:
        self.writer.write(text.encode() + b"\n")
        await self.writer.drain()

    async def farewell(self) -> None:
        await self.send("bye")
        self.writer.close()
        await self.writer.wait_closed()


async def main() -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", 7000)
    notifier = Notifier(writer)
    await notifier.send("hello")
    await notifier.farewell()


if __name__ == "__main__":
    asyncio.run(main())
