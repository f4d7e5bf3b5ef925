import { expect } from 'vitest';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import { testOrigin } from '../harness/test-shop.ts';
import { newLabel } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

/** Moves of people and records that buy nothing, so that the model of the shop does not know them. */

interface Person {
  readonly id: number;
  readonly email: string;
}

/** People of the simulation who never trade, and what else it made. */
interface Records {
  readonly people: Person[];
  readonly products: number[];
  readonly groups: number[];
  readonly brands: number[];
  count: number;
}

export function noRecords(): Records {
  return { people: [], products: [], groups: [], brands: [], count: 0 };
}

type Move = (world: TradingWorld, records: Records) => Promise<void>;

async function ask(world: TradingWorld, method: string, path: string, body?: object) {
  const reply = await world.askStaff(method, path, body);
  expect(reply.error, `${method} ${path} ${reply.text}`).toBeUndefined();
  return reply.data;
}

const addPerson: Move = async (world, records) => {
  records.count += 1;
  const email = `visitor${records.count}@customers.example.com`;
  const { id } = await ask(world, 'POST', '/staff/v1/customers', {
    ...{ firstName: 'Visitor', lastName: `No. ${records.count}`, email },
  });
  records.people.push({ id, email });
};

const changePerson: Move = async (world, { people }) => {
  if (people.length === 0) return;
  const { id } = world.random.pick(people);
  await ask(world, 'PATCH', `/staff/v1/customers/${id}`, { lastName: `Renamed ${world.nowMs % 1_000}` });
};

const mergePeople: Move = async (world, { people }) => {
  if (people.length < 2) return;
  const [from, into] = [people.shift()!, people[0]!];
  await ask(world, 'POST', `/staff/v1/customers/${from.id}/merge`, { intoCustomerId: into.id });
};

const erasePerson: Move = async (world, { people }) => {
  if (people.length === 0) return;
  const { id } = people.pop()!;
  await ask(world, 'DELETE', `/staff/v1/customers/${id}`, {});
};

const importPeople: Move = async (world, records) => {
  const rows = Array.from({ length: world.random.integer(2, 5) }, () => {
    records.count += 1;
    return {
      firstName: 'Imported',
      lastName: `No. ${records.count}`,
      email: `imported${records.count}@customers.example.com`,
      phone: null,
      birthday: '1988-02-29',
      sex: null,
      zip: '94607',
      licenseExpiry: null,
      medicalExpiration: null,
      marketingOptInAtMs: null,
      joinedAtMs: world.nowMs - 86_400_000,
    };
  });
  await importCustomers(world.service.context, testOrigin, world.shop.organizationId, rows as never);
};

const groupPeople: Move = async (world, records) => {
  records.count += 1;
  const { id } = await ask(world, 'POST', '/staff/v1/customer-groups', {
    name: `Group ${records.count}`,
    description: 'Neighbors',
  });
  records.groups.push(id);
  for (const person of records.people.slice(0, 3)) {
    const path = `/api/v1/customer-groups/${id}/add-customer`;
    const reply = await world.askIntegrator(0, 'PUT', path, { emailOrPhone: person.email });
    expect(reply.error).toBeUndefined();
  }
};

const changeGroup: Move = async (world, { groups, count }) => {
  if (groups.length === 0) return;
  const id = world.random.pick(groups);
  if (world.random.chance(0.5)) {
    await ask(world, 'PATCH', `/staff/v1/customer-groups/${id}`, {
      name: `Renamed group ${count} ${world.nowMs}`,
    });
    return;
  }
  groups.splice(groups.indexOf(id), 1);
  await ask(world, 'DELETE', `/staff/v1/customer-groups/${id}`, {});
};

const addProduct: Move = async (world, records) => {
  records.count += 1;
  const reply = await world.askIntegrator(0, 'POST', '/api/v1/products', {
    ...productBody({ name: `Shelf warmer ${records.count}` }),
    brandName: `Brand ${records.count % 3}`,
  });
  expect(reply.error, reply.text).toBeUndefined();
  records.products.push(reply.data.id);
};

const changeProduct: Move = async (world, { products }) => {
  if (products.length === 0) return;
  const id = world.random.pick(products);
  await ask(world, 'PATCH', `/staff/v1/products/${id}`, { isFeatured: world.random.chance(0.5) });
};

const deleteProduct: Move = async (world, { products }) => {
  if (products.length === 0) return;
  const id = products.pop()!;
  const deletedAt = new Date(world.nowMs).toISOString();
  const reply = await world.askIntegrator(0, 'PUT', `/api/v1/products/${id}`, { deletedAt });
  expect(reply.error, reply.text).toBeUndefined();
};

const renameBrand: Move = async (world) => {
  const brands = await ask(world, 'GET', '/staff/v1/brands');
  if (brands.length === 0) return;
  const { id } = world.random.pick(brands as { id: number }[]);
  await ask(world, 'PATCH', `/staff/v1/brands/${id}`, { name: `Brand of ${world.nowMs}` });
};

const announcePackage: Move = async (world, records) => {
  records.count += 1;
  await ask(world, 'POST', '/staff/v1/packages', {
    ...{ label: newLabel(50_000 + records.count), initialAmount: '10', unit: 'Each' },
  });
};

const renameVendor: Move = async (world) => {
  const vendors = await ask(world, 'GET', '/staff/v1/inventory-vendors');
  if (vendors.length === 0) return;
  const { id } = world.random.pick(vendors as { id: number }[]);
  const { name } = (vendors as { id: number; name: string }[]).find((it) => it.id === id)!;
  await ask(world, 'PUT', `/staff/v1/inventory-vendors/${id}`, { name, notes: `Seen ${world.nowMs}` });
};

export const recordMoves: readonly { readonly make: Move; readonly weight: number }[] = [
  { make: addPerson, weight: 6 },
  { make: changePerson, weight: 5 },
  { make: mergePeople, weight: 3 },
  { make: erasePerson, weight: 2 },
  { make: importPeople, weight: 2 },
  { make: groupPeople, weight: 2 },
  { make: changeGroup, weight: 3 },
  { make: addProduct, weight: 3 },
  { make: changeProduct, weight: 3 },
  { make: deleteProduct, weight: 2 },
  { make: renameBrand, weight: 2 },
  { make: announcePackage, weight: 2 },
  { make: renameVendor, weight: 2 },
];
