import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Origin } from './assemble-release.ts';

/**
 * Writes where files of a release come from: an in-toto statement with the predicate SLSA provenance v1 (slsa.dev/spec/v1.0/provenance). It
 * names each file's digest, the commit, and what made it. It stands in SHA256SUMS, so the signature of that covers it. The same commit makes
 * the same statement.
 */
export function writeProvenance(
  folder: string,
  name: string,
  files: readonly string[],
  { commit, madeAt }: Origin,
): void {
  const subject = [...files].sort().map((file) => ({
    name: file,
    digest: {
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    },
  }));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { commit, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: commit === null ? [] : [{ uri: 'git', digest: { gitCommit: commit } }],
      },
      runDetails: {
        builder: { id: 'scripts/release.ts' },
        metadata: { finishedOn: new Date(madeAt * 1_000).toISOString() },
      },
    },
  };
  writeFileSync(join(folder, name), `${JSON.stringify(statement, null, 2)}\n`);
}
