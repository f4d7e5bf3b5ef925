import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { sessionCookie } from '../../src/platform/http/session-cookie.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const question = 'Leave without saving?';

/** Interruptions: a click elsewhere, another tab, a colleague. No input is lost, and each person works under their own name. */
export function interruptionProofs(shop: () => ProofShop): void {
  const staffCall = (method: string, path: string, body?: unknown) => shop().owner.call(method, path, body);
  const newCustomer = async (lastName: string, birthday = '1980-05-05') =>
    (
      await staffCall('POST', '/staff/v1/customers', {
        firstName: 'Ines',
        lastName,
        birthday,
      })
    ).data as { id: number };

  test('an edited profile survives its other tabs, and leaving asks', async () => {
    const { id } = await newCustomer('Halloran');
    const console = await shop().open('manager');
    const page = await console.goto(`/customers/${id}`);
    const name = page.getByLabel('First name');
    await name.fill('Inez');
    await page.getByRole('tab', { name: 'Orders' }).click();
    await page.getByRole('tab', { name: 'Profile' }).click();
    await expect.poll(() => name.inputValue()).toBe('Inez');
    await goTo(page, 'Queue');
    const dialog = page.getByRole('dialog', { name: question });
    await dialog.waitFor();
    expect(await console.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay on this page' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => name.inputValue()).toBe('Inez');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('The profile is saved.').waitFor();
    await goTo(page, 'Queue');
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
  });

  test('leaving an untouched form does not ask', async () => {
    const { id } = await newCustomer('Quiet');
    const page = await (await shop().open('manager')).goto(`/customers/${id}`);
    await page.getByLabel('First name').click();
    await goTo(page, 'Queue');
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
  });

  test('a cart survives another screen without asking, and clearing it asks', async () => {
    const page = await (await shop().open('budtender')).goto('/point-of-sale');
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await goTo(page, 'Queue');
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
    await goTo(page, 'Point of sale');
    await page.getByRole('button', { name: 'Start over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start over?' });
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Items in the cart' }).getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Start over' }).click();
    await dialog.getByRole('button', { name: 'Start over' }).click();
    await page.getByText('Scan a UPC or search').waitFor();
  });

  test('signing out, or in as another person, applies to every tab', async () => {
    const { email, password } = shop().demo.staff;
    const one = await (await shop().open('budtender', { refusals: [401] })).goto('/queue');
    const other = await one.context().newPage();
    await other.goto(`${shop().baseUrl}/console/queue`);
    await other.getByRole('button', { name: /your menu$/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password').first().fill(password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    const menu = one.getByRole('button', { name: /your menu$/ });
    await menu.click();
    await one.getByText(email).waitFor();
    await other.close();
  });

  test('a window that becomes visible shows the current person and drops the previous input', async () => {
    const { id } = await newCustomer('Front');
    const page = await (await shop().open('manager')).goto(`/customers/${id}`);
    await page.getByLabel('First name').fill('Not saved');
    const { service, demo, baseUrl } = shop();
    const successor = await service.staff({ organizationId: organizationId(demo.id) }, 'budtender');
    await page.context().addCookies([{ name: sessionCookie, value: successor.token, url: baseUrl }]);
    const loaded = page.waitForEvent('load');
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await loaded;
    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByText(successor.email).waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ines');
  });

  test('an email of another customer links to that customer', async () => {
    const email = 'holder@customers.example.com';
    const { id } = await newCustomer('Holder');
    await staffCall('PATCH', `/staff/v1/customers/${id}`, { email });
    const page = await (await shop().open('manager', { refusals: [400] })).goto('/customers');
    await page.getByRole('button', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Ada');
    await dialog.getByLabel('Last name').fill('Other');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    const link = dialog.getByRole('link', { name: 'View that customer' });
    const [found] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await found.getByText('Ines Holder').waitFor();
    await found.close();
  });

  test('the cart shows the current customer data, and a merged customer leaves the cart', async () => {
    const { id } = await newCustomer('Young', '2010-05-05');
    const page = await (await shop().open('budtender', { refusals: [404] })).goto(
      `/point-of-sale?customer=${id}`,
    );
    const cart = page.getByRole('region', { name: 'Cart' });
    await cart.getByText('born May 5, 2010').waitFor();
    await staffCall('PATCH', `/staff/v1/customers/${id}`, { birthday: '1990-05-05' });
    await cart.getByText('born May 5, 1990').waitFor();
    const { id: survivorId } = await newCustomer('Older');
    await staffCall('POST', `/staff/v1/customers/${id}/merge`, { intoCustomerId: survivorId });
    await page.getByText('Ines Young no longer exists').waitFor();
    await cart.getByText('Walk-in').waitFor();
  });

  test('a served customer leaves the queue with the sale', async () => {
    const { id } = await newCustomer('Served');
    const { data: entry } = await staffCall('POST', '/staff/v1/instore-queues/intake', { customerId: id });
    await staffCall('POST', `/staff/v1/instore-queues/${entry.entryId}/admit`);
    const page = await (await shop().open('budtender')).goto('/queue');
    await page.getByRole('link', { name: 'Serve Ines Served' }).click();
    await page.getByRole('region', { name: 'Cart' }).getByText('Ines Served').waitFor();
    await page.getByRole('combobox', { name: /scan a UPC/ }).fill('socks');
    // The list before the search also has options.
    await page.getByRole('option', { name: /socks/i }).first().click();
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await page.getByRole('button', { name: 'Take payment and hand over' }).click();
    await page.getByLabel('Remove Ines Served from the queue (served)').waitFor();
    await page.getByRole('button', { name: 'Next sale' }).click();
    await page.getByText('Ines Served left the queue.').waitFor();
    const { data } = await staffCall('GET', '/staff/v1/instore-queues');
    expect(data.pos.map((it: { id: number }) => it.id)).not.toContain(id);
  });

  test('on a phone the cart is below the search, with the pay button fully visible', async () => {
    const viewport = { width: 390, height: 844 };
    const page = await (await shop().open('budtender', { viewport })).goto('/point-of-sale');
    // Where there is no mouse, or little room, the items are cards.
    const items = page.getByRole('list', { name: 'Products on the menu' });
    await items.getByRole('button').first().click();
    const pay = page.getByRole('button', { name: /^Pay \$/ });
    await pay.waitFor();
    const cut = await pay.locator('span').last().evaluate(isCut);
    expect(cut).toBe(false);
    const box = (await pay.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
    const list = (await items.boundingBox())!;
    const cart = (await page.getByRole('region', { name: 'Cart' }).boundingBox())!;
    expect(cart.y).toBeGreaterThanOrEqual(list.y + list.height);
    expect(cart.width).toBeGreaterThan(280);
    expect(await page.locator('header').first().evaluate(isCut)).toBe(false);
  });
}

const goTo = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();

/** Runs in the page: whether the content overflows. */
const isCut = (element: unknown): boolean => {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth > clientWidth;
};
