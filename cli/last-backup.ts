import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LastBackup } from './status-report.ts';

const fileOf = (dataDir: string) => join(dataDir, 'last-backup.json');

/** Notes a finished backup beside the data, for `dispensary status`. A disk without room for the note fails no backup. */
export function noteBackup(dataDir: string, backup: LastBackup): void {
  try {
    writeFileSync(fileOf(dataDir), `${JSON.stringify(backup)}\n`, { mode: 0o600 });
  } catch {
    // The backup itself is complete.
  }
}

/** The last backup that was noted; null: none, or its note cannot be read. */
export function readLastBackup(dataDir: string): LastBackup | null {
  if (!existsSync(fileOf(dataDir))) return null;
  try {
    const { atMs, to, isWhole }: Partial<LastBackup> = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return typeof atMs === 'number' && typeof to === 'string' ? { atMs, to, isWhole: isWhole ?? null } : null;
  } catch {
    return null;
  }
}
