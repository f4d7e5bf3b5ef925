import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { answerParent } from './child-worker.ts';

export interface PostLoad {
  readonly ports: readonly number[];
  readonly bodies: readonly string[];
}

const atOnce = 8;
const secret = Buffer.alloc(32, 7);

/** The baseline of webhooks: a bare loop of signed POSTs of each body to each port. Resolves to the milliseconds. */
async function postAll({ ports, bodies }: PostLoad): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const startedMs = performance.now();
  await Promise.all(
    ports.flatMap((port) => {
      let next = 0;
      return Array.from({ length: atOnce }, async () => {
        while (next < bodies.length) {
          const body = bodies[next]!;
          next += 1;
          await post(agent, port, `message-${next}`, body);
        }
      });
    }),
  );
  agent.destroy();
  return performance.now() - startedMs;
}

function post(agent: Agent, port: number, id: string, body: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/hooks', method: 'POST', agent, headers },
      (response) => {
        response.resume().on('end', resolve);
      },
    );
    sent.on('error', reject).end(body);
  });
}

if (process.send) answerParent(postAll);
