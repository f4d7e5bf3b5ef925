import type { TestService } from './test-service.ts';
import type { TestShop } from './test-shop.ts';

const different = new Set(['id', 'productId', 'organizationId', 'createdAt', 'updatedAt']);

/** The products of a shop, as an integrator reads them, by name and without what differs between any two shops. */
export async function comparableProducts(
  service: TestService,
  { keys }: Pick<TestShop, 'keys'>,
): Promise<readonly { readonly name: string }[]> {
  const { data } = await service.call('GET', '/api/v1/products/all', { keys });
  const text = JSON.stringify(data, (name, value) => (different.has(name) ? undefined : value));
  return (JSON.parse(text) as { name: string }[]).sort((a, b) => a.name.localeCompare(b.name));
}
