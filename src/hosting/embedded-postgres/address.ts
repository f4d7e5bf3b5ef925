import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { makePrivateDirectory } from './binaries.ts';
import type { Layout } from './cluster.ts';

/** Only a name for the socket: each directory has its own. */
export const socketPort = 5432;
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103;

/** Where PostgreSQL listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The server settings for it. */
  readonly args: readonly string[];
  /** Removes the files made for it, after PostgreSQL has stopped. */
  remove(): void;
}

/**
 * A socket in the cluster's private directory. If that is impossible (the path is too long for a socket, the file
 * system has no sockets), a socket in a private temporary directory; on Windows, where Node has no Unix sockets, a free
 * loopback port.
 */
export async function chooseAddress(
  { clusterDir, dataDir }: Layout,
  account: Account | undefined,
): Promise<Address> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return {
      host: '127.0.0.1',
      port,
      args: ['listen_addresses=127.0.0.1', `port=${port}`],
      remove: () => {},
    };
  }
  const onSocket = (host: string, directory: string, remove: () => void): Address => ({
    ...{ host, port: socketPort, remove },
    args: ['listen_addresses=', `port=${socketPort}`, `unix_socket_directories=${directory}`],
  });
  // Relative to the working directory: PostgreSQL may be unable to traverse the path.
  if (await takesSockets(clusterDir)) return onSocket(clusterDir, '.', () => {});
  for (const parent of [tmpdir(), '/tmp']) {
    const directory = makePrivateDirectory(parent, dataDir, 'socket', account);
    const remove = () => rmSync(directory, { recursive: true, force: true });
    if (await takesSockets(directory)) return onSocket(directory, directory, remove);
    remove();
  }
  throw new Error(
    `Neither ${clusterDir} nor ${tmpdir()} supports a Unix socket: choose a DATA_DIR with a shorter path.`,
  );
}

async function takesSockets(directory: string): Promise<boolean> {
  const path = join(directory, `.s.PGSQL.${socketPort}.probe`);
  if (Buffer.byteLength(path) > socketPathBytesMax) return false;
  const server = createServer();
  try {
    await once(server.listen(path), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
