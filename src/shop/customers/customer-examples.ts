/** The fields that integrators and staff see alike. */
const profileExample = {
  id: 3101,
  hashId: 'K7QX4M9R',
  firstName: 'Marisol',
  lastName: 'Okafor',
  email: 'marisol@customers.example.com',
  phone: '+14155550123',
  joinedAt: '2025-11-02T19:22:41.007Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  birthday: '1988-02-29',
  sex: 'female',
  zip: '94607',
  licenseExpiry: '2029-02-28',
  marketingOptIn: true,
  marketingOptInAt: '2025-11-02T19:22:41.007Z',
  marketingOptInSource: 'staff',
  customerGroups: ['Veterans'],
  loyalty: { pointsAmount: 120.5 },
} as const;

/** Example of a customer for integrators. */
export const customerExample = {
  ...profileExample,
  mostRecentAddress: {
    street1: '418 Alder Street',
    street2: null,
    city: 'Oakland',
    state: 'CA',
    postalCode: '94607',
  },
  medicalExpiration: null,
  erasedAt: null,
} as const;

/** Example of a customer for staff. */
export const staffCustomerExample = {
  ...profileExample,
  mostRecentAddress: null,
  medicalExpiration: null,
  residence: 'CA',
  notes: 'Asks for low doses',
  patientState: null,
  patientNumberLastFour: null,
  taxExempt: null,
  erasedAt: null,
  orderCount: 3,
  spent: 18_250,
  lastOrderAt: '2026-03-01T17:05:09.123Z',
} as const;

/** Example of one customer for staff. */
export const staffCustomerDetailExample = {
  ...staffCustomerExample,
  patients: [],
  caregivers: [],
  consents: [
    {
      purpose: 'marketing',
      isGiven: true,
      source: 'staff',
      recordedAt: '2025-11-02T19:22:41.007Z',
      staffId: 2101,
      mergedFromId: null,
    },
  ],
} as const;
