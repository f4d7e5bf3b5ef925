import { randomInt } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createIntegrator } from '../../src/access/keys/keys.ts';
import { resumeOrganization } from '../../src/access/organizations/organizations.ts';
import {
  exportOrganization,
  importOrganization,
} from '../../src/hosting/organization-moves/organization-moves.ts';
import { adminOf } from '../../src/hosting/verification/damaged-shop.test-support.ts';
import { withSession } from '../../src/platform/connections/with-session.ts';
import { casesOf } from '../harness/long-suite.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import { LawfulYear } from './lawful-year.ts';

const { SIMULATION_SEED: askedSeed } = process.env;
const seed = askedSeed === undefined ? randomInt(1_000_000_000) : Number(askedSeed);
const movesOfHalf = casesOf({ everyRun: 40, long: 1_000 });

const database = await createTestDatabase();
const [from, receiving] = [await startOwnTestService(), await startOwnTestService({ database })];
afterAll(async () => {
  await from.close();
  await receiving.close();
  await database.drop();
});

/** The shop where it is after its move; its goods, customers and kinds of payment keep their ids. */
async function moved(shop: TestShop): Promise<TestShop> {
  const pieces: Uint8Array[] = [];
  await withSession(from.database.owner, async (client) => {
    const { archive } = exportOrganization({
      ...{ client, organization: shop.organizationId, nowMs: from.clock.now() },
      ...{ documents: from.documentFiles, photos: from.photoBlobs },
    });
    for await (const piece of archive) pieces.push(piece);
  });
  const { id } = await withSession(adminOf(receiving), (client) =>
    importOrganization({
      ...{
        client,
        documents: receiving.documentFiles,
        photos: receiving.photoBlobs,
        nowMs: from.clock.now(),
      },
      archive: (async function* () {
        yield* pieces;
      })(),
      takeId: () => receiving.context.ids.takeOne(),
      makeIntegrator: (name) => createIntegrator(receiving.context, 'production', name),
    }),
  );
  return { ...shop, organizationId: id };
}

test(`a shop that moves in mid-year goes on as the one that did not: every answer, report and customer's page, seed ${seed}`, async () => {
  const stayed = await LawfulYear.open(from, seed);
  await stayed.trade(movesOfHalf);
  receiving.clock.set(from.clock.now());
  const shops: TestShop[] = [];
  for (const shop of stayed.shops) shops.push(await moved(shop));
  // A process that was there before would still make ids of its former block.
  const into = await startOwnTestService({ database });
  for (const { organizationId } of shops) {
    await resumeOrganization(into.context, testOrigin, organizationId);
  }
  const went = stayed.movedTo(into, shops);
  const ofBoth = [];
  for (const year of [stayed, went]) {
    await year.trade(movesOfHalf);
    await year.expectBooks();
    ofBoth.push(await year.told());
  }
  expect(ofBoth[1]).toEqual(ofBoth[0]);
  expect([...from.faults, ...into.faults]).toEqual([]);
  await into.close();
}, 900_000);
