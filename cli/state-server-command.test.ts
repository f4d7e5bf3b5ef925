import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runCommandLine } from './run-command-line.ts';

/** Runs the command until it says where it listens, and asks there. */
async function run(args: readonly string[], ask?: (url: string) => Promise<unknown>) {
  const stop = new AbortController();
  let said = '';
  let heard: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const ended = runCommandLine(['state-server', ...args], {
    ...{ env: {}, folder: tmpdir(), stdout: { write: () => {} }, stop: stop.signal },
    stderr: {
      write: (text) => {
        said += text;
        heard();
      },
    },
  });
  await Promise.race([told, ended]);
  const answer = ask === undefined ? undefined : await ask(/http:\S+(?=;)/.exec(said)![0]);
  stop.abort();
  return { code: await ended, said, answer };
}

test("the command plays a state's system on loopback until it is stopped, by seed, clock and switches", async () => {
  const args = ['--port', '0', '--state', 'NY', '--at', '2026-03-06T18:00:00Z'];
  const { code, said, answer } = await run([...args, '--switches', 'lag=3; order=random'], async (url) => {
    const clock = await (await fetch(`${url}/control/clock`)).json();
    const reply = await fetch(`${url}/control/switches`);
    const switches = (await reply.json()) as { name: string; value: string; values: string[] }[];
    const authorization = `Basic ${Buffer.from('vendor-key:user-key').toString('base64')}`;
    const facilities = await fetch(`${url}/facilities/v2/`, { headers: { authorization } });
    const turned = switches.filter(({ value, values }) => value !== values[0]);
    return { clock, status: facilities.status, turned: turned.map(({ name }) => name) };
  });
  expect(said).toContain('user key user-key');
  expect([code, answer]).toEqual([
    0,
    {
      clock: { now: '2026-03-06T18:00:00.000Z', stands: true },
      ...{ status: 200, turned: ['order', 'lag', 'driver-employee-id'] },
    },
  ]);
});

test.each([
  [['--switches', 'order=sideways'], 'order: one of id-asc, modified-asc'],
  [['--switches', 'odrer=random'], 'There is no switch odrer'],
  [['--port', 'x'], '--port must be a whole number'],
  [['--at', 'noon'], '--at must be an instant'],
])('%s is refused', async (args, words) => {
  const { code, said } = await run(args);
  expect([code, said]).toEqual([2, expect.stringContaining(words)]);
});
