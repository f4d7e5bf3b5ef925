import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to the bytes between clients and the service. */
type WireMode = 'passes' | 'slow' | 'black hole';

export interface ClientWire {
  readonly url: string;
  mode: WireMode;
  /** Resets every connection that is open. */
  reset(): void;
  close(): Promise<void>;
}

const slowMs = 300;

/** A TCP wire to a service; clients use its address. */
export async function layClientWire(target: string): Promise<ClientWire> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    carry(near, far);
    carry(far, near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
  });
  const carry = (from: Socket, to: Socket) => {
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (wire.mode === 'black hole') return;
      const waitMs = wire.mode === 'slow' ? slowMs : 0;
      last = last.then(async () => {
        if (waitMs > 0) await delay(waitMs);
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('end', () => void last.then(() => to.end()));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const wire: ClientWire = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    mode: 'passes',
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}
