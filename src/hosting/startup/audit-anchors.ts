import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnchorStore } from '../../platform/events/anchor-audit.ts';
import type { AuditAnchor } from '../../platform/events/prove-audit-chain.ts';
import { type BucketSettings, S3BlobStore } from '../../platform/storage/s3-blob-store.ts';

/** Where anchors of the audit log are kept (D73): a folder and, if files are in a bucket, that bucket. */
export function openAnchorStores(
  { anchorFolder, bucket }: { readonly anchorFolder: string; readonly bucket: BucketSettings | undefined },
  report: (problem: string) => void,
): readonly AnchorStore[] {
  return [
    new AnchorFolder(anchorFolder),
    ...(bucket === undefined ? [] : [new AnchorBucket(new S3BlobStore(bucket, 'audit-anchors', { report }))]),
  ];
}

/** A file for each organization, and a line of JSON for each anchor. Lines are only added. */
class AnchorFolder implements AnchorStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #pathOf(organization: number): string {
    return join(this.#folder, `organization-${organization}.ndjson`);
  }

  async write(anchor: AuditAnchor): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(anchor.organizationId);
    const torn = await tornEnd(path);
    const file = await open(path, 'a', 0o600);
    try {
      // A crash may have left half a line.
      if (torn !== null) await file.truncate(torn);
      await file.write(`${JSON.stringify(anchor)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async read(organization: number): Promise<readonly AuditAnchor[]> {
    const text = await textOf(this.#pathOf(organization));
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line, at) => readAnchor(line, organization, `${this.#pathOf(organization)}, line ${at + 1}`));
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The length of the whole lines of a file that does not end with one; null where it does. */
async function tornEnd(path: string): Promise<number | null> {
  const text = await textOf(path);
  return text === '' || text.endsWith('\n')
    ? null
    : Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
}

/** An object for each anchor, which nothing writes again: a bucket can be set to keep objects as they are. */
class AnchorBucket implements AnchorStore {
  readonly #store: S3BlobStore;

  constructor(store: S3BlobStore) {
    this.#store = store;
  }

  write(anchor: AuditAnchor): Promise<void> {
    const time = anchor.at.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
    return this.#store.put(
      `organization-${anchor.organizationId}-${time}.json`,
      Buffer.from(JSON.stringify(anchor)),
    );
  }

  async read(organization: number): Promise<readonly AuditAnchor[]> {
    const anchors: AuditAnchor[] = [];
    for (const name of await this.#store.list(`organization-${organization}-`)) {
      const bytes = await this.#store.get(name);
      if (bytes !== null) anchors.push(readAnchor(bytes.toString('utf8'), organization, name));
    }
    return anchors;
  }
}

/** Throws an Error that names the place of a text that is no anchor of the organization. */
function readAnchor(text: string, organization: number, place: string): AuditAnchor {
  const { organizationId, at, entries, hash } = parsed(text);
  const isAnchor =
    organizationId === organization &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    Number.isSafeInteger(entries) &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash);
  if (!isAnchor) throw new Error(`${place} is no anchor of the audit log of organization ${organization}`);
  return { organizationId, at, entries: Number(entries), hash };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
