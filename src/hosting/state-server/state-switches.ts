/**
 * What is not known of the state's system, and what differs between its installations. Each question is a switch; the first
 * value is the default. A client is right when it works with every value.
 */
interface Switch {
  /** The first is the default. */
  readonly values: readonly string[];
  readonly about: string;
  /** Other values that are accepted, such as a number of seconds. */
  readonly others?: RegExp;
}

const choice = (values: string, about: string, others?: RegExp): Switch => ({
  values: values.split(' | '),
  about,
  ...(others && { others }),
});

export const switches = {
  // Access
  deployment: choice('production | sandbox', 'routes below /sandbox exist only in a sandbox'),
  'missing-license': choice('400 | 401', 'status when licenseNumber is missing'),
  'row-errors': choice('rows | strings', 'body of a refused array: rows with positions, or texts alone'),
  'setup-answer': choice(
    '200 | 201 | 202 | 204',
    'reply of the set-up of a sandbox: key, queued, in work, unknown',
  ),
  'auth-body': choice('message | text | empty', 'body of 401 and 404'),
  'absent-routes': choice(
    'none',
    'routes that this state does not have (404), separated by commas',
    /^[A-Z*].*/,
  ),
  'removed-routes': choice('none', 'routes that were removed (405), separated by commas', /^[A-Z*].*/),
  'member-case': choice('ignore | exact', 'case of member names in requests'),
  'unknown-member': choice('ignore | 400', 'members in a request that are not known'),
  'bad-json': choice('400 | 500', 'status of a body that is no JSON'),
  'sandbox-auth': choice('key | basic | both', 'how the routes below /sandbox are authenticated'),
  // Limits
  limits: choice(
    '50/150/10/30',
    'GETs a second of a license / of a vendor key / at once of a license / of a key',
    /^\d+\/\d+\/\d+\/\d+$/,
  ),
  'limit-writes': choice('no | yes', 'whether writes count, too'),
  'retry-after-missing': choice('no | yes', 'whether a 429 comes without Retry-After'),
  'oversize-page': choice('400 | clamp', 'pageSize above 20'),
  // Lists
  'no-page': choice('all | first-20 | bare-array', 'a list asked for without pageSize'),
  'page-zero': choice('400 | first', 'pageNumber 0'),
  order: choice('id-asc | modified-asc | modified-desc | random', 'order of the rows of a list'),
  'window-cap': choice('24h | none', 'widest window of last changes of packages, transfers, items, places'),
  'window-cap-sales': choice('24h | none', 'widest window of last changes of receipts and deliveries'),
  'no-window': choice('everything | last-day | random-part', 'a list asked for without a window'),
  'half-window': choice('open | 400', 'only one end of the window is given'),
  'date-zone': choice('utc | facility', 'zone of bounds that are dates only'),
  'adjustment-order': choice('newest-first | oldest-first', 'order of the adjustments'),
  'adjustment-shows': choice('difference | total', 'quantity of an adjustment that set a total'),
  'lab-types': choice('12 | 10000', 'how many kinds of lab tests there are', /^\d{1,5}$/),
  lag: choice(
    '0',
    'seconds until a change is readable; for one kind: receipts=10,packages=3',
    /^(\d{1,3}|\w+=\d{1,3}(,\w+=\d{1,3})*)$/,
  ),
  // Receipts
  'external-unique': choice('off | license | license-and-day', 'whether an external number may come again'),
  'external-max': choice('50 | 20 | 255', 'longest external number'),
  'external-array': choice('no | yes', 'a receipt by its external number comes as an array of one'),
  'external-many': choice('lowest-id | newest | array | 400', 'several receipts with one external number'),
  'receipt-edit-days': choice('none | 1 | 3 | 30', 'days after the sale in which a receipt can be changed'),
  'void-twice': choice('200 | 400 | 401', 'a second DELETE, or a PUT of a voided receipt'),
  'void-final': choice('400 | 200', 'DELETE of a final receipt'),
  'void-finished': choice('reopen | 400 | negative', 'void when the package was finished meanwhile'),
  'unit-mismatch': choice('400 | convert', 'a line in another unit than that of its package'),
  oversell: choice('400 | accept', 'a sale of more than there is; accepted, the package is negative'),
  'auto-finish': choice('never | at-zero', 'whether a package that is sold out finishes by itself'),
  'patient-limit': choice(
    'accept | 400 | warn',
    "a sale above the patient's allotment, or to an expired patient",
  ),
  'zone-suffix': choice('strip | convert | 400', 'a sale time with Z or an offset'),
  'future-sale': choice('400 | accept', 'a sale time more than five minutes ahead'),
  'gap-hour': choice('accept | 400', 'a sale time in the hour that spring skips'),
  scale: choice('4/2 | 3/2 | 8/4', 'decimals of quantities / of money'),
  'over-precise': choice('round | 400', 'numbers with more decimals'),
  'count-lines': choice('2 | 1', 'TotalPackages of two lines with one label'),
  'same-label': choice('accept | 400', 'two lines with one label in a receipt'),
  'zero-amount': choice('accept | 400', 'a line that costs nothing; below zero is always refused'),
  batch: choice('atomic | partial', 'one bad object among several'),
  qr: choice('400 | accept', 'unit codes that are unknown or sold before'),
  'tax-fields': choice('number-or-string | number | string', 'type of the eight optional amounts of a line'),
  'line-shape': choice('v1-names | with-money-fields', 'lines of a receipt that is read'),
  warnings: choice('null | text | array', 'type of Warnings'),
  'put-ids': choice('empty | ids', 'reply of PUT receipts'),
  // Deliveries
  'driver-employee-id': choice('optional | required', 'DriverEmployeeId of a delivery'),
  'ledger-sale': choice('400 | accept', 'a receipt for a package that is on an open delivery ledger'),
  'payment-types': choice('strings | objects | empty', 'list of the payment types'),
  'state-words': choice('undesignated | words', 'states of deliveries: Undesignated, or invented words'),
  // Packages
  'negative-adjust': choice('accept | 400', 'an adjustment below zero'),
  'adjust-ids': choice('package | adjustment | null', 'ids that POST adjust answers'),
  'item-enums': choice('text | integer', 'enumerations of the item within a package'),
  'hold-in-active': choice('no | yes', 'whether a package on hold stays in the active list'),
  intransit: choice('outgoing | incoming | both', 'packages that the list of transit shows'),
  'incoming-deliveries': choice('empty | 401 | rows', 'deliveries of an incoming transfer'),
  'nightly-wipe': choice('yes | no', 'whether a sandbox loses its packages at midnight'),
  // People and webhooks
  'patient-status': choice('answers | 401 | 500 | 503', 'whether patients can be looked up'),
  'hook-delay': choice('0 | 15', 'minutes until a webhook is sent', /^\d{1,3}$/),
  'hook-order': choice('in-order | shuffled', 'order of webhooks that are due'),
  'hook-copies': choice('1 | 2', 'how often a webhook is sent'),
  'hook-loss': choice('none | every-second', 'webhooks that are never sent'),
  'hook-retries': choice('0 | 3', 'how often a refused webhook is sent again'),
} as const satisfies Record<string, Switch>;

export type SwitchName = keyof typeof switches;
export type Settings = Readonly<Record<SwitchName, string>>;

/** States whose list of routes has no Retail ID. */
const withoutRetailId = ['AK', 'CO', 'GU', 'ME', 'MO'];

/** What is known of single states. */
function settingsOfState(state: string): Partial<Record<SwitchName, string>> {
  return {
    ...(withoutRetailId.includes(state) && { 'absent-routes': '* /retailid/*' }),
    ...(state === 'CA' && { 'absent-routes': 'GET /employees/v2/permissions' }),
    ...(state === 'NY' && { 'driver-employee-id': 'required' }),
  };
}

/** Every switch, as in a state without further wishes. */
export function defaultSettings(state: string): Settings {
  const defaults = Object.entries(switches).map(([name, { values }]) => [name, values[0]!]);
  return { ...(Object.fromEntries(defaults) as Settings), ...settingsOfState(state) };
}

/** Settings with these changes. Fails with a SwitchError that names the switch and its values. */
export function changedSettings(before: Settings, changes: Readonly<Record<string, unknown>>): Settings {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(switches, name)) throw new SwitchError(`There is no switch ${name}.`);
    const { values, others }: Switch = switches[name as SwitchName];
    if (typeof value === 'string' && (values.includes(value) || others?.test(value))) continue;
    throw new SwitchError(`${name}: one of ${values.join(', ')}${others ? `, or ${others.source}` : ''}.`);
  }
  return { ...before, ...(changes as Partial<Record<SwitchName, string>>) };
}

/** A switch or value that does not exist. */
export class SwitchError extends Error {}
