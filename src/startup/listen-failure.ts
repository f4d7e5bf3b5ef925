import { createServer } from 'node:net';

/** The setting that says where a listener is. */
export type PortSetting = 'PORT' | 'MENU_PORT' | 'METRICS_PORT';

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Throws what a server that listened there would end with: a start asks before it begins what takes long. Of port 0
 * only the host can be wrong.
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

/** Why a server cannot listen, in words that name the setting to change; other errors as they are. */
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
        `HOST "${host}" is no address, and no name that this machine can look up. Set it to an address that the machine has.`,
      );
    default:
      return error;
  }
}
