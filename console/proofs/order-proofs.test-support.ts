import { expect, test } from 'vitest';
import { placeDraft, placeFulfilled } from './placed-orders.test-support.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** A fulfilled order with goods that purchase limits count; what other proofs sell is accessories. */
async function soldWithLimits({ owner }: ProofShop): Promise<{ id: string; number: number }> {
  const { data } = await owner.call('GET', '/staff/v1/orders?status=fulfilled');
  for (const order of data) {
    const used = await owner.call('GET', `/staff/v1/orders/${order.id}/limits-used`);
    if (used.data.limits.length > 0) return order;
  }
  throw new Error('no fulfilled order uses a limit');
}

/** The work on orders. */
export function orderProofs(shop: () => ProofShop): void {
  const orderNow = async (id: string) => (await shop().owner.call('GET', `/staff/v1/orders/${id}`)).data;

  test('an order goes from draft to fulfilled, with a time slot that staff choose and two payments', async () => {
    const { id } = await placeDraft(shop());
    const slots = '/staff/v1/time-slots';
    const { data: slot } = await shop().owner.call('POST', slots, {
      ...{ name: 'All day', orderType: 'pickup', days: [1, 2, 3, 4, 5, 6, 7] },
      ...{ startsAt: '00:00', endsAt: '23:59', capacity: 9 },
    });
    const console = await shop().open('budtender', { colorScheme: 'dark' });
    const page = await console.goto(`/orders/${id}`);
    await page.getByRole('button', { name: 'Choose a time slot' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Time slot' }).click();
    await page
      .getByRole('option', { name: /, 9 left$/ })
      .last()
      .click();
    expect(await console.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The time slot is changed. The customer gets an email.').waitFor();
    await page.getByText(/, 12:00\sAM – 11:59\sPM$/).waitFor();
    await page.getByRole('button', { name: 'Change time slot' }).waitFor();
    const offered = (await shop().owner.call('GET', `/staff/v1/orders/${id}/slots`)).data.slots;
    const { from, to } = offered.at(-1);
    expect((await orderNow(id)).slot).toEqual({ from, to });
    await shop().owner.call('PATCH', `${slots}/${slot.id}`, { archived: true });
    const accept = async () => {
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('button', { name: 'Mark as packed' }).waitFor();
    };
    await accept();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await accept();
    await page.getByRole('button', { name: 'Mark as packed' }).click();
    await page.getByRole('button', { name: 'Take payment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('1.50');
    await dialog.getByRole('button', { name: 'Add a payment' }).click();
    await dialog.getByLabel('Amount 2').waitFor();
    expect(await console.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Take payment and hand over' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.status', { hasText: 'Fulfilled' }).first().waitFor();
    const order = await orderNow(id);
    expect(order).toMatchObject({ status: 'fulfilled', payments: [{ amount: 150 }, {}] });
    expect(order.payments).toHaveLength(2);
    expect(order.payments[0].amount + order.payments[1].amount).toBe(order.netPrice);
  });

  test('paper names the shop with address and license, and is scanned: a receipt, labels of a package, an order and a shelf', async () => {
    const { owner } = shop();
    const { id, number } = await soldWithLimits(shop());
    const console = await shop().open('manager');
    const page = await console.goto(`/print/orders/${id}/receipt`);
    const { address } = (await owner.call('GET', '/staff/v1/shop-profile')).data;
    const { licenseNumber } = (await owner.call('GET', '/staff/v1/organization')).data;
    await page.getByText(address.street1).waitFor();
    await page.getByText(`License ${licenseNumber}`).waitFor();
    await page.getByRole('img', { name: `Barcode of order ${number}` }).waitFor();
    await page.getByRole('img', { name: `QR code of order ${number}` }).waitFor();
    await page.getByRole('table', { name: 'Purchase limits used' }).waitFor();

    // The owner's words for the state stand on both labels, and what was not chosen does not.
    const { labels } = (await owner.call('GET', '/staff/v1/shop-profile')).data;
    const chosen = {
      exit: { fields: ['license', 'quantity'], notice: 'Keep out of reach of children.' },
      shelf: { fields: ['sku', 'barcode'], notice: 'Ask us.' },
    };
    const told = await owner.call('PATCH', '/staff/v1/shop-profile', { labels: chosen });
    expect(told.data.labels).toEqual(chosen);
    await console.visit(`/print/orders/${id}/exit-labels`);
    const exit = page.getByRole('article').first();
    await exit.getByText('Keep out of reach of children.').waitFor();
    await exit.getByText(licenseNumber).waitFor();
    expect(await exit.getByText('Brand').count()).toBe(0);
    const product = (await owner.call('GET', '/staff/v1/products?sortBy=name')).data[0];
    await console.visit(`/catalog/products/${product.id}`);
    await page.getByRole('link', { name: 'Shelf labels' }).click();
    const [option] = product.options;
    const shelf = page.getByRole('article', { name: `${product.name}, ${option.name}`, exact: true });
    await shelf.getByText('Ask us.').waitFor();
    const price = ((option.salesPrice ?? option.price) / 100).toFixed(2);
    await shelf.getByText(`$${price}`, { exact: true }).waitFor();
    await owner.call('PATCH', '/staff/v1/shop-profile', { labels });

    const pack = (await owner.call('GET', '/staff/v1/packages?status=received')).data[0];
    await console.visit(`/inventory/packages/${pack.id}`);
    await page.getByRole('link', { name: 'Label', exact: true }).click();
    await page.getByRole('img', { name: `Barcode of package ${pack.label}` }).waitFor();
    await page.getByRole('heading', { name: pack.product.name, level: 1 }).waitFor();
  });

  test('the counter browses one category and searches all', async () => {
    const page = await (await shop().open('budtender')).goto('/point-of-sale');
    const seen = page.locator('[role="option"]');
    /** Items of this category are shown, and no others. */
    const shows = async (category: string) => {
      const others = page.locator(`[role="option"]:not([data-category="${category}"])`);
      await expect.poll(async () => [(await seen.count()) > 0, await others.count()]).toEqual([true, 0]);
    };
    await page
      .getByRole('group', { name: 'Categories' })
      .getByRole('button', { name: 'Flower', exact: true })
      .click();
    await shows('Flower');
    await page.getByRole('combobox', { name: /scan a UPC/ }).fill('hoodie');
    await shows('Apparel');
  });

  test('a return of one line leaves the rest of a fulfilled order sold', async () => {
    const { id } = await placeFulfilled(shop(), 2);
    const console = await shop().open('manager');
    const page = await console.goto(`/orders/${id}`);
    await page.getByRole('button', { name: 'Return goods' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').waitFor();
    expect(await console.barriers()).toEqual([]);
    await dialog
      .getByRole('button', { name: /^One more/ })
      .first()
      .click();
    await dialog.getByLabel('Reason').fill('Broken on the way');
    const refund = dialog
      .getByRole('region', { name: 'Refund' })
      .getByRole('row', { name: /^Refund/ })
      .getByRole('cell');
    // Of no unit it is $0.00.
    await expect.poll(() => refund.textContent()).toMatch(/^\$(?!0\.00)\d/);
    const promised = await refund.textContent();
    await dialog.getByRole('button', { name: 'Record return' }).click();
    await page.getByText(`The return is recorded: refund ${promised}.`).waitFor();
    await page.getByText('Partly returned').first().waitFor();
    const order = await orderNow(id);
    expect(order.returns).toMatchObject([{ lineItems: [{ quantity: 1 }] }]);
    expect(order.refundTotal).toBeLessThan(0);
    // The receipt names the goods that came back and how they were paid back.
    const [line] = order.lineItems;
    await console.visit(`/print/orders/${id}/receipt`);
    await page.getByText(`Returned: 1 × ${line.productName}, ${line.optionName}`).waitFor();
    await page.getByText(/^Refunded: \w/).waitFor();
  });

  test('of two people accepting a draft, the second gets a message and the current order', async () => {
    const { id } = await placeDraft(shop());
    const quick = await (await shop().open('manager')).goto(`/orders/${id}`);
    const late = await (await shop().open('budtender', { refusals: [409] })).goto(`/orders/${id}`);
    let letGo = () => {};
    const isAccepted = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await intercept(late, '**/accept', async (route) => {
      await isAccepted;
      await route.continue();
    });
    for (const page of [late, quick]) {
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    }
    await quick.getByRole('button', { name: 'Mark as packed' }).waitFor();
    letGo();
    await late.getByText('This order is new now.').waitFor();
    await late.getByRole('button', { name: 'Mark as packed' }).waitFor();
  });
}
