import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { type AnchorStore, anchorAudit } from '../../platform/events/anchor-audit.ts';
import { linkAuditEntries } from '../../platform/events/audit-chain.ts';
import type { AuditAnchor } from '../../platform/events/prove-audit-chain.ts';
import { openTradedShop, verifyShop } from './damaged-shop.test-support.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

test('an anchor that is written while all data is verified is no damage', async () => {
  const { shop } = await openTradedShop(service, 1);
  const written: AuditAnchor[] = [];
  const store: AnchorStore = {
    write: async (anchor) => void written.push(anchor),
    read: async () => written,
  };
  await anchorAudit(service.context, [store], shop.organizationId);
  expect(written).toHaveLength(1);
  // Beside the verification the service goes on: entries are linked and anchored just before the anchors are read.
  const busy: AnchorStore = {
    ...store,
    read: async () => {
      await service.staff(shop);
      await linkAuditEntries(service.context, shop.organizationId);
      await anchorAudit(service.context, [store], shop.organizationId);
      return written;
    },
  };
  const { findings } = await verifyShop(service, shop, [busy]);
  expect(written).toHaveLength(2);
  expect(findings.filter(({ isDamage }) => isDamage)).toEqual([]);
});
