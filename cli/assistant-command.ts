import {
  type Command,
  flag,
  optional,
  type RemoteCaller,
  type RemoteConfig,
  type Result,
} from './command.ts';
import { sandboxAccess } from './sandbox-client.ts';

/** A server for assistants, which speaks on stdin and stdout until the assistant closes it. */
export const assistantCommands: Readonly<Record<string, Command>> = {
  mcp: {
    summary:
      'offer the operations that your keys may call to an assistant (Model Context Protocol, on stdin and stdout)',
    options: {
      writes: flag('also operations that change the shop; without it an assistant only reads'),
      url: optional('the address of the service; DISPENSARY_URL, or that of demo.json'),
    },
    runRemote: serve,
  },
};

async function serve(
  config: RemoteConfig,
  options: Readonly<Record<string, string>>,
  { stderr, stop }: RemoteCaller,
): Promise<Result> {
  const access = sandboxAccess(config, options);
  const writes = options.writes !== undefined;
  // Loaded by this command alone: it makes every message's schema when it is loaded.
  const [{ assistantServer }, { StdioServerTransport }] = await Promise.all([
    import('./assistant-server.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  const server = await assistantServer(access, { writes });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
  stderr.write(`Serving ${access.baseUrl} to an assistant${writes ? ', with writes' : ', read-only'}.\n`);
  stop?.addEventListener('abort', () => server.close());
  process.stdin.once('end', () => server.close());
  await closed;
  return { lines: [], data: { closed: true } };
}
