/** A fault that someone could make in the program, and the proofs that must find it. */
export interface PlantedFault {
  readonly name: string;
  /** The end of a path: the file is the only one of the project that ends so. */
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** Test files, each of which turns red; or the check of `npm run check`. */
  readonly red: readonly string[] | keyof typeof checks;
}

/** The checks of `npm run check` beside its tests, as programs of this project. */
export const checks = {
  'house rules': ['scripts/tidy.ts'],
  'generated files': ['scripts/generate.ts', '--check'],
} as const;

/** One fault of each kind that a test of the tests can plant. Add the kind when a fault passes that a test should have found. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'a statement does not name its organization',
    file: '/customer-group-queries.ts',
    from: 'where g.organization_id = :organizationId and g.id = any(:ids) and g.deleted_at is null',
    to: 'where g.id = any(:ids) and g.deleted_at is null',
    red: 'house rules',
  },
  {
    name: 'a stale edit overwrites a newer one',
    file: '/write-setting.ts',
    from: 'refuseStaleEdit(origin, former.updatedAt);',
    to: '',
    red: ['test/contract/stale-edits.test.ts'],
  },
  {
    name: 'a role may do what it may not',
    file: '/staff-admission.ts',
    from: "if (staff.role !== 'owner' && !roles.includes(staff.role)) {",
    to: "if (staff.role === 'inventory' && !roles.includes(staff.role)) {",
    red: ['test/contract/staff-endpoints.test.ts'],
  },
  {
    name: 'an operation of a manager is given to a budtender',
    file: '/customer-group-setting.ts',
    from: "writers: ['owner', 'manager'],",
    to: "writers: ['owner', 'manager', 'budtender'],",
    red: 'generated files',
  },
  {
    name: 'a key does what its permissions do not allow',
    file: '/http/admission.ts',
    from: 'if (!isEnough) throw',
    to: 'if (!isEnough && caller.permissions.length === 0) throw',
    red: ['test/contract/authentication.test.ts'],
  },
  {
    name: 'a reply lacks a field',
    file: '/first-steps.ts',
    from: '    canSell: !open.some((step) => neededToSell.has(step)),\n',
    to: '',
    red: ['test/contract/staff-endpoints.test.ts'],
  },
  {
    name: 'a write leaves no audit entry',
    file: '/announce.ts',
    from: 'announced.map(({ origin, announcement }, index) => ({\n        id: entryId',
    to: "announced.filter((it) => !it.announcement.event.startsWith('customer_group')).map(({ origin, announcement }, index) => ({\n        id: entryId",
    red: ['test/contract/audited-changes.test.ts'],
  },
  {
    name: 'an audit entry does not say what was changed',
    file: '/write-setting.ts',
    from: 'details: { [idName]: id, ...told },',
    to: 'details: { [idName]: id },',
    red: ['test/contract/audited-changes.test.ts'],
  },
  {
    name: 'a request that is sent twice is done twice',
    file: '/kept-replies.ts',
    from: "keyDigest: createHash('sha256').update(key).digest(),",
    to: "keyDigest: createHash('sha256').update(key + process.hrtime.bigint()).digest(),",
    red: ['test/contract/idempotency.test.ts'],
  },
  {
    name: 'a list has no index of its order',
    file: 'migrations/0001_baseline.sql',
    from: 'create index package_amounts_in_order on package_amounts (organization_id, initial_millionths, package_id);',
    to: '',
    red: ['package-lists.test.ts'],
  },
  {
    name: 'an index of a filter is gone',
    file: 'migrations/0001_baseline.sql',
    from: 'create index orders_of_integrator on orders (organization_id, integrator_id, created_at desc, id desc)\n  where integrator_id is not null;',
    to: '',
    red: 'generated files',
  },
  {
    name: 'a screen has an English text in Spanish',
    file: '/words/es.json',
    from: '  "Point of sale": "Punto de venta",\n',
    to: '',
    red: ['console/whole-words.test.ts'],
  },
  {
    name: 'half a cent is rounded down',
    file: '/pricing/exact-amounts.ts',
    from: 'rest * 2n >= denominator',
    to: 'rest * 2n > denominator',
    red: ['rounding.test.ts'],
  },
  {
    name: 'a discount is spread by the order of the lines',
    file: '/pricing/allocate.ts',
    from: 'if (remainders[index]! > remainders[largest]!) largest = index;',
    to: '',
    red: ['allocate.test.ts'],
  },
  {
    name: 'the change for cash forgets the fee of its payment',
    file: '/payment-sums.ts',
    from: 'return (amount ?? 0) + (type ? paymentFee(type, amount ?? 0) : 0);',
    to: 'return (amount ?? 0) + (type ? 0 : 0);',
    red: ['payment-sums.test.ts'],
  },
  {
    name: 'an address of this network passes for a public one',
    file: '/public-address.ts',
    from: "if (address.range() !== 'unicast') return false;",
    to: '',
    red: ['guarded-fetch.test.ts'],
  },
  {
    name: 'a webhook of last week is taken for a new one',
    file: '/verify-webhook.ts',
    from: '|| offSeconds > toleranceSeconds',
    to: '',
    red: ['verify-webhook.test.ts'],
  },
  {
    name: 'the chain of the audit log does not hold what came before',
    file: '/audit-chain-hash.ts',
    from: "Buffer.from(before).toString('hex')",
    to: "''",
    red: ['audit-chain.test.ts'],
  },
];
