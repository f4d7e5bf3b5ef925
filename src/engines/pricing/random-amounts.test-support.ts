import fc from 'fast-check';

/** Rates of actual laws, the ends of the range, and any rate with six decimals. */
export const percent = fc.oneof(
  fc.constantFrom('0', '100', '5', '7.25', '9.25', '10', '15', '8.875', '0.000001', '99.999999', '33.333333'),
  fc.integer({ min: 0, max: 99_999_999 }).map((millionths) => {
    const digits = `${millionths}`.padStart(7, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }),
);

/** Rounding matters most for a few cents. */
export const cents = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 50 }), fc.nat({ max: 500_000 }));
