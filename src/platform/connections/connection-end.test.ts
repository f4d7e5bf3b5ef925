import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { reachOf } from '../../../test/simulation/severable-wire.ts';
import { Database } from '../database/database.ts';

/** ReadyForQuery together with a fatal error: the server ends as the client connects. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0');
const length = Buffer.alloc(4);
length.writeInt32BE(4 + fields.length);
const lastWords = Buffer.concat([Buffer.from('E'), length, fields]);

test('a connection that ends while it opens is replaced by the next one', async () => {
  const testDatabase = await createTestDatabase();
  const reach = reachOf(testDatabase.serving);
  let left = 2;
  const server = createServer((near) => {
    const far = reach.open();
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      const isDoomed = bytes.subarray(-ready.length).equals(ready) && --left >= 0;
      if (isDoomed) near.end(Buffer.concat([bytes, lastWords]));
      else near.write(bytes);
    });
    near.on('close', () => far.destroy()).on('error', () => far.destroy());
  });
  const database = new Database(await reach.listen(server));

  for (let count = left; count > 0; count--) {
    await expect(database.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  await database.ping();

  await database.close();
  await new Promise((resolve) => server.close(resolve));
  reach.remove();
  await testDatabase.drop();
});
