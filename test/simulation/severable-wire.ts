import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';

/** The side of a batch on which the wire breaks: before it is executed, or after, without an answer. */
export type Side = 'before' | 'after';

/**
 * A wire between a service and its database that breaks at a counted batch, not at a time: the last batch is the same
 * at any speed of the machine.
 */
export interface SeverableWire {
  /** The address of the database through this wire. */
  readonly connection: ConnectionConfig;
  /**
   * Breaks every connection at the `batch`-th batch from now on, counted from 1, and refuses new ones; calls
   * `onBreak` first.
   */
  severAt(batch: number, side: Side, onBreak?: () => void): void;
  /** From now on existing connections transfer nothing and stay open; new ones work. */
  blackHole(): void;
  /** Accepts connections again, and breaks none. Returns whether any was broken since `severAt`. */
  mend(): boolean;
  close(): Promise<void>;
}

/** The end of a batch, as the protocol of PostgreSQL has it (Sync), and of the answer to one (ReadyForQuery). */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);
const ready = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Lays a wire to the database that a connection reaches. */
export async function laySeverableWire(target: ConnectionConfig): Promise<SeverableWire> {
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  const swallowed = new WeakSet<Socket>();
  let batchesLeft = Number.POSITIVE_INFINITY;
  let side: Side = 'before';
  let isBroken = false;
  let onBreak = () => {};
  const sever = () => {
    onBreak();
    isBroken = true;
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const reach = reachOf(target);
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isBroken) return void near.destroy();
    const far = reach.open();
    const pair = [near, far] as const;
    pairs.add(pair);
    let endsWithReply = false;
    near.on('data', (bytes: Buffer) => {
      if (swallowed.has(near)) return;
      const endsBatch = bytes.subarray(-sync.length).equals(sync);
      if (endsBatch && --batchesLeft === 0) {
        if (side === 'before') return sever();
        endsWithReply = true;
      }
      far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (swallowed.has(near)) return;
      if (!endsWithReply) near.write(bytes);
      // The byte behind the header says whether a transaction is open.
      else if (bytes.subarray(-ready.length - 1, -1).equals(ready)) sever();
    });
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    near.on('end', () => swallowed.has(near) || near.end());
    for (const socket of pair) socket.on('error', end).on('close', end);
  });
  const connection = await reach.listen(server);
  return {
    connection,
    severAt: (batch, at, first = () => {}) => {
      batchesLeft = batch;
      side = at;
      onBreak = first;
    },
    blackHole: () => {
      for (const [near] of pairs) swallowed.add(near);
    },
    mend: () => {
      const wasBroken = isBroken;
      isBroken = false;
      onBreak = () => {};
      batchesLeft = Number.POSITIVE_INFINITY;
      return wasBroken;
    },
    close: async () => {
      sever();
      await new Promise((resolve) => server.close(resolve));
      reach.remove();
    },
  };
}

interface Reach {
  open(): Socket;
  /** Resolves to the address of the listening server. */
  listen(server: Server): Promise<ConnectionConfig>;
  remove(): void;
}

/** An embedded database is behind a socket file, an external one at a port. */
export function reachOf(target: ConnectionConfig): Reach {
  if (target.connectionString) return reachOfPort(target, new URL(target.connectionString));
  const name = `.s.PGSQL.${target.port ?? 5432}`;
  const folder = mkdtempSync(join(tmpdir(), 'wire-'));
  return {
    open: () => connect(join(target.host!, name)),
    listen: (server) =>
      new Promise((resolve) => server.listen(join(folder, name), () => resolve({ ...target, host: folder }))),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function reachOfPort(target: ConnectionConfig, url: URL): Reach {
  return {
    open: () => connect(Number(url.port || 5432), url.hostname),
    listen: (server) =>
      new Promise((resolve) =>
        server.listen(0, '127.0.0.1', () => {
          const here = new URL(url);
          here.hostname = '127.0.0.1';
          here.port = String((server.address() as { port: number }).port);
          resolve({ ...target, connectionString: here.href });
        }),
      ),
    remove: () => {},
  };
}
