import { expect, test } from 'vitest';
import { orderCodeOf } from '../scanner/understand-scan.ts';
import type { Order } from '../screens/orders/order-words.ts';
import { type ReceiptFacts, receiptBytes } from './receipt-bytes.ts';
import { printBytes, printerKinds, type SerialPort, type UsbDevice } from './receipt-printer.ts';

const line = {
  ...{ id: 1, optionId: 4, productId: 3, quantity: 2, productName: 'Moonlit Grove', optionName: 'Eighth' },
  ...{ unitPrice: 3500, finalPrice: 7000, discounts: [] },
  fulfillAs: [{ pkg: { label: '1A4060300000AB1' } }],
};
const returned = {
  ...{ id: 7, voidedAt: null, refundType: 'payment-method', paymentTypeName: 'Cash', refundTotal: -3780 },
  lineItems: [{ orderLineItemId: 1, quantity: 1, inventoryAction: 'waste' }],
};
const order = {
  ...{ id: '018f', number: 4003, status: 'fulfilled', createdAt: '2026-03-01T17:00:00.000Z' },
  ...{ lineItems: [line], priceOverrides: [], lineReductions: [], discounts: [], loyaltyRedemptions: [] },
  ...{ returns: [returned, { ...returned, voidedAt: '2026-03-01T18:00:00.000Z' }] },
  ...{ adjustments: [], credits: [], deliveryFee: null, totalPrice: 7000, refundTotal: 0 },
  taxes: [{ description: 'Sales tax', rate: '8', amount: 560, amountExempted: 0, included: false }],
  payments: [{ id: 9, name: 'Cash', finalAmount: 7560, feeAmount: 0, tendered: 8000, change: 440 }],
  ...{ customerGrandTotal: 7560, fulfilledBy: { firstName: 'Theo', lastName: 'Lindqvist' } },
} as unknown as Order;
const facts: ReceiptFacts = {
  shop: {
    ...{ name: 'Café Quay', state: 'CA', licenseNumber: 'C10-0000001-LIC' },
    ...{ customerPhone: '', customerEmail: 'hello@quay.example.com' },
  },
  address: { street1: '410 Wharf Street', street2: null, city: 'Oakland', postalCode: '94607' },
  limits: [{ name: 'Flower', cannabisType: 'non-concentrated', unit: 'g', limit: '28.5', used: '7' }],
  intents: [
    {
      id: 5,
      status: 'captured',
      captured: 3780,
      tip: 300,
      cashBack: 0,
      lastFour: '0017',
      authCode: '603218',
    },
    { id: 4, status: 'canceled', captured: 0, tip: 0, cashBack: 0, lastFour: null, authCode: null },
    { id: 3, status: 'returned', captured: 3780, tip: 0, cashBack: 0, lastFour: '4242', authCode: null },
  ],
  soldAt: 'Mar 1, 2026, 9:00 AM PST',
};

/** Bytes, or the codes of a text, as hexadecimal digits. */
const hexOf = (of: Uint8Array | string) =>
  Array.from(typeof of === 'string' ? new TextEncoder().encode(of) : of, (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

const [esc, gs] = [0x1b, 0x1d];
/** The lengths of the commands that take parameters, by their letter; the rest of a row is text. */
const fixedParameters: Readonly<Record<string, number>> = {
  ...{ [`${esc}@`]: 0, [`${esc}a`]: 1, [`${esc}E`]: 1, [`${esc}t`]: 1, [`${esc}M`]: 1, [`${esc}-`]: 1 },
  ...{ [`${esc}3`]: 1, [`${esc}2`]: 0, [`${esc}!`]: 1, [`${gs}!`]: 1, [`${gs}h`]: 1, [`${gs}w`]: 1 },
  ...{ [`${gs}H`]: 1, [`${gs}V`]: 1, [`${gs}f`]: 1, [`${gs}B`]: 1 },
};

/** Reads ESC/POS by its manual: the printed rows, and the commands in hexadecimal digits. */
function readPaper(bytes: Uint8Array) {
  const rows: string[] = [];
  const commands: string[] = [];
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const [byte, letter] = [bytes[at]!, String.fromCharCode(bytes[at + 1] ?? 0)];
    let length = 1;
    if (byte === 0x0a) {
      rows.push(text);
      text = '';
    } else if (byte === 0x1c) length = 2;
    else if (byte === esc || byte === gs) {
      if (letter === 'k') length = 4 + bytes[at + 3]!;
      else if (letter === '(') length = 5 + bytes[at + 3]! + 256 * bytes[at + 4]!;
      else {
        const parameters = fixedParameters[`${byte}${letter}`];
        if (parameters === undefined) throw new Error(`unknown command ${byte} ${letter} at ${at}`);
        length = 2 + parameters;
      }
    } else if (byte !== 0x0d) text += String.fromCharCode(byte);
    if (length > 1) commands.push(hexOf(bytes.slice(at, at + length)));
    at += length;
  }
  return {
    rows: rows.map((row) => row.trim().replaceAll(/ {2,}/g, ' | ')).filter(Boolean),
    commands,
    rest: text,
  };
}

test('a receipt is ESC/POS: the rows of the printed page, with packages and what was returned, both codes of the order, and a cut', () => {
  const { rows, commands, rest } = readPaper(receiptBytes(order, facts));
  const isRule = (row: string) => !/[\w.]/.test(row) && row.length > 20;
  expect(rows.filter((row) => !isRule(row))).toEqual([
    // é in the code page of the printer
    expect.stringMatching(/^Caf. Quay$/),
    'hello@quay.example.com',
    '410 Wharf Street',
    'Oakland, CA 94607',
    'License C10-0000001-LIC',
    'Order 4003',
    'Mar 1, 2026, 9:00 AM PST',
    'Served by Theo Lindqvist',
    '2 x Moonlit Grove, Eighth | $70.00',
    'Package 1A4060300000AB1',
    'Subtotal | $70.00',
    'Sales tax (8%) | $5.60',
    'Total | $75.60',
    'Cash | $75.60',
    'Cash received | $80.00',
    'Change | $4.40',
    // What the terminal took beside it: a tip is no part of the total.
    'Tip | $3.00',
    'Charged to the card ending in | $40.80',
    '0017, approval 603218',
    // Wrapped at the width of the paper.
    'Returned: 1 x Moonlit Grove,',
    'Eighth',
    'Refunded: Cash | -$37.80',
    'Purchase limits used',
    'Flower | 7 of 28.5 g',
    'Thank you.',
  ]);
  expect(rest).toBe('');
  expect(commands[0]).toBe('1b40');
  const code = hexOf(orderCodeOf(4003));
  expect(commands.filter((command) => command.startsWith('1d6b'))).toEqual([
    `1d6b49${(code.length / 2 + 2).toString(16).padStart(2, '0')}7b42${code}`,
  ]);
  // GS ( k stores the text of the QR code, then prints it.
  const qr = commands.filter((command) => command.startsWith('1d286b'));
  expect(qr.at(-2)).toContain(code);
  expect(qr.at(-1)).toBe('1d286b0300315130');
  expect(commands.at(-1)).toBe('1d5601');
});

test('a receipt of an exchange says what came back and what was given for it, not that it was paid in cash', () => {
  const exchange = {
    ...{ orderId: '018e', orderNumber: 4001, orderReturnId: 7, amount: 7560, refund: 8813, cashRounding: 2 },
    goods: [{ name: 'Cinder Cone', quantity: 1 }],
  };
  const payments = [{ ...order.payments[0]!, tendered: null, change: null }];
  const { rows } = readPaper(receiptBytes({ ...order, returns: [], payments, exchange }, facts));
  expect(rows.slice(rows.indexOf('Total | $75.60') + 1).slice(0, 4)).toEqual([
    'Goods that came back, of order 4001',
    '1 x Cinder Cone',
    'Paid by what came back | -$75.60',
    'Given back | $12.55',
  ]);
  expect(rows).not.toContain('Cash | $75.60');
});

/** Remembers what it is told. */
function fakeUsb() {
  const told: string[] = [];
  const taken: number[] = [];
  const printer = { interfaceClass: 7, endpoints: [{ direction: 'out', endpointNumber: 2 }] } as const;
  const keyboard = { interfaceClass: 3, endpoints: [{ direction: 'out', endpointNumber: 1 }] } as const;
  const device: UsbDevice = {
    configuration: {
      interfaces: [
        { interfaceNumber: 0, alternate: keyboard },
        { interfaceNumber: 1, alternate: printer },
      ],
    },
    open: async () => void told.push('open'),
    selectConfiguration: async (value) => void told.push(`configuration ${value}`),
    claimInterface: async (number) => void told.push(`claim ${number}`),
    transferOut: async (endpoint, data) => {
      told.push(`${data.length} to ${endpoint}`);
      taken.push(...data);
      return { status: 'ok' };
    },
    close: async () => void told.push('close'),
  };
  return { device, told, taken };
}

const bytes = Uint8Array.from({ length: 5000 }, (_, at) => at % 251);

test('a USB printer gets exactly the bytes, in parts, at the end that prints', async () => {
  const { device, told, taken } = fakeUsb();
  let asked = 0;
  const usb = {
    getDevices: async () => (asked === 0 ? [] : [device]),
    requestDevice: async () => {
      asked += 1;
      return device;
    },
  };
  expect(await printBytes({ usb }, 'usb', bytes, { mayAsk: false })).toBe(false);
  expect(await printBytes({ usb }, 'usb', bytes, { mayAsk: true })).toBe(true);
  expect(told).toEqual(['open', 'claim 1', '4096 to 2', '904 to 2', 'close']);
  expect(taken).toEqual([...bytes]);
  // The printer that was allowed is not asked for again.
  await printBytes({ usb }, 'usb', bytes, { mayAsk: true });
  expect(asked).toBe(1);
});

test('a printer that stops is closed, and the failure is told', async () => {
  const { device, told } = fakeUsb();
  const stalled: UsbDevice = { ...device, transferOut: async () => ({ status: 'stall' }) };
  const usb = { getDevices: async () => [stalled], requestDevice: async () => stalled };
  await expect(printBytes({ usb }, 'usb', bytes, { mayAsk: true })).rejects.toThrow('answers stall');
  expect(told.at(-1)).toBe('close');
});

test('a serial printer gets exactly the bytes', async () => {
  const taken: number[] = [];
  const told: string[] = [];
  const port: SerialPort = {
    writable: new WritableStream({ write: (chunk: Uint8Array) => void taken.push(...chunk) }),
    open: async ({ baudRate }) => void told.push(`open ${baudRate}`),
    close: async () => void told.push('close'),
  };
  const serial = { getPorts: async () => [port], requestPort: async () => port };
  expect(printerKinds({ serial })).toEqual(['serial']);
  expect(await printBytes({ serial }, 'serial', bytes, { mayAsk: true })).toBe(true);
  expect([taken, told]).toEqual([[...bytes], ['open 9600', 'close']]);
});
