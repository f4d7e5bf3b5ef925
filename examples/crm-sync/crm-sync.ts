/**
 * Follows a shop: `npm start`. `npm run prove -- ada@customers.example.com "+1 415 555 0123"` says whether anything of a person
 * is left.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Outside this repository: from '@dispensary-commerce/integrator-sdk'.
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import { Crm } from './crm.ts';

const {
  DISPENSARY_URL,
  DISPENSARY_CONSUMER_KEY,
  DISPENSARY_CLIENT_KEY,
  CRM_FOLDER = 'data',
  DEMO_FILE,
  SHOP,
} = process.env;

function readKeys() {
  if (DISPENSARY_URL && DISPENSARY_CONSUMER_KEY && DISPENSARY_CLIENT_KEY) {
    return {
      baseUrl: DISPENSARY_URL,
      consumerKey: DISPENSARY_CONSUMER_KEY,
      clientKey: DISPENSARY_CLIENT_KEY,
    };
  }
  const file = DEMO_FILE ?? join(import.meta.dirname, '..', '..', 'data', 'demo.json');
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}. Start the demo first (npm start in the project's folder), or set DISPENSARY_URL and the keys.`,
    );
  }
  const { baseUrl, organizations } = JSON.parse(readFileSync(file, 'utf8'));
  const { consumerKey, clientKey } = organizations[Number(SHOP ?? 0)];
  return { baseUrl, consumerKey, clientKey };
}

// Missing settings, refused keys and a shop that is away are told in a sentence.
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});
const crm = await Crm.open(CRM_FOLDER, createClient(readKeys()));
const [command, ...traces] = process.argv.slice(2);
if (command === 'prove') {
  const { found, filesSearched, isExact } = await crm.prove(traces);
  for (const { file, trace } of found) console.log(`${trace} is in ${file}`);
  console.log(
    `${filesSearched} files searched, ${found.length === 0 ? 'nothing found' : `found ${found.length} times`}.`,
  );
  console.log(
    isExact ? 'The copy is exactly what the shop has.' : 'The copy differs from the shop: run npm start.',
  );
  if (found.length > 0 || !isExact) process.exitCode = 1;
} else {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  console.log('Following the shop; Ctrl-C ends it.');
  await crm.follow(ending.signal, ({ changedRecords, contacts, forgotten, merged }) => {
    console.log(
      `${changedRecords} records changed; ${contacts} customers may be written to; ${forgotten} forgotten, ${merged} merged`,
    );
  });
}
await crm.close();
