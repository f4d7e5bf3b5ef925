import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveKeys } from './src/parts/live-keys.ts';

const contract = join(import.meta.dirname, '..', 'contract');
const { events } = JSON.parse(readFileSync(join(contract, 'events.json'), 'utf8')) as {
  events: string[];
};
const { paths } = JSON.parse(readFileSync(join(contract, 'staff.json'), 'utf8')) as { paths: object };

test('every published event invalidates queries of existing paths', () => {
  // Only the set-up of a demo shop uses it.
  const subjects = new Set(events.map((name) => name.split('.')[0]!).filter((subject) => subject !== 'demo'));
  const known = new Set(Object.keys(paths).map((path) => path.split('/')[3]!));
  for (const subject of subjects) {
    for (const key of liveKeys(subject)) expect([subject, known.has(key)]).toEqual([subject, true]);
  }
});
