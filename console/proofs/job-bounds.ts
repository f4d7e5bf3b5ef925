/**
 * What the jobs of staff may cost, and no more: scans, taps, keys and typed values (`actions`), and milliseconds of the machine
 * from the first of them until their effect is shown, on the reference machine (`machine-pace.ts`), service and browser on it.
 * A change that needs more fails the stopwatch; one that needs less lowers the bound here.
 */
export const jobBounds = {
  'cash sale of three items': { actions: 6, ms: 4_000 },
  'license to customer': { actions: 1, ms: 1_500 },
  'return of one item': { actions: 4, ms: 4_000 },
  'delivery of ten lines': { actions: 25, ms: 8_000 },
  'open a drawer': { actions: 4, ms: 2_500 },
  'close a drawer': { actions: 6, ms: 4_000 },
  'online order handed over': { actions: 4, ms: 4_000 },
  'last order of a customer': { actions: 3, ms: 3_000 },
  'cart parked and taken up': { actions: 6, ms: 3_500 },
  'line reduced with a reason': { actions: 6, ms: 3_000 },
  'product counted': { actions: 3, ms: 3_000 },
  'new product with a price': { actions: 6, ms: 4_000 },
  'item scanned into the cart': { actions: 1, ms: 1_500 },
  'card sale of one item': { actions: 4, ms: 4_000 },
  'exchange by the receipt': { actions: 7, ms: 6_000 },
  'sale voided': { actions: 4, ms: 3_000 },
  'flower weighed out': { actions: 4, ms: 3_000 },
  'person changed by PIN': { actions: 3, ms: 4_000 },
  'package received': { actions: 7, ms: 4_000 },
} as const satisfies Readonly<Record<string, { readonly actions: number; readonly ms: number }>>;

export type JobName = keyof typeof jobBounds;
