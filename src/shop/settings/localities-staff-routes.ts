import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { fiveDigitZip } from '../../kernel/zip-code.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, List, Named, Nullable, Text } from '../../platform/http/schemas.ts';
import { taxesInForce, taxesOf } from './cart-taxes.ts';
import { selectDeliveryZone, selectZones } from './delivery-zone-queries.ts';
import type { SalePlace } from './locality.ts';
import { rulesHolding } from './own-limits.ts';
import { postalCodePatterns } from './postal-code-patterns.ts';
import {
  OwnPurchaseLimitRule,
  ownLimitExample,
  purchaseLimitRules,
  selectPurchaseLimitRules,
} from './purchase-limit-setting.ts';
import { settingsReaders } from './settings-schemas.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { shownTax, Tax, taxExample } from './tax-schemas.ts';
import { savedTax } from './tax-settings.ts';

const ApplyingRules = Named(
  'ApplyingRules',
  Type.Object({
    postalCode: Nullable(Text({ max: 5, description: 'From the request; null: sales at the shop' })),
    deliveryZone: Nullable(Type.Object({ id: Id(), name: Text({ max: 200 }) })),
    isServed: Flag({ description: 'Whether deliveries there are accepted; true for the shop' }),
    taxes: List(Tax, {
      max: 10_000,
      description: 'The applicable taxes, by tier; each has its customer type',
    }),
    limits: List(OwnPurchaseLimitRule, {
      max: 10_000,
      description: "The organization's own limits, in addition to those of the state",
    }),
  }),
);

/** Staff operation that shows the organization's own taxes and limits for an address. */
export function localitiesStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'readApplyingRules',
      method: 'GET',
      path: '/staff/v1/localities/applying',
      roles: [...settingsReaders],
      kind: 'read',
      summary: 'Read the own taxes and limits that apply to an address',
      description:
        "The current taxes and limits for a delivery to an address, or a sale at the shop, each with its source: the same selection that prices carts. The state's limits apply everywhere, and are not listed.",
      tag: 'Settings',
      query: Type.Object({
        postalCode: Type.Optional(
          Text({
            min: 1,
            max: 300,
            description: 'A ZIP code, or an address that ends with one; absent: the shop',
          }),
        ),
      }),
      success: {
        status: 200,
        data: ApplyingRules,
        description: 'The applicable taxes and limits',
        example: {
          postalCode: '94607',
          deliveryZone: { id: 2701, name: 'Uptown' },
          isServed: true,
          taxes: [taxExample],
          limits: [ownLimitExample],
        },
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const postalCode = query.postalCode === undefined ? null : postalCodeOf(query.postalCode);
        const [[organization], taxes, rules, zones, zoneSettings] = await context.database.read(
          staff.organizationId,
          selectOrganization({}),
          selectTaxSettings({}),
          selectPurchaseLimitRules({}),
          postalCode === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(postalCode) }),
          postalCode === null ? null : selectZones({}),
        );
        assert(organization !== undefined, 'the organization of a signed-in caller exists');
        const nowMs = context.clock.now();
        const place: SalePlace = { orderType: postalCode === null ? 'in-store' : 'delivery', postalCode };
        const [found] = zones;
        const zone = found === undefined || found.id === null ? null : found;
        const named = zoneSettings.find(({ id }) => id === zone?.id);
        const inForce = taxesInForce(taxes, nowMs);
        const charged = new Set(
          [false, true].flatMap((isMedical) => taxesOf(place, zone, isMedical, inForce)),
        );
        return reply({
          postalCode,
          deliveryZone: named === undefined ? null : { id: named.id, name: named.name },
          isServed: zone !== null || found?.has_zones !== true,
          taxes: taxes.filter((row) => charged.has(row)).map((row) => shownTax(savedTax(row))),
          limits: rulesHolding(rules, localDateAt(nowMs, organization.tz), place).map(
            purchaseLimitRules.shown,
          ),
        });
      },
    }),
  ];
}

/** The first five digits of the ZIP code at the end of an address. */
function postalCodeOf(text: string): string {
  const last = /(?:^|[^\w-])(\d{5}(?:[\s\p{Pd}]*\d{4})?)\W*$/u.exec(text)?.[1];
  const code = fiveDigitZip(last ?? '');
  if (code !== null) return code;
  throw failure(
    'INVALID_PARAMS',
    'postalCode must be a ZIP code such as 94607, or an address that ends with one',
  );
}
