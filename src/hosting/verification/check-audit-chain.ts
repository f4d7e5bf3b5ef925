import type { OrganizationId } from '../../kernel/ids.ts';
import type { AnchorStore } from '../../platform/events/anchor-audit.ts';
import { type AuditAnchor, proveAuditChain } from '../../platform/events/prove-audit-chain.ts';
import type { FindingList, Named } from './finding.ts';
import type { VerifiedSnapshot } from './verified-snapshot.ts';

const auditChain: Named = {
  name: 'audit-chain',
  promise: 'each entry of the audit log follows from the one before it, and none is missing or added',
};

/**
 * Reads all anchors of an organization. They are read before the snapshot is taken: beside a running service a later one would have
 * links that the snapshot does not show. Anchors that cannot be read are a finding.
 */
export async function readAnchors(
  organization: OrganizationId,
  stores: readonly AnchorStore[],
  found: FindingList,
): Promise<AuditAnchor[]> {
  const anchors: AuditAnchor[] = [];
  for (const store of stores) {
    try {
      anchors.push(...(await store.read(organization)));
    } catch (error) {
      // The rest of the data is still to be verified.
      found.add(auditChain, {
        ...{ organizationId: organization, place: 'anchors of the audit log', row: null, orderNumber: null },
        ...{ isDamage: true, words: `they cannot be read: ${(error as Error).message}` },
      });
    }
  }
  return anchors;
}

/** Proves the chain of the audit log, with anchors from before the snapshot. */
export async function checkAuditChain(
  snapshot: VerifiedSnapshot,
  organization: OrganizationId,
  anchors: readonly AuditAnchor[],
  found: FindingList,
): Promise<void> {
  const proof = await snapshot.run(auditChain, organization, (database) =>
    proveAuditChain({ database }, organization, anchors),
  );
  if (proof === null) return;
  if (!proof.isBegun && proof.faultCount === 0) {
    found.skipped(auditChain, 'the service has not begun the chain yet');
    return;
  }
  found.looked(auditChain, proof.entries);
  for (const { entryId, number, words } of proof.faults) {
    found.add(auditChain, {
      ...{ organizationId: organization, orderNumber: null, isDamage: true, words },
      ...(entryId === null
        ? { place: 'audit_links', row: number === null ? null : String(number) }
        : { place: 'audit_entries', row: String(entryId) }),
    });
  }
}
