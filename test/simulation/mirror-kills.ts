import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { openSqliteStore } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';
import {
  expectSameRows,
  type Rows,
  rowsOfCopy,
  rowsOfService,
} from '../../sdk/integrator/src/mirror/mirrored-shop.test-support.ts';
import { seededRandom } from '../../seed/seeded-random.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { type BuiltProgram, Deployment } from './built-program.ts';

function startMirror({ baseUrl, shop }: Deployment, file: string, ...options: string[]) {
  const program: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', 'cli/main.ts', 'mirror', '--to', file, ...options],
    {
      cwd: projectFolder(),
      env: {
        ...process.env,
        DISPENSARY_URL: baseUrl,
        DISPENSARY_CONSUMER_KEY: shop.keys.consumerKey!,
        DISPENSARY_CLIENT_KEY: shop.keys.clientKey!,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  program.stderr!.on('data', (text) => {
    said += text;
  });
  const ended = once(program, 'close').then(([code]) => ({ code, said }));
  return { program, ended, hasSaid: () => said.length > 0 };
}

/** Every start of this deployment has another port, which addresses of photos show. */
function withoutPorts(rows: Rows): Rows {
  const plain = (record: object) =>
    JSON.parse(JSON.stringify(record).replaceAll(/127\.0\.0\.1:\d+/g, 'shop'));
  const ofCollection = ([name, records]: [string, Rows['orders']]) =>
    [name, new Map([...records].map(([id, record]) => [id, plain(record)]))] as const;
  return Object.fromEntries(Object.entries(rows).map(ofCollection)) as unknown as Rows;
}

/**
 * Runs `dispensary mirror` as a process beside the built program, and kills (SIGKILL) the mirror, the program, and both with
 * the database, while orders are placed. At the end the copy equals the shop, row by row.
 */
export async function mirrorAndKill(built: BuiltProgram, kills: number, firstOrders: number): Promise<void> {
  const random = seededRandom('kills');
  const deployment = await Deployment.make(built, 'mirrored');
  const file = join(built.folder, 'copy.db');
  await deployment.start();
  for (let placed = 0; placed < firstOrders; placed += 1) await deployment.place();
  for (let kill = 0; kill < kills; kill += 1) {
    const mirror = startMirror(deployment, file);
    let isAlive = true;
    const trading = (async () => {
      while (isAlive) {
        // A request that the kill cuts off has no answer.
        await deployment.place().catch((error) => {
          if (isAlive || !(error instanceof TypeError)) throw error;
        });
      }
    })();
    // Its first word: it has begun to copy.
    await expect
      .poll(() => mirror.hasSaid() || mirror.program.exitCode !== null, { timeout: 60_000, interval: 2 })
      .toBe(true);
    await delay(random.integer(0, 600));
    if (random.chance(0.5)) mirror.program.kill('SIGKILL');
    isAlive = false;
    if (random.chance(0.6)) {
      await deployment.kill(random.chance(0.5));
      await deployment.start();
    }
    await trading;
    mirror.program.kill('SIGKILL');
    await mirror.ended;
  }
  expect(await startMirror(deployment, file, '--once', '--verify').ended).toMatchObject({ code: 0 });
  const store = await openSqliteStore(file);
  await store.prepare();
  const { baseUrl, shop } = deployment;
  const menuUrl = await deployment.hasSaid(/Menu address +(\S+)/);
  const rows = await rowsOfCopy(store);
  expectSameRows(withoutPorts(rows), withoutPorts(await rowsOfService({ baseUrl, menuUrl }, shop.keys)));
  expect(rows.orders.size).toBeGreaterThanOrEqual(firstOrders);
  await store.close();
}
