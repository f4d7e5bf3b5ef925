import { open } from 'node:fs/promises';
import {
  announceAuditExport,
  auditExportLines,
  auditFormats,
  exportAuditEntries,
} from '../src/access/audit/audit-log.ts';
import type { AuditFormat } from '../src/access/audit/export-audit.ts';
import { openAnchorStores } from '../src/hosting/startup/audit-anchors.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { SnapshotDatabase } from '../src/platform/database/snapshot-database.ts';
import { linkAuditEntries } from '../src/platform/events/audit-chain.ts';
import {
  type AuditAnchor,
  type AuditProof,
  proveAuditChain,
} from '../src/platform/events/prove-audit-chain.ts';
import { Id, OneOf, Timestamp } from '../src/platform/http/schemas.ts';
import {
  type Command,
  chosenOrganization,
  chosenOrganizations,
  operatorOrigin,
  optional,
  required,
} from './command.ts';
import type { Deployment } from './deployment.ts';
import { ProgressBar } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

interface ProvenOrganization extends AuditProof {
  readonly organizationId: number;
  readonly anchors: number;
}

/** The commands of the audit log (D73, docs/AUDIT.md). */
export const auditCommands: Readonly<Record<string, Command>> = {
  'audit verify': {
    summary: 'prove that no entry of the audit log was changed, removed or inserted; exit code 1 if one was',
    options: {
      organization: optional('id of the organization; all by default', Id()),
      anchors: optional('folder of anchors; that of the service by default'),
    },
    run: async (deployment, { organization, anchors }) => {
      const { operator, config } = deployment;
      const stores = openAnchorStores(
        anchors === undefined ? config : { anchorFolder: anchors, bucket: undefined },
        deployment.say,
      );
      const proven: ProvenOrganization[] = [];
      for (const id of await chosenOrganizations(operator, organization)) {
        const found: AuditAnchor[] = [];
        for (const store of stores) found.push(...(await store.read(id)));
        proven.push({
          organizationId: id,
          anchors: found.length,
          ...(await proveOne(deployment, id, found)),
        });
      }
      return {
        lines: proven.flatMap(proofLines),
        data: proven,
        exitCode: proven.some(({ faultCount }) => faultCount > 0) ? 1 : 0,
      };
    },
  },
  'audit export': {
    summary: "write an organization's audit log to a file, oldest first",
    options: {
      to: required('file to write to; it must not exist'),
      organization: optional('id of the organization; required if there are several', Id()),
      format: optional(`${auditFormats.join(' or ')}; ndjson by default`, OneOf(auditFormats)),
      from: optional('first moment, such as 2026-03-01T00:00:00Z', Timestamp()),
      until: optional('moment after the last one', Timestamp()),
    },
    run: async (deployment, { to, organization: chosen, format = 'ndjson', from, until }) => {
      const organization = await chosenOrganization(deployment.operator, chosen);
      const written = await writeExport(deployment, organization, to!, format as AuditFormat, {
        from,
        to: until,
      });
      return {
        lines: [`${written} entries of organization ${organization} in ${to}`],
        data: { organizationId: organization, to, entries: written },
      };
    },
  },
};

/** On one snapshot, after linking what waits, so that the proof covers it. */
async function proveOne(
  { context, database, screen }: Deployment,
  organization: OrganizationId,
  anchors: readonly AuditAnchor[],
): Promise<AuditProof> {
  await linkAuditEntries(context, organization);
  const snapshot = new SnapshotDatabase(database.serving);
  const bar = new ProgressBar(screen, () => context.clock.now());
  try {
    return await proveAuditChain({ database: snapshot }, organization, anchors, (count) =>
      bar.show(0, `${count.toLocaleString('en-US')} entries of organization ${organization}`),
    );
  } finally {
    bar.end();
    await snapshot.close();
  }
}

function proofLines({
  organizationId,
  entries,
  anchors,
  isBegun,
  faults,
  faultCount,
}: ProvenOrganization): string[] {
  const name = `Organization ${organizationId}`;
  if (faultCount === 0) {
    const held = `${entries.toLocaleString('en-US')} entries, ${anchors.toLocaleString('en-US')} ${anchors === 1 ? 'anchor' : 'anchors'}`;
    return [isBegun ? `${name}: the audit log is whole (${held})` : `${name}: its chain has not begun yet`];
  }
  const more = faultCount > faults.length ? [`  and ${faultCount - faults.length} more`] : [];
  return [
    `${name}: the audit log is NOT whole, ${faultCount} faults in ${entries.toLocaleString('en-US')} entries`,
    ...faults.map(({ words }) => `  ${words}`),
    ...more,
  ];
}

async function writeExport(
  { context, database }: Deployment,
  organization: OrganizationId,
  path: string,
  format: AuditFormat,
  range: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new UsageError(`--to: ${path} cannot be made: ${error.message}`);
  });
  const snapshot = new SnapshotDatabase(database.serving);
  try {
    await announceAuditExport(context, operatorOrigin, organization);
    let written = 0;
    for await (const entries of exportAuditEntries(snapshot, organization, range)) {
      await file.write(auditExportLines(format, entries, written === 0));
      written += entries.length;
    }
    if (written === 0) await file.write(auditExportLines(format, [], true));
    await file.sync();
    return written;
  } finally {
    await file.close();
    await snapshot.close();
  }
}
