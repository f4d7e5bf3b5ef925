/**
 * Orders with features that the plain history of a demo shop lacks: gifts by staff, payments by credit, deliveries in
 * every state, returned goods. Data only; goods and buyers are named by their purpose, and the loader chooses them.
 * All orders are of the last business day.
 */

import type { StagedAccount, StagedBuyer, StagedCredit, StagedOrder } from './staged-order.ts';

export const stagedAccounts: readonly StagedAccount[] = [
  { buyer: 'owed-some', credits: [storeCredit(1200, 'For the pen that did not draw')] },
  { buyer: 'owed-all', credits: [storeCredit(25000, 'Won at the street fair')] },
  {
    buyer: 'with-code',
    credits: [{ type: 'promo-code', amountCents: 500, percent: null, description: 'Postcard in the mail' }],
  },
  {
    buyer: 'with-percent',
    credits: [{ type: 'promo-code', amountCents: null, percent: '20', description: 'We missed you' }],
  },
  {
    buyer: 'regular',
    credits: [
      {
        type: 'promo-code',
        amountCents: null,
        percent: '10',
        description: 'Five days of autumn',
        isExpired: true,
      },
    ],
  },
  { buyer: 'canceling', credits: [storeCredit(800, 'Late delivery')] },
  { buyer: 'saver', points: '1200', birthdayPoints: '75' },
  { buyer: 'other-saver', points: '900', birthdayPoints: '40' },
];

function storeCredit(amountCents: number, description: string): StagedCredit {
  return { type: 'store-credit', amountCents, percent: null, description };
}

const handedOver = { fulfill: 'as-intended' } as const;

/** Oldest first. */
export const stagedOrders: readonly StagedOrder[] = [
  {
    minutesAgo: 170,
    type: 'in-store',
    placedBy: 'budtender-1',
    buyer: null,
    customerName: 'Ana',
    shiftName: 'Day',
    goods: [
      ['gear', 1],
      ['flower', 1],
    ],
    payments: [['cash']],
    steps: [{ fulfill: 'cash-with-change' }],
  },
  {
    minutesAgo: 165,
    type: 'in-store',
    placedBy: 'budtender-2',
    buyer: null,
    shiftName: 'Day',
    goods: [
      ['gear', 2],
      ['flower', 2],
    ],
    payments: [['processor', 1500], ['debit', 1000], ['cash']],
    steps: ['pack', handedOver],
  },
  {
    minutesAgo: 160,
    type: 'in-store',
    placedBy: 'budtender-1',
    buyer: null,
    shiftName: 'Day',
    goods: [['last-pieces', 1]],
    payments: [['debit']],
    steps: [handedOver],
  },
  {
    minutesAgo: 155,
    type: 'in-store',
    placedBy: 'manager',
    buyer: 'regular',
    shiftName: 'Day',
    internalNotes: 'Regular; asked for the dented box.',
    goods: [
      ['gear', 2],
      ['flower', 2],
    ],
    hasCourtesy: true,
    adjustments: [
      { amountCents: -150, description: 'Dented box' },
      { amountCents: 300, description: 'Gift bag' },
    ],
    payments: [['debit']],
    steps: [handedOver],
  },
  {
    minutesAgo: 150,
    type: 'in-store',
    placedBy: 'owner',
    buyer: null,
    customerName: 'Hillside Hospice',
    shiftName: 'Day',
    goods: [
      ['gear', 1],
      ['flower', 1],
    ],
    taxExempt: { exempt: true, reason: 'Exemption certificate on file' },
    payments: [['other']],
    steps: [handedOver],
  },
  {
    minutesAgo: 145,
    type: 'in-store',
    placedBy: 'budtender-2',
    buyer: 'patient',
    shiftName: 'Day',
    goods: [['flower', 1]],
    taxExempt: { exempt: false, reason: 'Left the card at home' },
    payments: [['cash']],
    steps: [handedOver],
  },
  {
    minutesAgo: 140,
    type: 'pickup',
    placedBy: null,
    buyer: 'patient',
    goods: [['flower', 1]],
    payments: [['debit']],
    steps: ['accept', 'pack', handedOver],
  },
  {
    minutesAgo: 135,
    type: 'in-store',
    placedBy: 'budtender-1',
    buyer: 'owed-some',
    shiftName: 'Day',
    goods: [
      ['gear', 1],
      ['flower', 1],
    ],
    payments: [['debit']],
    steps: [handedOver],
    returns: [
      {
        refund: 'payment-method',
        units: [
          {
            line: 1,
            quantity: 1,
            type: 'return',
            inventoryAction: 'waste',
            reason: 'Too dry',
          },
        ],
      },
    ],
  },
  {
    minutesAgo: 130,
    type: 'in-store',
    placedBy: 'budtender-2',
    buyer: 'owed-all',
    shiftName: 'Day',
    goods: [['gear', 1]],
    payments: [],
    steps: [handedOver],
  },
  {
    minutesAgo: 125,
    type: 'pickup',
    placedBy: null,
    buyer: 'with-code',
    goods: [
      ['flower', 1],
      ['gear', 1],
      ['matches', 1],
    ],
    payments: [['cash']],
    steps: ['accept', 'pack', handedOver],
  },
  {
    minutesAgo: 120,
    type: 'pickup',
    placedBy: null,
    buyer: 'with-percent',
    goods: [
      ['flower', 1],
      ['gear', 1],
    ],
    payments: [['processor']],
    steps: ['accept', 'pack'],
  },
  {
    minutesAgo: 115,
    type: 'pickup',
    placedBy: 'budtender-1',
    buyer: 'canceling',
    goods: [
      ['flower', 1],
      ['gear', 1],
    ],
    payments: [['cash']],
    steps: ['accept', { cancel: 'Changed their mind on the phone' }],
  },
  redeeming(110, 'saver', ['cash-back', '120']),
  redeeming(105, 'saver', ['flat']),
  redeeming(100, 'other-saver', ['percent']),
  {
    ...redeeming(95, 'saver', ['free-product']),
    goods: [
      ['gift', 1],
      ['flower', 1],
    ],
  },
  {
    ...redeeming(90, 'other-saver', ['cash-back', '150']),
    type: 'pickup',
    steps: ['accept', { cancel: 'Not picked up' }],
  },
  {
    minutesAgo: 85,
    type: 'in-store',
    placedBy: 'budtender-1',
    buyer: 'returning',
    shiftName: 'Day',
    goods: [
      ['gear', 3],
      ['flower', 1],
    ],
    payments: [['cash']],
    steps: [handedOver],
    returns: [
      {
        refund: 'payment-method',
        units: [
          { line: 0, quantity: 1, type: 'return', inventoryAction: 'inventory', reason: 'Wrong color' },
        ],
        voidedFor: 'Meant for another receipt',
      },
      {
        refund: 'store-credit',
        units: [
          { line: 0, quantity: 2, type: 'return', inventoryAction: 'inventory', reason: 'Wrong color' },
        ],
      },
      {
        refund: 'none',
        units: [
          { line: 1, quantity: 1, type: 'exchange', inventoryAction: 'vendor', reason: 'Seal was broken' },
        ],
      },
    ],
  },
  {
    minutesAgo: 80,
    type: 'in-store',
    placedBy: 'budtender-2',
    buyer: null,
    shiftName: 'Evening',
    goods: [['gear', 1]],
    payments: [['debit']],
    steps: [handedOver],
    // All units are returned.
    returns: [
      {
        refund: 'payment-method',
        units: [
          { line: 0, quantity: 1, type: 'return', inventoryAction: 'inventory', reason: 'Bought twice' },
        ],
      },
    ],
  },
  {
    minutesAgo: 75,
    type: 'pickup',
    placedBy: 'budtender-2',
    buyer: 'regular',
    internalNotes: 'Calls when they are outside.',
    goods: [['gear', 1]],
    payments: [['debit']],
    steps: ['add-one', 'accept', 'unaccept', 'accept', 'pack', 'unpack'],
  },
  delivery(70, 'home-1', 'budtender-1', [
    'accept',
    'pack',
    { dispatch: 'assigned' },
    { dispatch: 'active', isTracked: true },
    { dispatch: 'completed' },
    handedOver,
  ]),
  delivery(61, 'home-2', 'budtender-2', ['accept', 'pack', { dispatch: 'assigned' }, { dispatch: 'failed' }]),
  delivery(55, 'home-3', 'budtender-1', [
    'accept',
    'pack',
    { dispatch: 'assigned' },
    { dispatch: 'failed' },
    { cancel: 'Customer not at the address' },
  ]),
  delivery(52, 'home-4', null, [
    'accept',
    'pack',
    { dispatch: 'assigned' },
    { dispatch: 'active' },
    // At the shop: waiting for handover.
    { dispatch: 'completed' },
  ]),
  delivery(41, 'home-5', null, [
    'accept',
    'pack',
    { dispatch: 'assigned' },
    { dispatch: 'active', isTracked: true },
  ]),
  delivery(30, 'home-6', 'budtender-2', ['accept', 'pack', { dispatch: 'assigned' }]),
  delivery(23, 'home-7', 'budtender-1', ['accept', { dispatch: 'unassigned' }]),
  delivery(12, 'home-8', null, []),
];

/** An order that points lower. */
function redeeming(
  minutesAgo: number,
  buyer: StagedBuyer,
  reward: NonNullable<StagedOrder['reward']>,
): StagedOrder {
  return {
    minutesAgo,
    type: 'in-store',
    placedBy: 'budtender-1',
    buyer,
    shiftName: 'Day',
    goods: [
      ['gear', 1],
      ['flower', 1],
    ],
    reward,
    payments: [['cash']],
    steps: [handedOver],
  };
}

function delivery(
  minutesAgo: number,
  buyer: StagedBuyer,
  placedBy: string | null,
  steps: StagedOrder['steps'],
): StagedOrder {
  const isDone = steps.includes(handedOver);
  return {
    minutesAgo,
    type: 'delivery',
    placedBy,
    buyer,
    goods: [
      ['flower', 1],
      ['gear', minutesAgo % 3 === 0 ? 2 : 1],
    ],
    payments: [['debit']],
    steps,
    ...(isDone && {
      returns: [
        {
          refund: 'payment-method' as const,
          units: [
            {
              line: 0,
              quantity: 1,
              type: 'return' as const,
              inventoryAction: 'waste' as const,
              reason: 'Jar cracked on the way',
            },
          ],
          withDeliveryFee: true as const,
        },
      ],
    }),
  };
}
