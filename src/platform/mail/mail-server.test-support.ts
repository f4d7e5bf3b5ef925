import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { smtpTransport } from './mail.ts';

/** An SMTP server on the loopback that keeps what it takes, and a transport to it. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const taken: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        taken.push({ to, text: Buffer.concat(parts).toString() });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const transport = smtpTransport({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@shop.example.com' });
  const close = async () => {
    // The transport first: the server waits for its connections.
    await transport.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { taken, port, transport, close };
}
