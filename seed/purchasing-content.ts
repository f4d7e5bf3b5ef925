/** The vendors and shippers of a demo shop. */
export interface VendorContent {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly sellerPermitNumber: string;
  readonly license: string;
  readonly street1: string;
  readonly street2: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

const california: readonly VendorContent[] = [
  {
    name: 'Tidewater Distribution',
    email: 'orders@tidewater.example.com',
    phone: '+15105550188',
    sellerPermitNumber: '102-558841',
    license: 'C11-0000512-LIC',
    street1: '2200 Harbor Way',
    street2: 'Dock 3',
    city: 'Oakland',
    state: 'CA',
    postalCode: '94607',
  },
  {
    name: 'Coastline Wholesale Collective',
    email: 'desk@coastline.example.com',
    phone: '+17075550142',
    sellerPermitNumber: '102-771903',
    license: 'C11-0000733-LIC',
    street1: '88 Mill Street',
    street2: null,
    city: 'Ukiah',
    state: 'CA',
    postalCode: '95482',
  },
];

const michigan: readonly VendorContent[] = [
  {
    name: 'Two Peninsulas Supply',
    email: 'orders@twopeninsulas.example.com',
    phone: '+15175550119',
    sellerPermitNumber: 'MI-7740018',
    license: 'AU-P-000418',
    street1: '410 Cedar Street',
    street2: 'Dock 3',
    city: 'Lansing',
    state: 'MI',
    postalCode: '48912',
  },
  {
    name: 'Huron Bay Growers',
    email: 'sales@huronbay.example.com',
    phone: '+19895550166',
    sellerPermitNumber: 'MI-7740233',
    license: 'AU-G-C-000907',
    street1: '12 Pier Road',
    street2: null,
    city: 'Bay City',
    state: 'MI',
    postalCode: '48708',
  },
];

/** Two vendors of a shop; the first supplies most goods. */
export function vendorsOf(slug: string): readonly VendorContent[] {
  return slug === 'michigan' ? michigan : california;
}
