import Type from 'typebox';
import type { TimeZone } from '../../access/organizations/create-organization.ts';
import { selectOrganization, timeZones } from '../../access/organizations/organizations.ts';
import { saleWindows } from '../../engines/duties/judge-duties.ts';
import { dutyOn } from '../../engines/jurisdictions/duty.ts';
import type { Jurisdiction, LocalDate } from '../../engines/jurisdictions/jurisdiction.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import type { OfferedSlot } from '../slots/slot-times.ts';
import { offeredSlots, upcomingSlotReads } from '../slots/slots.ts';
import { selectZones } from './delivery-zone-queries.ts';
import { offerOf, orderTypes } from './organization-settings.ts';
import { Logo, OpeningHoursList, shownLogo } from './shop-profile.ts';
import { selectShopProfile } from './shop-profile-queries.ts';

const listMax = 100_000;
const minuteMs = 60_000;

const timeOfDay = (description: string) => Text({ max: 5, description });

const SaleWindows = List(
  Type.Object({
    from: timeOfDay('`HH:MM` in the time zone of the shop'),
    to: timeOfDay('`HH:MM`, or 24:00: the first minute outside; not after `from`: on the next day'),
    citation: Nullable(Text({ max: 500, description: "The law; null: the shop's own hours" })),
  }),
  { max: 2, description: 'All of them hold; empty: no hours are known' },
);

const ShownSlot = Named(
  'OfferedTimeSlot',
  Type.Object({
    orderType: OneOf(['delivery', 'pickup'], { description: 'What it is for' }),
    deliveryZoneIds: List(Id(), { max: listMax, description: 'Only these zones; empty: all' }),
    from: Timestamp({ description: 'When it begins: the value of `pickupAt` or `deliverAt`' }),
    to: Timestamp({ description: 'When it ends' }),
    orderUntil: Timestamp({ description: 'When the last order for it is placed' }),
    left: WholeNumber({ min: 0, max: 10_000, description: 'How many more orders it takes' }),
  }),
);

const Shop = Named(
  'Shop',
  Type.Object({
    id: Id({ description: 'The organization' }),
    name: Text({ max: 200, description: 'Name of the shop' }),
    customerEmail: Text({ max: 254, description: 'For customers; empty: none' }),
    customerPhone: Text({ max: 40, description: 'For customers; empty: none' }),
    licenseNumber: Text({ max: 100, description: 'Of the retailer' }),
    address: Nullable(
      Type.Object(
        {
          street1: Text({ max: 200, description: 'Street and number' }),
          street2: Nullable(Text({ max: 200, description: 'Unit or floor' })),
          city: Text({ max: 100, description: 'City' }),
          state: Text({ max: 2, description: 'US state, two letters' }),
          postalCode: Text({ max: 20, description: 'ZIP code' }),
        },
        { description: 'Null: not told' },
      ),
    ),
    hours: OpeningHoursList,
    saleHours: Type.Object(
      { sale: SaleWindows, delivery: SaleWindows },
      {
        description:
          "When cannabis changes hands today, by the state's law and the shop's own setting. An order for later is placed at any time",
      },
    ),
    advertisedPrices: Nullable(
      Text({
        max: 2000,
        description:
          'What the law of the state says of advertised prices, in words. Where there is any, show the regular price alone outside of the shop, unless the owner has read it. Null: nothing is known',
      }),
    ),
    logo: Logo,
    tz: OneOf(timeZones, { description: 'The time zone of hours and days' }),
    orderTypes: List(OneOf(orderTypes), { max: orderTypes.length, description: 'What the shop offers' }),
    orderMinimums: Type.Object(
      {
        delivery: Cents({ description: 'Where the delivery zone has no minimum of its own' }),
        pickup: Cents({ description: 'For pickup' }),
      },
      { description: 'In cents, of merchandise after discounts' },
    ),
    deliveryZones: List(
      Type.Object({
        id: Id(),
        name: Text({ max: 200, description: 'Name of the zone' }),
        postalCodes: List(Text({ max: 20 }), {
          max: listMax,
          description: 'ZIP codes, or their beginnings with `*`; the longest one that fits decides',
        }),
        orderMinimum: Cents({ description: 'In cents' }),
        deliveryFee: Cents({ description: 'In cents' }),
        deliveryFeeDescription: Nullable(Text({ max: 1000, description: 'For customers' })),
      }),
      { max: listMax, description: 'Empty: deliveries go everywhere, for no fee of the shop' },
    ),
    needsTimeSlot: Type.Object(
      {
        delivery: Flag({ description: 'An order that is delivered' }),
        pickup: Flag({ description: 'An order that is picked up' }),
      },
      { description: 'Whether an order must choose one of `timeSlots` (`deliverAt`, `pickupAt`)' },
    ),
    timeSlots: Type.Optional(
      List(ShownSlot, {
        max: listMax,
        description:
          'The times of the next 14 days that an order can be for (`pickupAt`, `deliverAt`), by time; full ones have 0 `left`. Absent: the shop has no time slots, and orders are handed over as soon as possible',
      }),
    ),
  }),
);

/** What a web shop shows of the organization (D68). */
export function shopRoutes(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  return [
    endpoint({
      id: 'getShop',
      method: 'GET',
      path: '/api/v1/shop',
      address: 'menu',
      permission: 'menu',
      publishableKey: 'allowed',
      kind: 'read',
      namesNoContact: true,
      summary: 'Retrieve the shop',
      description:
        'What a web shop shows besides the menu: name and contact, address, opening hours, the hours in which cannabis is sold, logo, the order types it offers with their minimums, and the delivery zones with their fees.',
      tag: 'Menu',
      success: { status: 200, data: Shop, description: 'The shop', example: shopExample },
      failures: [],
      handle: async ({ caller: { organizationId } }) => {
        const nowMs = context.clock.now();
        const [[row], [profile], zones, slots, closedDays, taken] = await context.database.read(
          organizationId,
          selectOrganization({}),
          selectShopProfile({}),
          selectZones({}),
          ...upcomingSlotReads(nowMs),
        );
        assert(row !== undefined, 'an authenticated organization exists');
        const offers = {
          hasDelivery: row.has_delivery,
          hasPickup: row.has_pickup,
          hasInStore: row.has_in_store,
        };
        const { saleHours, overrides = {}, isPractice = false } = row.duty_settings;
        const holding = {
          ...{ jurisdiction: context.law.find(row.state), nowMs, tz: row.tz },
          shop: { saleHours: saleHours ?? null, overrides, isPractice },
        };
        return reply({
          id: row.id,
          name: row.name,
          customerEmail: row.customer_email,
          customerPhone: row.customer_phone,
          licenseNumber: row.license_number,
          address: profile?.address ? { ...profile.address, state: row.state } : null,
          hours: profile?.hours ?? [],
          saleHours: {
            sale: saleWindows(holding, 'in-store'),
            delivery: saleWindows(holding, 'delivery'),
          },
          advertisedPrices: advertisedPrices(holding.jurisdiction, localDateAt(holding.nowMs, row.tz)),
          logo: shownLogo(profile?.logo_location ?? null, photoUrl),
          tz: row.tz as TimeZone,
          orderTypes: orderTypes.filter((type) => offers[offerOf[type]]),
          orderMinimums: { delivery: row.delivery_minimum_cents, pickup: row.pickup_minimum_cents },
          deliveryZones: zones.map((zone) => ({
            id: zone.id,
            name: zone.name,
            postalCodes: zone.postalCodes,
            orderMinimum: zone.orderMinimum,
            deliveryFee: zone.deliveryFee,
            deliveryFeeDescription: zone.deliveryFeeDescription,
          })),
          needsTimeSlot: { delivery: row.delivery_needs_time_slot, pickup: row.pickup_needs_time_slot },
          ...(slots.length > 0 && {
            timeSlots: offeredSlots({
              ...{ slots, closedDays, taken, organization: row, law: context.law.current, nowMs },
            }).map(shownSlot),
          }),
        });
      },
    }),
  ];
}

function shownSlot({ slot, fromMs, toMs, left }: OfferedSlot) {
  return {
    orderType: slot.order_type,
    deliveryZoneIds: slot.delivery_zone_ids,
    from: isoTimestamp(fromMs),
    to: isoTimestamp(toMs),
    orderUntil: isoTimestamp(fromMs - slot.lead_minutes * minuteMs),
    left,
  };
}

function advertisedPrices(jurisdiction: Jurisdiction | null, today: LocalDate): string | null {
  const known = dutyOn(jurisdiction?.duties, 'advertisedPrices', today);
  return known.known === 'value' ? known.duty.value.words : null;
}

const shopExample = {
  id: 1001,
  name: 'Harborlight Provisions',
  customerEmail: 'hello@harborlight.example.com',
  customerPhone: '+15105550100',
  licenseNumber: 'C10-0000001-LIC',
  address: { street1: '410 Wharf Street', street2: null, city: 'Oakland', state: 'CA', postalCode: '94607' },
  hours: [
    { day: 1, opensAt: '09:00', closesAt: '21:00' },
    { day: 6, opensAt: '10:00', closesAt: '23:00' },
  ],
  saleHours: {
    sale: [
      { from: '06:00', to: '22:00', citation: '4 CCR 15403' },
      { from: '09:00', to: '21:00', citation: null },
    ],
    delivery: [{ from: '06:00', to: '22:00', citation: '4 CCR 15403' }],
  },
  advertisedPrices: 'No advertising of free goods, of two for one, or of raffles.',
  logo: null,
  tz: 'America/Los_Angeles' as const,
  orderTypes: ['delivery' as const, 'pickup' as const, 'in-store' as const],
  orderMinimums: { delivery: 5000, pickup: 0 },
  deliveryZones: [
    {
      id: 2601,
      name: 'Oakland',
      postalCodes: ['94607', '946*'],
      orderMinimum: 5000,
      deliveryFee: 500,
      deliveryFeeDescription: 'Delivery in Oakland',
    },
  ],
  needsTimeSlot: { delivery: false, pickup: false },
};
