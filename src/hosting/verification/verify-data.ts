import { organizationId } from '../../kernel/ids.ts';
import type { DatabaseDeadlines } from '../../platform/connections/deadlines.ts';
import type { Context } from '../../platform/database/context.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import type { AnchorStore } from '../../platform/events/anchor-audit.ts';
import type { ChecksummedCollection } from '../../shop/changes/checksummed-collection.ts';
import { findDamagedPages } from '../embedded-postgres/page-checksums.ts';
import { checkAuditChain, readAnchors } from './check-audit-chain.ts';
import { checkOrganization } from './check-organization.ts';
import { checkFiles, checkStrayFiles, type VerifiedFiles } from './file-checks.ts';
import { FindingList, type Named, type VerificationReport } from './finding.ts';
import { checkRelations } from './relation-checks.ts';
import { VerifiedSnapshot } from './verified-snapshot.ts';

/** What is verified. */
export interface VerifiedData {
  readonly context: Context;
  /** The login that reads an organization's rows. */
  readonly serving: ConnectionConfig;
  /** A superuser; null where there is none, as for most external servers. */
  readonly admin: ConnectionConfig | null;
  /** The folder whose files are read; null for a server elsewhere. */
  readonly dataDir: string | null;
  readonly organizations: readonly { readonly id: number }[];
  readonly collections: (context: Context) => readonly ChecksummedCollection[];
  readonly files: VerifiedFiles;
  /** Where anchors of the audit log are; none: the chain is proved without. */
  readonly anchors?: readonly AnchorStore[];
  /** `share` from 0 to 1, approximate. */
  readonly onProgress?: (share: number, words: string) => void;
}

const pageChecksums: Named = {
  name: 'page-checksums',
  promise: 'each page of the database has the checksum of its content',
};
const inTime: Named = { name: 'time', promise: 'every organization was looked at' };

/** A statement over all rows of a large shop takes minutes. */
const patience: DatabaseDeadlines = { connectMs: 10_000, roundTripMs: 600_000, longRoundTripMs: 1_800_000 };
const haste: DatabaseDeadlines = { connectMs: 3_000, roundTripMs: 3_000, longRoundTripMs: 5_000 };

/** The progress when each part ends: pages, tables, organizations. */
const shares = { pages: 0.15, relations: 0.45 };

/**
 * Looks at all data, and changes none: pages, tables and indexes, the rows of each organization on one snapshot, files and
 * their keys. Runs beside a service that writes.
 */
export async function verifyAll(data: VerifiedData): Promise<VerificationReport> {
  const { context, serving, organizations, files, onProgress } = data;
  const found = new FindingList();
  const show = (from: number, to: number) => (share: number, words: string) =>
    onProgress?.(from + (to - from) * share, words);
  await checkPages(data, found, show(0, shares.pages));
  if (data.admin === null) {
    found.skipped(
      { name: 'tables', promise: 'the pages of each table are well formed' },
      'that takes a superuser',
    );
  } else {
    await checkRelations({ admin: data.admin, found, onProgress: show(shares.pages, shares.relations) });
  }
  const named = new Set<string>();
  const ofOrganizations = show(shares.relations, 1);
  for (const [index, { id }] of organizations.entries()) {
    const organization = organizationId(id);
    const anchors = await readAnchors(organization, data.anchors ?? [], found);
    const snapshot = new VerifiedSnapshot(serving, patience, found);
    let orders = 0;
    const onOrders = (more: number) => {
      orders += more;
      ofOrganizations(index / organizations.length, `${orders} orders of organization ${id}`);
    };
    try {
      await checkOrganization({
        ...{ context, collections: data.collections, snapshot, organization, found, onOrders },
        isOutOfTime: () => false,
      });
      await checkAuditChain(snapshot, organization, anchors, found);
      for (const name of await checkFiles(snapshot, organization, files, found)) named.add(name);
    } finally {
      await snapshot.close();
    }
    ofOrganizations((index + 1) / organizations.length, `organization ${id}`);
  }
  await checkStrayFiles(files, named, found);
  return found.report();
}

/** For a start after an unclean end: so much time, and of each organization so many of its latest orders. */
export interface QuickLook {
  readonly msMax: number;
  readonly orders: number;
  readonly documents: number;
}

/**
 * The same for what was written last, in limited time: a crash damages what was being written. Reads no pages, and of sums only
 * the balances of stock and points.
 */
export async function verifyLatest(
  data: Omit<VerifiedData, 'admin' | 'dataDir' | 'onProgress'>,
  { msMax, orders, documents }: QuickLook,
  isStopping: () => boolean = () => false,
): Promise<VerificationReport> {
  const { context, serving, organizations, files } = data;
  const found = new FindingList();
  const startedAtMs = performance.now();
  const isOutOfTime = () => isStopping() || performance.now() - startedAtMs > msMax;
  for (const [index, { id }] of organizations.entries()) {
    if (isOutOfTime()) {
      found.skipped(inTime, `${organizations.length - index} organizations were left`);
      break;
    }
    const organization = organizationId(id);
    const snapshot = new VerifiedSnapshot(serving, haste, found);
    try {
      await checkOrganization(
        { context, collections: data.collections, snapshot, organization, found, isOutOfTime },
        orders,
      );
      await checkFiles(snapshot, organization, files, found, documents);
    } finally {
      await snapshot.close();
    }
  }
  return found.report();
}

async function checkPages(
  { admin, dataDir }: VerifiedData,
  found: FindingList,
  onProgress: (share: number, words: string) => void,
): Promise<void> {
  if (admin === null || dataDir === null) {
    found.skipped(pageChecksums, 'the files of the database are elsewhere');
    return;
  }
  const { damaged, pages } = await findDamagedPages({
    ...{ dataDir, isRunning: true },
    onFile: (share, count) => onProgress(share, `${count} pages`),
  });
  found.looked(pageChecksums, pages);
  for (const { file, page, words } of damaged) {
    found.add(pageChecksums, {
      ...{ organizationId: null, place: `postgres/${file}`, row: `page ${page}` },
      ...{ orderNumber: null, isDamage: true, words },
    });
  }
}
