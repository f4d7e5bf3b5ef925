import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyService } from '../../platform/http/probes.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'service-id');

/**
 * Has `/healthz` and `/readyz` tell which data folder this process serves, so that `dispensary status` does not take another
 * service on the same port for this one. The folder must exist and be writable.
 */
export function tellIdentity(dataDir: string, randomBytes: (count: number) => Uint8Array): void {
  try {
    writeFileSync(fileOf(dataDir), `${Buffer.from(randomBytes(16)).toString('hex')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    // Made by an earlier start, or by another process of this one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const identity = identityOf(dataDir);
  if (identity !== null) identifyService(identity);
}

/**
 * What a service of this data folder tells; null: none has started in it. It tells nothing of the path, and differs for a copy of
 * the folder.
 */
export function identityOf(dataDir: string): string | null {
  try {
    const id = readFileSync(fileOf(dataDir), 'utf8').trim();
    return createHash('sha256')
      .update(`${id}\n${realpathSync(dataDir)}`)
      .digest('hex')
      .slice(0, 32);
  } catch {
    return null;
  }
}
