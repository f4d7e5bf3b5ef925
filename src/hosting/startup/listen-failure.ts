import { createServer } from 'node:net';

/** The setting for the port of a listener. */
export type PortSetting = 'PORT' | 'MENU_PORT' | 'METRICS_PORT';

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Throws the error that a server listening there would get. Called before slow steps of a start. With port 0 only the
 * host can be wrong.
 */
export async function probeListening(setting: PortSetting, at: Place): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(at, resolve);
    });
  } catch (error) {
    throw listenFailure(error, setting, at);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** The reason why a server cannot listen, with the setting to change; other errors are unchanged. */
export function listenFailure(error: unknown, setting: PortSetting, { host, port }: Place): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(
        `Another program listens on ${host}:${port}. Stop it, or set ${setting} to another port.`,
      );
    case 'EACCES':
      return new Error(`This user may not listen on ${host}:${port}. Set ${setting} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
      return new Error(`This machine has no address ${host} to listen on. Set HOST to one that it has.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `HOST "${host}" is not an address, and this machine cannot resolve it. Set it to an address of this machine.`,
      );
    default:
      return error;
  }
}
