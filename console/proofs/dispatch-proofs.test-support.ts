import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { placeDraft } from './placed-orders.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** The work of who dispatches: deliveries go on a trip, into the vehicle, out and back, and what comes back is counted. */
export function dispatchProofs(shop: () => ProofShop): void {
  const ask = async (method: string, path: string, body?: object) => {
    const { data, error } = await shop().owner.call(method, `/staff/v1/${path}`, body);
    expect(error).toBeUndefined();
    return data;
  };

  /** A van and a driver with a drawer, and three open deliveries; another attempt has its own. */
  async function openDay() {
    const name = `Van ${randomInt(100_000)}`;
    const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', { name, type: 'vehicle' });
    const van = { name, licensePlate: '8ABC123', make: 'Ford', model: 'Transit', inventoryLocationId };
    await ask('POST', 'vehicles', van);
    const places: { id: number; type: string; name: string }[] = await ask('GET', 'inventory-locations');
    const store = places.find(({ type }) => type === 'standard')!;
    const till = await ask('POST', 'registers', { name, inventoryLocationId: store.id });
    const member = { email: `d${randomInt(1_000_000)}@shop.example.com`, firstName: 'Tomas', lastName: name };
    const { id: staffId } = await ask('POST', 'staff', { ...member, role: 'budtender' });
    await ask('POST', 'drivers', { staffId, registerId: till.id, sharesPosition: true });
    const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
    const orders: { id: string; number: number }[] = [];
    for (const _ of [1, 2, 3]) {
      const { id } = await placeDraft(shop(), 2, { type: 'delivery', address });
      await ask('POST', `orders/${id}/accept`, {});
      orders.push(await ask('POST', `orders/${id}/pack`, {}));
    }
    const [first, second, third] = orders.map(({ number }) => number) as [number, number, number];
    return { name, till, store, first, second, third };
  }

  test('deliveries are dragged to a driver and before a stop, or put there by buttons; the manifest says what goes; one more goes along from the shop; the map shows the driver who shares it; cash and goods are counted at the end', async () => {
    const { name, till, store, first, second, third } = await openDay();
    const console = await shop().open('manager');
    const page = await console.goto('/dispatch');
    const waiting = page.getByRole('region', { name: 'To be planned' });
    const row = (number: number) => waiting.locator('[draggable=true]').filter({ hasText: `${number} ` });
    await row(first).dragTo(page.getByRole('button', { name: `Plan for Tomas ${name}` }));
    const planning = page.getByRole('dialog', { name: 'Plan a trip' });
    await planning.getByRole('combobox', { name: 'Vehicle' }).click();
    await page.getByRole('option', { name: `${name} · 8ABC123` }).click();
    await planning.getByRole('button', { name: 'Plan', exact: true }).click();
    await planning.waitFor({ state: 'detached' });
    const card = page.getByRole('region', { name: `Tomas ${name} · ${name}` });
    const stops = card.getByRole('listitem');
    await stops.filter({ hasText: String(first) }).waitFor();

    await row(second).dragTo(stops.first());
    await stops
      .first()
      .filter({ hasText: String(second) })
      .waitFor();
    // By buttons: off the trip, onto it again at its end, and up.
    await card.getByRole('button', { name: new RegExp(`Take .*${second} off the trip`) }).click();
    await waiting.getByRole('checkbox', { name: new RegExp(`${second} `) }).check();
    await waiting.getByRole('button', { name: 'Put on a trip' }).click();
    await page.getByRole('menuitem', { name: `Tomas ${name} · ${name}` }).click();
    await stops
      .nth(1)
      .filter({ hasText: String(second) })
      .waitFor();
    await card.getByRole('button', { name: new RegExp(`Move .*${second} up`) }).click();
    await stops
      .first()
      .filter({ hasText: String(second) })
      .waitFor();
    await page.getByRole('img', { name: 'Map of the deliveries, the trips and the drivers' }).waitFor();
    await console.settled();
    expect(await console.barriers()).toEqual([]);

    await card.getByRole('link', { name: 'Manifest' }).click();
    await page.getByRole('heading', { name: 'Delivery manifest' }).waitFor();
    await page.getByText('8ABC123').waitFor();
    await page.getByText('418 Alder Street, Oakland').first().waitFor();
    expect(await console.barriers()).toEqual([]);
    await page.getByRole('link', { name: 'Back to the deliveries' }).click();

    await card.getByRole('button', { name: 'Load' }).click();
    const loading = page.getByRole('dialog', { name: `Load ${name}` });
    await loading.getByLabel('Cash in the drawer').fill('50');
    await loading.getByRole('button', { name: 'Load' }).click();
    await loading.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Leave' }).click();
    // The driver comes by for another one.
    await card.getByRole('button', { name: 'Load more' }).click();
    const more = page.getByRole('dialog', { name: `Load ${name}` });
    await more.getByRole('combobox', { name: 'Orders' }).click();
    await page.getByRole('option', { name: new RegExp(`${third} `) }).click();
    await more.getByText(/^For a driver who is at the shop/).click();
    await more.getByRole('button', { name: 'Load more' }).click();
    await more.waitFor({ state: 'detached' });
    await stops
      .nth(2)
      .filter({ hasText: String(third) })
      .waitFor();
    expect(await card.getByRole('button', { name: 'Unload' }).count()).toBe(0);
    await card.getByRole('button', { name: 'Leave' }).click();
    await card.getByRole('button', { name: 'Is back' }).waitFor();

    // What the driver does is proved on the phone's page.
    const { trips } = await ask('GET', 'dispatch-board');
    const trip = trips.find((it: { vehicle: { name: string } }) => it.vehicle.name === name);
    await ask('POST', `trips/${trip.id}/position`, { latitude: 37.83, longitude: -122.28 });
    await page.locator('svg text').filter({ hasText: 'Tomas' }).waitFor();
    const payments = [{ paymentTypeId: trip.cashPaymentTypeId, remaining: true }];
    const [delivered, refused, added] = trip.stops;
    await ask('POST', `trips/${trip.id}/stops/${delivered.id}/deliver`, { payments, tip: 300 });
    await ask('POST', `trips/${trip.id}/stops/${added.id}/deliver`, { payments });
    await ask('POST', `trips/${trip.id}/stops/${refused.id}/refuse`, { reason: 'An ID that has expired' });
    await card.getByText('An ID that has expired').waitFor();
    await card.getByRole('button', { name: 'Is back' }).click();

    await card.getByRole('button', { name: 'Close the trip' }).click();
    const closing = page.getByRole('dialog', { name: 'Close the trip' });
    await closing.getByRole('combobox', { name: 'Good ones go to' }).click();
    await page.getByRole('option', { name: store.name, exact: true }).click();
    await closing.getByRole('combobox', { name: /^2 × / }).first().click();
    await page.getByRole('option', { name: 'Quarantine' }).click();
    const sales = delivered.amountDue + added.amountDue;
    const cash = 5000 + sales + 300;
    await closing.getByLabel('Cash counted').fill(String(cash / 100));
    await closing.getByRole('button', { name: 'Close the trip' }).click();
    await closing.waitFor({ state: 'detached' });
    await card.getByText('Closed').waitFor();
    expect(await ask('GET', `trips/${trip.id}`)).toMatchObject({
      ...{ status: 'closed', goods: [] },
      totals: { delivered: 2, notDelivered: 1, tips: 300 },
    });
    const [drawer] = await ask('GET', `drawer-sessions?registerId=${till.id}`);
    expect(drawer.payments).toMatchObject([{ sales, paidIn: 300, overShort: 0 }]);
    await console.settled();
  });
}
