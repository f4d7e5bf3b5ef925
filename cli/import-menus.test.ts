import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { guessMapping, productImport, readMapping } from '../src/shop/imports/imports.ts';
import {
  sampleBodies,
  sampleCategories,
  sampleMenus,
} from '../src/shop/imports/sample-menus.test-support.ts';
import { comparableProducts } from '../test/harness/comparable-products.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { inspectFile } from './inspect-file.ts';
import { mappingAt } from './mapping-at.ts';
import { runImport } from './run-import.ts';

/* Menus in the shapes of other systems, by the command. */

const service = await startTestService();
const { context } = service;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-menus-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});
const newShop = () => createTestShop(context, { products: [], categories: sampleCategories });

test('a menu in any of the four shapes becomes what the interface makes of the same products', async () => {
  const byInterface = await newShop();
  for (const body of sampleBodies) {
    const { error } = await service.call('POST', '/api/v1/products', { keys: byInterface.keys, body });
    expect(error).toBeUndefined();
  }
  const expected = await comparableProducts(service, byInterface);
  expect(expected).toHaveLength(12);
  for (const { file, path } of sampleMenus) {
    const shop = await newShop();
    const copy = join(folder, file);
    copyFileSync(path, copy);
    const inspected = await inspectFile({ context }, shop.organizationId, copy, {});
    expect(inspected.exitCode).toBe(0);
    expect(await importMenu(shop, copy, `${copy}.mapping.json`)).toMatchObject({
      created: 12,
      refused: 0,
      warnings: [],
    });
    expect(await comparableProducts(service, shop), file).toEqual(expected);
  }
});

function importMenu({ organizationId }: TestShop, path: string, mappingPath: string) {
  return runImport(productImport, {
    context,
    origin: testOrigin,
    organization: organizationId,
    path,
    mapping: readMapping(mappingAt(mappingPath), productImport.fields),
    isTrial: false,
    from: null,
    progress: null,
    onProgress: () => {},
  });
}

test('a mapping is written once; a preset reads the same without one', async () => {
  const shop = await newShop();
  const [{ file, path, preset }] = sampleMenus;
  const copy = join(folder, `twice-${file}`);
  copyFileSync(path, copy);
  const first = await inspectFile({ context }, shop.organizationId, copy, {});
  expect(first.lines).toContain(
    `The mapping was written to ${copy}.mapping.json; edit it where the table is wrong.`,
  );
  writeFileSync(`${copy}.mapping.json`, '{ "columns": { "Name": "name" } }');
  const second = await inspectFile({ context }, shop.organizationId, copy, {});
  expect(second.lines).toContain(
    `${copy}.mapping.json is there already and was not changed; this table does not use it.`,
  );
  expect(mappingAt(`${copy}.mapping.json`)).toEqual({ columns: { Name: 'name' } });
  const edited = await inspectFile({ context }, shop.organizationId, copy, {
    mapping: `${copy}.mapping.json`,
  });
  expect(edited).toMatchObject({ exitCode: 1, data: { refused: 12 } });
  const { mapping } = await guessMapping(fileAt(path), productImport, preset);
  expect((first.data as { mapping: unknown }).mapping).toEqual(mapping);
  // Looking has written nothing.
  expect(await comparableProducts(service, shop)).toEqual([]);
});
