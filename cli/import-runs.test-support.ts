import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { guessMapping, type ImportKind, readMapping } from '../src/shop/imports/imports.ts';
import type { TestService } from '../test/harness/test-service.ts';
import { type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { type ImportReport, type ImportRun, runImport } from './run-import.ts';

interface Import {
  /** As its file has it; null: the columns are those of the service; absent: guessed. */
  readonly mapping?: object | null;
  readonly isTrial?: boolean;
}

/** Files of a folder of their own that tests import by the command; the folder and the service go with the tests. */
export function importRuns(service: Pick<TestService, 'context' | 'close'>) {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-import-'));
  let files = 0;
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  });
  const runOf = async <Row>(
    kind: ImportKind<Row>,
    { organizationId }: TestShop,
    path: string,
    { mapping, isTrial = false }: Import = {},
  ): Promise<ImportRun> => {
    const sent = mapping === undefined ? (await guessMapping(fileAt(path), kind, null)).mapping : mapping;
    return {
      ...{ context: service.context, origin: testOrigin, organization: organizationId, path, isTrial },
      ...{ from: null, progress: null, onProgress: () => {} },
      mapping: sent === null ? null : readMapping(sent, kind.fields),
    };
  };
  return {
    folder,
    /** Writes a file; an object is JSON. */
    fileOf(content: string | Buffer | object, ending?: string): string {
      const isText = typeof content === 'string' || Buffer.isBuffer(content);
      const path = join(folder, `${++files}.${ending ?? (isText ? 'csv' : 'json')}`);
      writeFileSync(path, isText ? content : JSON.stringify(content));
      return path;
    },
    runOf,
    load: async <Row>(
      kind: ImportKind<Row>,
      shop: TestShop,
      path: string,
      how: Import = {},
    ): Promise<ImportReport> => runImport(kind, await runOf(kind, shop, path, how)),
  };
}
