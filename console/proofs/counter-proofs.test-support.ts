import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import { desktop, phone, tablet } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan } from './scan.test-support.ts';
import { newRegister, shelfOf, soldOrder } from './shelf.test-support.ts';
import { smallTargets } from './small-targets.test-support.ts';

/** What an owner would miss at the counter: exchanges by the receipt, and PINs of people who share a register. */
export function counterProofs(shop: () => ProofShop): void {
  test('goods come back by their receipt at the till, others go out for them, and one amount is due', async () => {
    const [first, second] = await shelfOf(shop());
    const { id, number } = await soldOrder(shop(), [first!, second!]);
    const { data: locations } = await shop().owner.call('GET', '/staff/v1/inventory-locations');
    const vault = locations.find(({ name }: { name: string }) => name === 'Vault');
    const inVault = async (): Promise<number> => {
      const query = `locationId=${vault.id}&search=${second!.upc}`;
      const { data } = await shop().owner.call('GET', `/staff/v1/inventory?${query}`);
      return data.reduce((sum: number, { onHand }: { onHand: string }) => sum + Number(onHand), 0);
    };
    const before = await inVault();
    const opened = await shop().open('budtender', { refusals: [409] });
    const page = await opened.goto('/point-of-sale');
    await scan(page, `ORDER${String(number).padStart(6, '0')}`);
    const back = page.getByRole('dialog', { name: /^Return goods/ });
    await back.waitFor();
    await scan(page, second!.upc);
    await back.getByRole('region', { name: 'Refund' }).waitFor();
    await back.getByRole('textbox', { name: 'Reason' }).fill('Another one');
    await back
      .getByRole('combobox', { name: /^Disposition of/ })
      .nth(1)
      .click();
    await page.getByRole('option', { name: 'Back to stock', exact: true }).click();
    await back.getByRole('combobox', { name: 'Back to stock at' }).click();
    await page.getByRole('option', { name: vault.name }).click();
    await back.getByRole('button', { name: 'Exchange for other goods' }).click();
    await back.waitFor({ state: 'detached' });
    const cart = page.getByRole('region', { name: 'Cart' });
    await cart.getByRole('group', { name: 'Goods that come back' }).waitFor();
    // Two of what comes back: one of them is due.
    for (let units = 0; units < 2; units += 1) await scan(page, second!.upc);
    await cart.getByRole('button', { name: /^Pay \$/ }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.keyboard.press('F9');
    const pay = page.getByRole('dialog', { name: 'Take payment' });
    await pay.getByRole('button', { name: 'Take payment and hand over' }).click();
    await page.getByRole('dialog', { name: /is sold$/ }).waitFor();
    const { data: former } = await shop().owner.call('GET', `/staff/v1/orders/${id}`);
    expect(former.returns).toMatchObject([{ lineItems: [{ quantity: 1, type: 'exchange' }] }]);
    expect((await inVault()) - before).toBe(1);
    const [next] = (await shop().owner.call('GET', '/staff/v1/orders?type=in-store')).data;
    const { exchange, payments, customerGrandTotal } = next;
    expect(exchange).toMatchObject({ orderId: id, orderNumber: number, goods: [{ quantity: 1 }] });
    expect(payments[0].amount).toBe(customerGrandTotal - exchange.amount);
    await page.getByRole('button', { name: 'Next sale' }).click();

    // For less than what comes back: the difference goes onto a gift card that the customer shows.
    const { owner } = shop();
    const { data: giftType } = await owner.call('POST', '/staff/v1/payment-types', {
      ...{ name: 'Gift card of the shop', method: 'other', takesGiftCards: true },
    });
    const registerId = (await newRegister(shop(), { isOpen: true })).id;
    const { data: card } = await owner.call('POST', '/staff/v1/gift-cards', {
      ...{ amount: 500, paymentTypeId: payments[0].paymentTypeId, registerId },
    });
    await scan(page, `ORDER${String(next.number).padStart(6, '0')}`);
    await back.waitFor();
    for (const units of ['1', '2']) {
      await scan(page, second!.upc);
      const steppers = back.getByRole('textbox', { name: /^Units of/ });
      await expect.poll(() => steppers.first().inputValue()).toBe(units);
    }
    await back.getByRole('button', { name: 'Exchange for other goods' }).click();
    await back.waitFor({ state: 'detached' });
    await scan(page, second!.upc);
    await cart.getByRole('button', { name: /^Give back \$/ }).click();
    await pay.getByRole('button', { name: giftType.name }).click();
    await pay.getByRole('button', { name: 'Take payment and hand over' }).click();
    await pay.getByText('Scan the card that gets the money: no gift card paid that much.').waitFor();
    await scan(page, card.code);
    await pay.getByRole('button', { name: 'Check the balance' }).click();
    await pay.getByText('The card has $5.00.').waitFor();
    await pay.getByRole('textbox', { name: 'Code of the gift card' }).press('Enter');
    await page.getByRole('dialog', { name: /is sold$/ }).waitFor();
    const { data: loaded } = await owner.call('POST', '/staff/v1/gift-cards/find', { code: card.code });
    expect(loaded.balance).toBeGreaterThan(500);

    // Goods that only come back are refunded onto the card as well.
    await page.getByRole('button', { name: 'Next sale' }).click();
    const [kept] = (await owner.call('GET', '/staff/v1/orders?type=in-store')).data;
    await scan(page, `ORDER${String(kept.number).padStart(6, '0')}`);
    await back.waitFor();
    await scan(page, second!.upc);
    await back.getByRole('textbox', { name: 'Reason' }).fill('Not needed');
    await back.getByRole('combobox', { name: 'Payment type' }).click();
    await page.getByRole('option', { name: giftType.name }).click();
    await back.getByRole('textbox', { name: 'Code of the gift card' }).fill(card.code);
    await back.getByRole('button', { name: 'Record return' }).click();
    await back.waitFor({ state: 'detached' });
    const find = await owner.call('POST', '/staff/v1/gift-cards/find', { code: card.code });
    const { data: refunded } = await owner.call('GET', `/staff/v1/orders/${kept.id}`);
    expect(find.data.balance).toBe(loaded.balance - refunded.returns[0].refundTotal);
    await owner.call('DELETE', `/staff/v1/payment-types/${giftType.id}`);
    // One receipt for both sides.
    await opened.goto(`/print/orders/${next.id}/receipt`);
    await page.getByText(`Goods that came back, of order ${number}`).waitFor();
  });

  test('a PIN changes who is at the register, and a manager approves with one, while the cart stays whose it is', async () => {
    const { service, demo, owner } = shop();
    const ofShop = { organizationId: organizationId(demo.id) };
    const [clerk, manager] = [
      await service.staff(ofShop, 'budtender'),
      await service.staff(ofShop, 'manager'),
    ];
    for (const [who, pin] of [
      [clerk, '5271'],
      [manager, '480213'],
    ] as const) {
      expect((await who.call('PUT', '/staff/v1/me/pin', { pin })).status).toBe(204);
    }
    const limits = (budtenderPercent: string | null) =>
      owner.call('PATCH', '/staff/v1/organization', { discountLimits: { budtenderPercent } });
    expect((await limits('10')).error).toBeUndefined();
    const { data: friend } = await owner.call('POST', '/staff/v1/discounts', {
      ...{ kind: 'order', type: 'percent', amount: '20', name: 'Old friend', trigger: 'manual' },
    });
    const opened = await shop().openWith(clerk.token);
    await opened.begin(null, { refusals: [403] });
    const page = await opened.goto('/point-of-sale');
    await fillCart(page);
    const cart = page.getByRole('region', { name: 'Cart' });
    // More than a budtender may give is there with a manager's word; what takes the role of one is not there.
    await page.keyboard.press('F4');
    const tiles = page.getByRole('dialog', { name: 'Discounts, rewards and taxes' });
    const tile = tiles.getByRole('checkbox', { name: 'Old friend: 20%' });
    const ofManagers = tiles.getByRole('checkbox', { name: 'Override taxes' });
    await tile.check();
    await tiles.getByText('Your role may take up to 10% off a sale.').waitFor();
    expect(await ofManagers.count()).toBe(0);
    await page.keyboard.press('Escape');
    await cart.getByText('Not included in the price: manual discounts and adjustments').waitFor();
    await cart.getByRole('button', { name: "Manager's PIN" }).click();
    const word = page.getByRole('dialog', { name: "Manager's PIN" });
    await word.getByLabel('PIN', { exact: true }).fill('480213');
    expect(await opened.barriers()).toEqual([]);
    await page.keyboard.press('Enter');
    await cart.getByText('Old friend').waitFor();
    await cart.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await page.getByRole('button', { name: /^Number pad for/ }).click();
    const pad = page.getByRole('dialog');
    await pad.getByText('Price', { exact: true }).click();
    await pad.getByRole('textbox', { name: 'Price' }).fill('99.00');
    await pad.getByLabel('Reason').fill('Torn bag');
    await pad.getByRole('button', { name: 'Set $99.00' }).click();
    await cart.getByText(/^Price by hand/).waitFor();

    const changeTo = async (pin: string, role: string) => {
      await page.keyboard.press('F7');
      await page.getByRole('dialog', { name: 'Who is at the register?' }).getByLabel('Your PIN').fill(pin);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      await page.getByRole('button', { name: /your menu$/ }).click();
      await page.getByText(role, { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');
    };
    await changeTo('480213', 'Manager');
    await cart.getByText('Scan a UPC or search for an item.').waitFor();
    await page.keyboard.press('F4');
    await tile.waitFor();
    await ofManagers.waitFor();
    await page.keyboard.press('Escape');
    await changeTo('5271', 'Budtender');
    await cart.getByText(/^Price by hand/).waitFor();
    // The word was for the cart of that time: it is asked for again, as for the cart that comes after this one.
    await cart.getByRole('button', { name: "Manager's PIN" }).click();
    await word.getByLabel('PIN', { exact: true }).fill('480213');
    await page.keyboard.press('Enter');
    await cart.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await fillCart(page);
    await page.keyboard.press('F4');
    await tile.check();
    await page.keyboard.press('Escape');
    await cart.getByRole('button', { name: "Manager's PIN" }).waitFor();
    const approver = `/staff/v1/audit-log?subjectType=staff&subjectId=${manager.staffId}`;
    const { data } = await owner.call('GET', approver);
    expect(data).toContainEqual(
      expect.objectContaining({ action: 'staff.approved', actor: `staff:${clerk.staffId}` }),
    );
    // The till is left first: it would ask for the price with a discount that is gone.
    await shop().settle();
    await owner.call('DELETE', `/staff/v1/discounts/${friend.id}`);
    await limits(null);
  });

  test('a note of the customer and what they bought last stand at the till, and one key adds it again', async () => {
    const { owner } = shop();
    const [item] = await shelfOf(shop());
    const person = { firstName: 'Orla', lastName: 'Quince', birthday: '1990-04-02' };
    const { data: customer } = await owner.call('POST', '/staff/v1/customers', person);
    await soldOrder(shop(), [item!], customer.id);
    const opened = await shop().open('budtender');
    const page = await opened.goto(`/point-of-sale?customer=${customer.id}`);
    const cart = page.getByRole('region', { name: 'Cart' });
    await cart.getByRole('group', { name: 'Bought last' }).waitFor();
    await page.keyboard.press('F6');
    await cart.getByRole('textbox', { name: /^Quantity of/ }).waitFor();
    await expect.poll(() => cart.getByRole('textbox', { name: /^Quantity of/ }).inputValue()).toBe('2');
    await cart.getByRole('button', { name: 'Add a note' }).click();
    const note = page.getByRole('dialog', { name: 'Note on the customer' });
    await note.getByRole('textbox', { name: 'Notes' }).fill('Asks for low doses');
    await note.getByRole('button', { name: 'Save' }).click();
    await cart.getByText('Asks for low doses').waitFor();
    expect(await opened.barriers()).toEqual([]);
    const { data } = await owner.call('GET', `/staff/v1/customers/${customer.id}`);
    expect(data.notes).toBe('Asks for low doses');
  });

  test('a percent off the whole order has a reason, and a hold is undone in its message', async () => {
    const opened = await shop().open('owner');
    const page = await opened.goto('/point-of-sale');
    await fillCart(page);
    const cart = page.getByRole('region', { name: 'Cart' });
    await page.keyboard.press('F4');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: 'Percent off the whole order' }).fill('10');
    await drawer.getByRole('textbox', { name: 'Reason for the percent' }).fill('Long wait');
    await drawer.getByRole('button', { name: 'Apply', exact: true }).first().click();
    await page.keyboard.press('Escape');
    await cart.getByText(/^10% off \(was .*: Long wait$/).waitFor();
    // A line that is removed by a slip comes back, too.
    const quantity = cart.getByRole('textbox', { name: /^Quantity of/ });
    await cart
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await quantity.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await quantity.waitFor();
    await page.keyboard.press('F8');
    await page.getByRole('textbox', { name: 'Hold the sale as' }).fill('Red hat');
    await page.keyboard.press('Enter');
    await cart.getByText('Scan a UPC or search for an item.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await cart.getByText(/^10% off \(was .*: Long wait$/).waitFor();
  });

  test('at a desk, on a tablet and on a phone a finger can press every control of the counter', async () => {
    const { owner } = shop();
    const [item] = await shelfOf(shop());
    const register = await newRegister(shop(), { isOpen: true });
    const person = {
      ...{ firstName: 'Bram', lastName: 'Oake', birthday: '1990-04-02', notes: 'Asks for low doses' },
      ...{ email: 'bram@example.com', phone: '(415) 555-0187' },
    };
    const { data: customer } = await owner.call('POST', '/staff/v1/customers', person);
    await soldOrder(shop(), [item!], customer.id);
    const opened = await shop().open('owner');
    const page = await opened.goto(`/point-of-sale?customer=${customer.id}`);
    const dialog = page.getByRole('dialog');
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
    const expectLargeTargets = async (...sizes: (typeof phone)[]) => {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await expect.poll(() => smallTargets(page)).toEqual([]);
      }
    };
    await press('Choose register');
    await page.getByRole('menuitem', { name: register.name, exact: true }).click();
    await page.getByRole('group', { name: 'Bought last' }).waitFor();
    const cart = page.getByRole('region', { name: 'Cart' });
    await cart.getByText(/^Age \d\d$/).waitFor();
    await cart.getByText('no ID on file').waitFor();
    await cart.getByText(/^[\d.]+ points?$/).waitFor();
    await page.keyboard.press('F6');
    await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await expectLargeTargets(phone, tablet, desktop);
    // The line's pad, the customer, discounts, held carts and who is at the register.
    const dialogs: readonly (() => Promise<void>)[] = [
      () => press(/^Number pad for/),
      ...['F2', 'F4', 'F8', 'F7'].map((key) => () => page.keyboard.press(key)),
    ];
    for (const open of dialogs) {
      await open();
      await dialog.waitFor();
      await opened.settled();
      await expectLargeTargets(desktop);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('F9');
    const pay = dialog.getByRole('button', { name: 'Take payment and hand over' });
    await expect.poll(() => pay.isEnabled()).toBe(true);
    await expectLargeTargets(phone, tablet, desktop);
    await pay.click();
    await page.getByRole('dialog', { name: /is sold$/ }).waitFor();
    await expectLargeTargets(desktop, phone);
    // The receipt is printed, emailed, texted, or not wanted.
    for (const way of ['Print', 'Email'])
      await dialog
        .getByRole('button', { name: way })
        .or(dialog.getByRole('link', { name: way }))
        .waitFor();
    await dialog.getByRole('link', { name: 'Text' }).waitFor();
    await press('No receipt, next sale');
    await dialog.waitFor({ state: 'detached' });
    // On a phone the register stays in the screen, and the sections are tabs below it.
    await page.setViewportSize(phone);
    const boxOf = async (place: Locator) => (await place.boundingBox())!;
    const pill = await boxOf(page.getByRole('button', { name: register.name, exact: true }));
    expect(pill.x + pill.width).toBeLessThanOrEqual(phone.width);
    const tabs = await boxOf(page.getByRole('navigation', { name: 'Sections' }));
    expect([tabs.x, tabs.width, tabs.y + tabs.height]).toEqual([0, phone.width, phone.height]);
    expect((await boxOf(page.getByRole('main'))).width).toBe(phone.width);
    // Keys are named where there is a keyboard.
    expect(await page.locator('main kbd').filter({ visible: true }).count()).toBe(0);
    const [kept] = (await owner.call('GET', '/staff/v1/packages')).data;
    await opened.visit(`/inventory/packages/${kept.id}`);
    const save = page.getByRole('button', { name: 'Save details' });
    await save.scrollIntoViewIfNeeded();
    const { x, width } = await boxOf(save);
    expect([x >= 0, x + width <= phone.width]).toEqual([true, true]);
  });

  test('many prices change from one moment to another, with each price before and after', async () => {
    const { owner } = shop();
    const opened = await shop().open('manager');
    const page = await opened.goto('/catalog');
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Sale prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sale prices' });
    await dialog.getByRole('textbox', { name: 'Name for customers' }).fill('Weekend of the proof');
    await dialog.getByRole('textbox', { name: 'Percent off' }).fill('10');
    await dialog.getByLabel('From').fill('2099-01-02T00:00');
    await dialog.getByLabel('Until').fill('2099-01-05T00:00');
    const prices = dialog.getByRole('table', { name: 'Prices before and after' });
    const [, before, after] = (await prices.getByRole('row').nth(1).getByRole('cell').allTextContents()).map(
      (text) => Number(text.replace(/[^\d]/g, '')),
    );
    expect(after).toBe(before! - Math.round(before! / 10));
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The sale prices are set. They begin and end by themselves.').waitFor();
    const { data } = await owner.call('GET', '/staff/v1/discounts');
    const made = data.find(({ name }: { name: string }) => name === 'Weekend of the proof');
    expect([made.trigger, made.targets.productIds.length]).toEqual(['automatic', 2]);
  });
}
