import type { Json, JsonRow } from './json-rows.ts';
import { readSent } from './request-members.ts';
import type { Subscription } from './state-models.ts';
import { unauthorized } from './state-refusals.ts';
import type { Call, Route } from './state-route.ts';
import type { StateWorld } from './state-world.ts';

/* Subscriptions of webhooks. They belong to the vendor key of the header. */

export const objectTypes =
  `Employee Facility Harvest Item ItemCategory LabTestBatch LabTestType Location LocationType
  Package Plant PlantBatch ProcessingJob SalesDelivery SalesReceipt Strain Transfer TransferTemplate UnitOfMeasure`.split(
    /\s+/,
  );

const subscriptionShape = {
  subscriptionId: 'id',
  objectType: 'text!',
  url: 'text!',
  verb: 'text',
  status: 'text',
  userApiKey: 'text!',
  tpiApiKey: 'text',
  facilityLicenseNumbers: 'texts',
  template: 'text',
  errorResponseJsonTemplate: 'text',
  serverPublicKeyFingerprint: 'text',
} as const;

const licensesOf = (world: StateWorld, it: Subscription): readonly string[] =>
  world.users.find(({ key }) => key === it.userKey)?.licenses ?? [];

/** Why nothing is sent, or null. A PUT answers 200 with it. */
function problemOf(world: StateWorld, it: Subscription): string | null {
  if (!objectTypes.includes(it.objectType)) return `Object type ${it.objectType} is not known.`;
  if (!/^https?:\/\//.test(it.url)) return 'The url is not valid.';
  if (!world.users.some(({ key }) => key === it.userKey)) return 'The user API key is not valid.';
  return null;
}

/** Whether anything is sent of a license. */
export const isServed = (world: StateWorld, it: Subscription, license: string): boolean =>
  it.status.toLowerCase() === 'active' &&
  problemOf(world, it) === null &&
  it.licenses.includes(license) &&
  licensesOf(world, it).includes(license);

const printed = (world: StateWorld, it: Subscription): Json => ({
  ...{ subscriptionId: it.id, username: null, apiKeyName: null, objectType: it.objectType, url: it.url },
  ...{ verb: it.verb, status: it.status, errorMessage: problemOf(world, it), template: it.template },
  ...{ errorResponseJsonTemplate: it.errorTemplate, serverPublicKeyFingerprint: null },
  facilities: it.licenses.map((facilityLicenseNumber) => ({
    facilityLicenseNumber,
    invalidPermission: !licensesOf(world, it).includes(facilityLicenseNumber),
  })),
  deployment: 'production',
});

function subscribe({ world, vendor }: Call, body: unknown): Json {
  // One object is printed, an array is what others send: both are accepted.
  const values = (Array.isArray(body) ? body : [body]) as readonly JsonRow[];
  return values.map((value) => {
    const sent = readSent(subscriptionShape, value, world.settings);
    const before = sent.subscriptionId === null ? undefined : world.subscriptions.byId(sent.subscriptionId);
    if (sent.subscriptionId !== null && before?.vendor !== vendor) throw unauthorized();
    const it = world.subscriptions.put({
      ...{
        id: before?.id ?? world.nextId(),
        license: '',
        vendor,
        objectType: sent.objectType,
        url: sent.url,
      },
      ...{ verb: sent.verb ?? 'POST', status: sent.status ?? 'Active', userKey: sent.userApiKey },
      template: sent.template ?? '{"data":#DATA#, "datacount":#DATACOUNT#}',
      errorTemplate: sent.errorResponseJsonTemplate ?? '{"error":#ERRORMESSAGE#, "errorcode":#ERRORCODE#}',
      licenses: sent.facilityLicenseNumbers ?? [],
    });
    return printed(world, it);
  });
}

function own({ world, vendor, params }: Call): Subscription {
  const found = world.subscriptions.byId(Number(params.id));
  if (found === undefined || found.vendor !== vendor) throw unauthorized();
  return found;
}

function setStatus(call: Call, status: string): undefined {
  call.world.subscriptions.change(own(call).id, { status });
  return undefined;
}

const hook = { auth: 'webhook', license: 'none' } as const;

export const hookRoutes: readonly Route[] = [
  {
    ...hook,
    at: 'GET /webhooks/v2',
    read: ({ world, vendor }) =>
      world.subscriptions
        .all()
        .filter((it) => it.vendor === vendor)
        .map((it) => printed(world, it)),
  },
  { ...hook, at: 'PUT /webhooks/v2', act: subscribe },
  { ...hook, at: 'PUT /webhooks/v2/enable/{id}', act: (call) => setStatus(call, 'Active') },
  { ...hook, at: 'PUT /webhooks/v2/disable/{id}', act: (call) => setStatus(call, 'inactive') },
  {
    ...hook,
    at: 'DELETE /webhooks/v2/{id}',
    act: (call) => {
      call.world.subscriptions.remove(own(call).id);
      return undefined;
    },
  },
];
