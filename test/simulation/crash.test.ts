import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { connectEmbedded } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { Database } from '../../src/platform/database/database.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { type BuiltProgram, buildProgram, Deployment } from './built-program.ts';
import { mirrorAndKill } from './mirror-kills.ts';
import { brokenRules } from './trading-invariants.ts';

/** Thirty kills in the long suite, in three deployments side by side: a restart mostly waits for the disk. */
const deploymentCount = casesOf({ everyRun: 1, long: 3 });
const killsPerDeployment = casesOf({ everyRun: 2, long: 10 });
const clientCount = 8;

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildProgram();
});
afterAll(() => built.remove());

async function tradeAndCrash(name: string): Promise<void> {
  const random = seededRandom(name);
  const deployment = await Deployment.make(built, name);
  const { shop, told } = deployment;
  await deployment.start();
  for (let kill = 0; kill < killsPerDeployment; kill++) {
    let isAlive = true;
    const clients = Array.from({ length: clientCount }, async () => {
      while (isAlive) {
        // A request that the kill cuts off has no answer.
        await deployment.place().catch((error) => {
          if (isAlive || !(error instanceof TypeError)) throw error;
        });
      }
    });
    await delay(random.integer(5, 400));
    isAlive = false;
    // A third of the kills also end the database.
    await deployment.kill(kill % 3 === 1);
    await Promise.all(clients);

    await deployment.start();
    const database = new Database(connectEmbedded(deployment)!.servingConnection, 1);
    expect(await brokenRules(database, shop.organizationId)).toEqual([]);
    expect(await deployment.orders(database)).toEqual(expect.objectContaining(deployment.acknowledged));
    // A client without an answer repeats the request with the same key, and gets the one order.
    const unanswered = [...told.keys()].filter((key) => told.get(key) === null);
    await Promise.all(unanswered.map((key) => deployment.place(key)));
    expect(await deployment.orders(database)).toEqual(deployment.acknowledged);
    await database.close();
  }
  expect(told.size).toBeGreaterThanOrEqual(killsPerDeployment * clientCount);
}

test('after kills of any process at any moment every acknowledged order exists once and complete', async () => {
  const names = Array.from({ length: deploymentCount }, (_, at) => `deployment ${at}`);
  await Promise.all(names.map(tradeAndCrash));
}, 150_000);

// The mirrored year has its kills in every run, in one process.
if (isLongSuite) {
  test(
    'a copy is exact again after kills of the mirror, of the service and of its database at any moment',
    () => mirrorAndKill(built, 12, 150),
    900_000,
  );
}
