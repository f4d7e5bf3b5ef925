/**
 * Keeps a copy of a shop in SQLite, proves that it is exact, and answers a question that the API has no operation for.
 * Run: DISPENSARY_URL=… DISPENSARY_CONSUMER_KEY=… DISPENSARY_CLIENT_KEY=… npx tsx docs/examples/keep-a-copy.ts ./copy.db
 */
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import { mirror, openSqliteStore } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';

const { DISPENSARY_URL, DISPENSARY_CONSUMER_KEY, DISPENSARY_CLIENT_KEY } = process.env;
const client = createClient({
  baseUrl: DISPENSARY_URL!,
  consumerKey: DISPENSARY_CONSUMER_KEY!,
  clientKey: DISPENSARY_CLIENT_KEY!,
});
const store = await openSqliteStore(process.argv[2]!);
const copy = mirror({ client, store });

const { changed, startedOver } = await copy.sync();
console.log(
  `${changed} records written${startedOver === null ? '' : `, from the beginning: ${startedOver}`}`,
);

const { isExact, collections, leftOut } = await copy.verify();
for (const { collection, copy: ours } of collections) console.log(`${collection}: ${ours.count}`);
for (const { collection, permission } of leftOut)
  console.log(`${collection}: needs the permission ${permission}`);
console.log(isExact ? 'The copy is exact.' : 'The copy differs.');
if (!isExact) await copy.repair();

let spent = 0;
for await (const page of store.versions('orders')) {
  const orders = await store.read(
    'orders',
    page.map(({ id }) => id),
  );
  for (const json of orders.values()) {
    const { status, customerGrandTotal } = JSON.parse(json);
    if (status !== 'canceled') spent += customerGrandTotal;
  }
}
console.log(`Orders that were not canceled: ${spent} cents`);
await store.close();
