const shapes: Readonly<Record<string, RegExp>> = {
  orderId: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  // A new record has no id yet.
  discountId: /^(new|[1-9]\d{0,15})$/,
};
const wholeNumber = /^[1-9]\d{0,15}$/;

/** Whether the ids in an address are well-formed: whole numbers, and UUIDs for orders. */
export function isWellFormed(params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(params).every(
    ([name, value]) => !name.endsWith('Id') || (shapes[name] ?? wholeNumber).test(value ?? ''),
  );
}
