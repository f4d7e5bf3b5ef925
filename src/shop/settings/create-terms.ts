import type { CartTax } from '../../engines/pricing/pricing-facts.ts';
import { findTaxContradiction } from '../../engines/pricing/taxes.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertDeliveryZonePostalCodes, insertDeliveryZones } from './delivery-zone-queries.ts';
import { insertPaymentTypes } from './payment-type-queries.ts';
import { insertTaxes } from './tax-queries.ts';

export interface NewTerms {
  readonly taxes: readonly Omit<CartTax, 'id'>[];
  readonly deliveryZones: readonly {
    readonly name: string;
    /** "94607" or "946*". */
    readonly patterns: readonly string[];
    readonly minimumCents: number;
    readonly feeCents: number;
    readonly feeDescription: string | null;
  }[];
  readonly paymentTypes: readonly {
    readonly name: string;
    readonly feeCents: number;
    readonly feeDescription: string | null;
    readonly feePercent: string;
    readonly method: 'cash' | 'debit' | 'other' | 'processor';
    readonly availableDelivery: boolean;
  }[];
}

/**
 * Creates the terms of sale of an organization. Resolves to the ids of the payment types, in order. Fails with
 * INVALID_PARAMS when the taxes contradict each other (docs/PRICING.md, step 7).
 */
export async function createTerms(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  terms: NewTerms,
): Promise<number[]> {
  const nowMs = context.clock.now();
  const createdAt = isoTimestamp(nowMs);
  const taxIds = await context.ids.take(terms.taxes.length);
  const zoneIds = await context.ids.take(terms.deliveryZones.length);
  const paymentTypeIds = await context.ids.take(terms.paymentTypes.length);
  const contradiction = findTaxContradiction(
    terms.taxes.map((tax, index) => ({ ...tax, id: taxIds[index]! })),
  );
  if (contradiction !== null) throw failure('INVALID_PARAMS', contradiction);
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertTaxes(
        terms.taxes.map(({ excludedProductCategoryIds, nonExemptableProductCategoryIds, ...tax }, index) => ({
          ...tax,
          basis: tax.basis ? JSON.stringify(tax.basis) : null,
          id: taxIds[index]!,
          excludedCategoryIds: excludedProductCategoryIds,
          nonExemptableCategoryIds: nonExemptableProductCategoryIds,
          onlyInZones: false,
          customerType: 'all',
          patients: null,
          locality: null,
          source: null,
          startsAt: null,
          endsAt: null,
          createdAt,
        })),
      ),
      ...insertDeliveryZones(
        terms.deliveryZones.map((zone, index) => ({
          id: zoneIds[index]!,
          name: zone.name,
          orderMinimumCents: zone.minimumCents,
          deliveryFeeCents: zone.feeCents,
          deliveryFeeDescription: zone.feeDescription,
          inventoryLocationIds: [],
          taxIds: null,
          createdAt,
        })),
      ),
      ...insertDeliveryZonePostalCodes(
        terms.deliveryZones.flatMap((zone, index) =>
          zone.patterns.map((pattern) => ({ pattern, deliveryZoneId: zoneIds[index]! })),
        ),
      ),
      ...insertPaymentTypes(
        terms.paymentTypes.map((type, index) => ({ ...type, id: paymentTypeIds[index]!, createdAt })),
      ),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: {
        taxes: terms.taxes.length,
        deliveryZones: terms.deliveryZones.length,
        paymentTypes: terms.paymentTypes.length,
      },
    });
  });
  return paymentTypeIds;
}
