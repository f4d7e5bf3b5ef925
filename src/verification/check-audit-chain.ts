import type { AnchorStore } from '../events/anchor-audit.ts';
import { type AuditAnchor, proveAuditChain } from '../events/prove-audit-chain.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { FindingList, Named } from './finding.ts';
import type { VerifiedSnapshot } from './verified-snapshot.ts';

const auditChain: Named = {
  name: 'audit-chain',
  promise: 'each entry of the audit log follows from the one before it, and none is missing or added (D73)',
};

/** Proves the chain of the audit log, with all anchors that there are. */
export async function checkAuditChain(
  snapshot: VerifiedSnapshot,
  organization: OrganizationId,
  stores: readonly AnchorStore[],
  found: FindingList,
): Promise<void> {
  const anchors: AuditAnchor[] = [];
  for (const store of stores) anchors.push(...(await store.read(organization)));
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
