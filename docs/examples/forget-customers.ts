/**
 * Carries the end of customers into an own system: who was erased in the shop is forgotten here, who was merged is one here
 * too. The own system of this example is a file with a note for each customer: `{"3101": "likes edibles"}`.
 * Run: … npx tsx docs/examples/forget-customers.ts ./copy.db ./notes.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import { mirror, openSqliteStore } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';

const { DISPENSARY_URL, DISPENSARY_CONSUMER_KEY, DISPENSARY_CLIENT_KEY } = process.env;
const [, , copyFile, notesFile] = process.argv;
const client = createClient({
  baseUrl: DISPENSARY_URL!,
  consumerKey: DISPENSARY_CONSUMER_KEY!,
  clientKey: DISPENSARY_CLIENT_KEY!,
});
const store = await openSqliteStore(copyFile!);
await mirror({ client, store, collections: ['customers', 'orders'] }).sync();

const notes: Record<string, string> = JSON.parse(readFileSync(notesFile!, 'utf8'));
for (const { collection, id, reason, intoId } of await store.ended()) {
  if (collection !== 'customers' || notes[id] === undefined) continue;
  if (reason === 'merged' && intoId !== null) {
    notes[intoId] = [notes[intoId], notes[id]].filter(Boolean).join('; ');
    console.log(`${id} is ${intoId} now`);
  } else {
    console.log(`${id} is forgotten`);
  }
  delete notes[id];
}
// Again and again the same result: a run that was interrupted is repeated.
writeFileSync(notesFile!, JSON.stringify(notes));
await store.close();
