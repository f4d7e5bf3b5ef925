import Type from 'typebox';
import { usStates } from '../../engines/jurisdictions/us-states.ts';
import { stateSystems } from '../../engines/state-reports/state-hosts.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import type { ConnectionRow } from './connection-queries.ts';
import { baseUrl, type StateAccess } from './state-client.ts';

/** The contract of connections to the state's system. */

const systemWords =
  '`metrc`: the service calls the state; `ccrs-file`: it makes files that people upload; `by-hand`: it makes a book that people enter';

export const StateSystems = List(
  Type.Object({
    state: OneOf(usStates, { description: 'Two letters' }),
    system: OneOf(stateSystems, { description: systemWords }),
  }),
  { max: 100, description: 'Every state' },
);

const licenseNumber = NonBlankText({ max: 100, description: "As the state's system shows it" });
const inventoryLocationId = Nullable(
  Id({ description: 'The location that the license is for; null: all that no other connection names' }),
);
const userKey = NonBlankText({
  max: 300,
  description:
    "The key of the license's user, where the state has an interface. It is kept encrypted and never shown",
});
const isOn = Flag({ description: 'Whether sales are reported' });
const adjustmentReason = Nullable(
  Text({ max: 200, description: 'The reason, of `adjustmentReasons`, that adjustments of stock name' }),
);
const wasteReason = Nullable(
  Text({
    max: 200,
    description: 'The reason, of `adjustmentReasons`, that waste names; null: the same as other adjustments',
  }),
);
const returnReason = Nullable(
  Text({
    max: 200,
    description: 'The reason, of `returnReasons`, that goods name which a delivery brings back',
  }),
);
const fileSettings = Type.Object(
  {
    submittedBy: Type.Optional(Text({ max: 35, description: 'Who submits the files' })),
    area: Type.Optional(Text({ max: 75, description: 'The area where the stock is kept' })),
    types: Type.Optional(
      Type.Record(Type.String({ pattern: '^[1-9]\\d{0,15}$' }), Text({ max: 60 }), {
        maxProperties: 200,
        description: "The state's type of goods, by the id of the category",
      }),
    ),
  },
  { description: 'What files for the state need besides what is sold' },
);
const state = OneOf(usStates, { description: 'The state that issued the license' });
const isSandbox = Flag({ description: "The state's system for trying out" });

export const NewConnectionBody = Named(
  'NewStateConnection',
  Type.Object({
    ...{ inventoryLocationId, state, isSandbox, licenseNumber, isOn },
    userKey: Type.Optional(userKey),
  }),
);

export const ConnectionBody = Named(
  'StateConnectionChange',
  Type.Object({
    ...{ state, isSandbox, licenseNumber, isOn, adjustmentReason },
    wasteReason: Type.Optional(wasteReason),
    returnReason: Type.Optional(returnReason),
    fileSettings: Type.Optional(fileSettings),
    userKey: Type.Optional(userKey),
  }),
);

export const StateConnection = Named(
  'StateConnection',
  Type.Object({
    id: Id(),
    ...{
      inventoryLocationId,
      state,
      isSandbox,
      licenseNumber,
      isOn,
      adjustmentReason,
      wasteReason,
      returnReason,
      fileSettings,
    },
    system: OneOf(stateSystems, { description: systemWords }),
    address: Nullable(Text({ max: 300, description: 'Where it is reached; null: nothing is called' })),
    isStandIn: Flag({ description: "The operator sends all reports to another server than the state's" }),
    facilityName: Nullable(
      Text({ max: 300, description: 'As the state names it; null: it was not asked yet' }),
    ),
    abilities: List(
      Type.Object({
        name: Text({ max: 100, description: "The state's flag" }),
        words: Text({ max: 200, description: 'What it means for this shop' }),
        isOn: Flag({ description: 'Whether the state allows or demands it' }),
      }),
      { max: 50, description: 'What the state lets this license do' },
    ),
    adjustmentReasons: List(Text({ max: 200 }), { max: 1_000, description: "The state's own" }),
    returnReasons: List(Text({ max: 200 }), {
      max: 1_000,
      description: "The state's own; empty where a trip is told as a ledger",
    }),
    probedAt: Nullable(Timestamp({ description: 'When the state was asked last' })),
    problem: Nullable(
      Text({ max: 1_000, description: 'Why the state does not let the license in; null: it does' }),
    ),
    updatedAt: Timestamp(),
  }),
);

export const connectionBodyExample = {
  ...{ inventoryLocationId: null, state: 'CA' as const, isSandbox: false, licenseNumber: 'TEST-R-0001' },
  ...{ userKey: 'the-key-of-the-user', isOn: true },
} as const;

export const connectionExample = {
  ...{
    id: 9101,
    inventoryLocationId: null,
    state: 'CA' as const,
    isSandbox: false,
    licenseNumber: 'TEST-R-0001',
  },
  ...{
    isOn: true,
    adjustmentReason: 'Entry Error',
    wasteReason: 'Waste',
    returnReason: null,
    fileSettings: {},
    system: 'metrc' as const,
    address: 'https://api-ca.metrc.com',
  },
  ...{ isStandIn: false, facilityName: 'Juniper Street' },
  abilities: [{ name: 'CanSellToConsumers', words: 'Sells to adults', isOn: true }],
  adjustmentReasons: ['Drying', 'Entry Error', 'Waste'],
  returnReasons: [],
  ...{ probedAt: '2026-03-10T18:00:00.000Z', problem: null, updatedAt: '2026-03-01T18:00:00.000Z' },
} as const;

/** What the flags of the state mean, in the order in which they are shown. */
const flagWords = {
  AdvancedSales: 'Reports receipts',
  CanSellToConsumers: 'Sells to adults',
  CanSellToPatients: 'Sells to patients',
  CanSellToCaregivers: 'Sells to caregivers',
  SalesRequirePatientNumber: "A sale to a patient needs the patient's number",
  SalesRequireCaregiverNumber: "A sale to a caregiver needs the caregiver's number",
  CanDeliverSalesToConsumers: 'Delivers to adults',
  CanDeliverSalesToPatients: 'Delivers to patients',
  RetailerDelivery: 'Keeps a ledger of what vehicles carry',
  EnableSublocations: 'Places within locations',
} as const;

/** A connection as staff see it: never its key. */
export function shownConnection(row: ConnectionRow, access: Pick<StateAccess, 'url'>) {
  const isCalled = row.system === 'metrc';
  return {
    ...{ id: row.id, inventoryLocationId: row.inventory_location_id, state: row.state },
    ...{ isSandbox: row.is_sandbox, licenseNumber: row.license_number, isOn: row.is_on },
    ...{ adjustmentReason: row.adjustment_reason, wasteReason: row.waste_reason, system: row.system },
    ...{ returnReason: row.return_reason, fileSettings: row.file_settings },
    address: isCalled ? baseUrl(access, { state: row.state, isSandbox: row.is_sandbox }) : null,
    ...{ isStandIn: isCalled && access.url !== undefined, facilityName: row.facility_name },
    abilities: Object.entries(flagWords).flatMap(([name, words]) =>
      typeof row.flags[name] === 'boolean' ? [{ name, words, isOn: row.flags[name] }] : [],
    ),
    ...{ adjustmentReasons: row.adjustment_reasons, returnReasons: row.return_reasons },
    probedAt: row.probed_at === null ? null : isoTimestamp(row.probed_at),
    ...{ problem: row.problem, updatedAt: isoTimestamp(row.updated_at) },
  };
}
