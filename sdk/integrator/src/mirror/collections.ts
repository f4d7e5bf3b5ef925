/** The collections that a mirror copies, and what it has to know about each. */

export const collectionNames = ['customers', 'products', 'orders', 'packages', 'purchase_orders'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** A record as the service shows it. */
export interface ShownRecord {
  readonly id: string | number;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
}

/**
 * What a record shows of others: by kind and id. When the other one changes, the record is read again.
 */
export type RecordLink = readonly [kind: LinkKind, ref: string];

export type LinkKind =
  | 'customer'
  | 'product'
  | 'brand'
  | 'category'
  | 'sub_category'
  | 'vendor'
  | 'group'
  | 'expires';

export interface Collection {
  readonly name: CollectionName;
  /** As events name it. */
  readonly resource: string;
  /** The permission that reads it. */
  readonly permission: string;
  /** The permission that reads what the own integrator placed, and nothing else. */
  readonly ownPermission?: string;
  readonly ids: 'text' | 'number';
  readonly links: (record: ShownRecord) => readonly RecordLink[];
  /** The kind of link by which others show this record, and what they show of it. */
  readonly face?: {
    readonly kind: LinkKind;
    readonly of: (record: ShownRecord) => unknown;
  };
}

interface Part {
  readonly id?: string | number;
}

const idOf = (part: unknown): string | null => {
  const { id } = (part ?? {}) as Part;
  return id === undefined ? null : String(id);
};

const link = (kind: LinkKind, ref: string | null): RecordLink[] => (ref === null ? [] : [[kind, ref]]);

const partsOf = (list: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(list) ? list : [];

/** Customers and products first: orders and packages show them, and are then never older than their copies. */
export const collections: readonly Collection[] = [
  {
    name: 'customers',
    resource: 'customer',
    permission: 'customers',
    ids: 'number',
    links: (record) => (record.customerGroups as string[]).map((name) => ['group', name]),
    face: {
      kind: 'customer',
      of: ({
        email,
        firstName,
        lastName,
        phone,
        hashId,
        birthday,
        sex,
        zip,
        licenseExpiry,
        medicalExpiration,
      }) => [
        ...[email, firstName, lastName, phone, hashId, birthday, sex, zip],
        ...[licenseExpiry, medicalExpiration],
      ],
    },
  },
  {
    name: 'products',
    resource: 'product',
    permission: 'analytics',
    ids: 'number',
    links: (record) => [
      ...link('brand', idOf(record.brand)),
      ...link('category', idOf(record.primaryCategory)),
      ...partsOf(record.subCategories).flatMap((part) => link('sub_category', idOf(part))),
    ],
    face: {
      kind: 'product',
      of: ({ locationInventory: _, options, ...record }) => [
        record,
        partsOf(options).map(({ locationInventory: _stock, ...option }) => option),
      ],
    },
  },
  {
    name: 'orders',
    resource: 'order',
    permission: 'analytics',
    ownPermission: 'create-orders',
    ids: 'text',
    links: (record) => link('customer', idOf(record.customer) ?? idOf({ id: record.userId ?? undefined })),
  },
  {
    name: 'packages',
    resource: 'package',
    permission: 'analytics',
    ids: 'number',
    links: (record) => [
      ...link('product', idOf(record.product)),
      ...link('expires', (record.expirationDate as string | null) ?? null),
    ],
  },
  {
    name: 'purchase_orders',
    resource: 'purchase_order',
    permission: 'analytics',
    ids: 'number',
    links: (record) => [
      ...link('vendor', idOf({ id: record.inventoryVendorId })),
      ...[...new Set(partsOf(record.lineItems).map((line) => String(line.productId)))].map(
        (id): RecordLink => ['product', id],
      ),
    ],
  },
];

/** The collection of this name. */
export function collectionOf(name: CollectionName): Collection {
  return collections.find((it) => it.name === name)!;
}
