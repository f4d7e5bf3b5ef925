const shapes: Readonly<Record<string, RegExp>> = {
  orderId: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  // A new one has none yet.
  discountId: /^(new|[1-9]\d{0,15})$/,
};
const wholeNumber = /^[1-9]\d{0,15}$/;

/** Whether what an address names could be there: ids are whole numbers, those of orders UUIDs. */
export function isWellFormed(params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(params).every(
    ([name, value]) => !name.endsWith('Id') || (shapes[name] ?? wholeNumber).test(value ?? ''),
  );
}
