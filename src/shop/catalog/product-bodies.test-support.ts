/** A valid body of a new product, with the given fields replaced. */
export function productBody(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'Harbor Fog',
    description: 'Salt, *pine*, a slow morning.',
    unit: 'gram',
    strainType: 'hybrid',
    category: 'Flower',
    subCategories: [],
    brandName: 'Fernweh Farms',
    photos: [],
    options: [{ amount: 3.5, price: 3500, content: '3.5' }],
    ...changes,
  };
}
