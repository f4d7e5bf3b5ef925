import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { placeDraft } from './placed-orders.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** The work of who dispatches: a delivery goes on a trip, into the vehicle, out and back. */
export function dispatchProofs(shop: () => ProofShop): void {
  test('a delivery is put on a trip, loaded, sent out, and comes back where no customer is at home', async () => {
    const ask = async (method: string, path: string, body?: object) => {
      const { data, error } = await shop().owner.call(method, `/staff/v1/${path}`, body);
      expect(error).toBeUndefined();
      return data;
    };
    // Another attempt has a vehicle and a driver of its own.
    const name = `Van ${randomInt(100_000)}`;
    const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', { name, type: 'vehicle' });
    const van = { name, licensePlate: '8ABC123', make: 'Ford', model: 'Transit', inventoryLocationId };
    await ask('POST', 'vehicles', van);
    const member = { email: `d${randomInt(1_000_000)}@shop.example.com`, firstName: 'Tomas', lastName: name };
    const { id: staffId } = await ask('POST', 'staff', { ...member, role: 'budtender' });
    await ask('POST', 'drivers', { staffId });
    const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
    const { id: orderId } = await placeDraft(shop(), 6, { type: 'delivery', address });
    await ask('POST', `orders/${orderId}/accept`, {});
    const { number } = await ask('GET', `orders/${orderId}`);

    const console = await shop().open('manager');
    const page = await console.goto('/dispatch');
    await page.getByRole('button', { name: 'Plan a trip' }).click();
    const planning = page.getByRole('dialog', { name: 'Plan a trip' });
    for (const [label, choice] of [
      ['Driver', `Tomas ${name}`],
      ['Vehicle', `${name} · 8ABC123`],
    ] as const) {
      await planning.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: choice }).click();
    }
    await planning.getByRole('button', { name: 'Plan', exact: true }).click();
    await planning.waitFor({ state: 'detached' });
    const card = page.getByRole('region', { name: `Tomas ${name} · ${name}` });
    await card.getByText('No stops yet.').waitFor();

    await page.getByRole('checkbox', { name: new RegExp(`${number} `) }).check();
    await page.getByRole('button', { name: 'Put on a trip' }).click();
    await page.getByRole('menuitem', { name: `Tomas ${name} · ${name}` }).click();
    await card.getByText('Marisol Okafor · 418 Alder Street').waitFor();
    expect(await console.barriers()).toEqual([]);

    await card.getByRole('button', { name: 'Load' }).click();
    const loading = page.getByRole('dialog', { name: `Load ${name}` });
    await loading.getByRole('button', { name: 'Load' }).click();
    await loading.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Leave' }).click();
    await card.getByRole('button', { name: 'Is back' }).click();
    await card.getByText('Not at home').waitFor();
    const { trips } = await ask('GET', 'dispatch-board');
    const trip = trips.find((it: { vehicle: { name: string } }) => it.vehicle.name === name);
    expect(trip).toMatchObject({ status: 'back', goods: [], totals: { delivered: 0, notDelivered: 1 } });
  });
}
