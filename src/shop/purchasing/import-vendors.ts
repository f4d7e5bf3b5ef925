import type { Static } from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { nameText } from '../../kernel/name-text.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { matchVendor, type VendorProfile } from './match-vendor.ts';
import { VendorBody } from './purchase-order-schemas.ts';
import { holdVendorNamed } from './vendor-queries.ts';

const validate = requestValidator({ body: VendorBody, resourceParams: {} });

/** The row of a vendor as the staff's list and an export have one. Null: it is none; a text: why it is left out. */
export function exportedVendor(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | string | null {
  if (!('organizationId' in values) || !('archivedAt' in values)) return null;
  if (typeof values.archivedAt === 'string') return 'is a vendor that was archived, and was left out';
  return Object.fromEntries(
    Object.keys(VendorBody.properties).flatMap((field) => (field in values ? [[field, values[field]]] : [])),
  );
}

/** Parses a vendor of an import. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readVendorRow(body: unknown): VendorProfile {
  const { name, ...sent } = validate({}, {}, body, true).body as Static<typeof VendorBody>;
  return { ...noProfile, ...sent, name: nameText(name) };
}

const noProfile = {
  ...{ email: null, phone: null, notes: null, sellerPermitNumber: null, street1: null },
  ...{ street2: null, city: null, state: null, postalCode: null },
};

/**
 * Adds vendors in one transaction. One of that name, without case, stays as it is; so the same list again adds nothing. Resolves to
 * the result of each, in order; `isTrial` writes nothing.
 */
export async function importVendors(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly VendorProfile[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<ImportOutcome[]> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const seen = new Map<string, number>();
    const outcomes: ImportOutcome[] = [];
    for (const profile of rows) {
      const key = profile.name.trim().toLowerCase();
      const [[here]] = await tx.run(holdVendorNamed({ name: profile.name }));
      const known = here?.id ?? seen.get(key);
      const id = known ?? (isTrial ? 0 : await matchVendor(tx, context, origin, nowMs, { profile }));
      seen.set(key, id);
      outcomes.push({ kind: known === undefined ? 'created' : 'known', id });
    }
    return outcomes;
  });
}
