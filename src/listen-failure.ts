/** Why a server cannot listen, in words that name the setting to change; other errors as they are. */
export function listenFailure(
  error: unknown,
  setting: 'PORT' | 'MENU_PORT' | 'METRICS_PORT',
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(
        `Another program listens on ${host}:${port}. Stop it, or set ${setting} to another port.`,
      );
    case 'EACCES':
      return new Error(`This user may not listen on ${host}:${port}. Set ${setting} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
      return new Error(`This machine has no address ${host} to listen on. Set HOST to one that it has.`);
    default:
      return error;
  }
}
