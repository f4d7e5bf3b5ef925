import { expect, test } from 'vitest';
import { registeredStates } from '../../src/engines/jurisdictions/jurisdictions.ts';
import { intercept } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

interface Source {
  readonly citation: string;
  readonly confidence: string;
  readonly link: string;
  readonly pending: unknown;
  readonly sourceKind: string;
  readonly textOf: string | null;
}

/** The law in the console: sources and ages, what applies at an address, what is left, what patients owe. */
export function lawProofs(shop: () => ProofShop): void {
  const staffCall = (method: string, path: string, body?: unknown) => shop().owner.call(method, path, body);

  test('every fact of every state has a mark and its age, and its source is one click away', async () => {
    const laws = await Promise.all(
      registeredStates.map(async (state) => ({
        state,
        law: (await staffCall('GET', `/staff/v1/law?state=${state}`)).data,
      })),
    );
    const allOf = (list: string) => laws.flatMap(({ law }) => law[list]);
    const console = await shop().open('owner');
    // One page with the facts of all states.
    await intercept(console.page, '**/staff/v1/law', (route) =>
      route.fulfill({
        json: {
          data: {
            ...laws[0]!.law,
            minimumAges: allOf('minimumAges'),
            limits: laws.flatMap(({ state, law }) =>
              law.limits.map((it: { name: string }) => ({ ...it, name: `${state} ${it.name}` })),
            ),
            taxes: allOf('taxes'),
            rules: laws.flatMap(({ state, law }) =>
              law.rules.map((it: { words: string }) => ({ ...it, words: `${state} ${it.words}` })),
            ),
          },
        },
      }),
    );
    const page = await console.goto('/settings/state-law');
    const facts: { source: Source; equivalences?: { source: Source }[] }[] = [
      'minimumAges',
      'limits',
      'taxes',
      'rules',
    ]
      .flatMap(allOf)
      // Each equivalence of a limit has its own source, on a row of its own.
      .flatMap((fact) => [fact, ...(fact.equivalences ?? [])]);
    expect(facts.length).toBeGreaterThan(150);
    const shownFacts = page.locator('section:not([aria-label]) tbody tr');
    await expect.poll(() => shownFacts.count()).toBe(facts.length);
    const rows: { text: string; links: string[] }[] = await shownFacts.evaluateAll((all) =>
      (all as unknown as { textContent: string; querySelectorAll(it: string): { href: string }[] }[]).map(
        (row) => ({ text: row.textContent, links: [...row.querySelectorAll('a')].map(({ href }) => href) }),
      ),
    );
    for (const [index, { source }] of facts.entries()) {
      const { text, links } = rows[index]!;
      expect(links).toEqual([new URL(source.link).href]);
      const kind = source.sourceKind === 'primary' ? 'primary text' : 'secondary source';
      for (const words of [
        `${source.pending === null ? source.confidence : 'Changing'}${source.citation}`,
        'Read on Nov 2',
        source.textOf === null ? `${kind} without a date` : `${kind} of ${source.textOf}`,
      ]) {
        expect(text).toContain(words);
      }
    }
  });

  test('an owner answers for named buyers and sells shorter hours; a time that is none is said at its field', async () => {
    const console = await shop().open('owner', { refusals: [400] });
    const page = await console.goto('/settings/state-law');
    await page.getByRole('region', { name: 'Duties of a shop' }).getByText('Hours of sale: ').waitFor();
    await page.getByLabel('Opens at').fill('nine');
    await page.getByLabel('Closes at').fill('20:00');
    await page.getByLabel('Named buyers').fill('A log at the door holds walk-ins to the limit.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByLabel('Opens at').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Opens at').fill('09:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('How the shop meets its duties is saved.').waitFor();
    const { data } = await staffCall('GET', '/staff/v1/duties');
    expect(data).toMatchObject({
      saleHours: { from: '09:00', to: '20:00' },
      overrides: [{ duty: 'buyer', reason: 'A log at the door holds walk-ins to the limit.' }],
    });
    await staffCall('PUT', '/staff/v1/duties', { saleHours: null, overrides: [] });
  });

  test('a patient gets a number that finds them, and a caregiver who buys for them', async () => {
    const person = async (lastName: string, more: object = {}) =>
      (await staffCall('POST', '/staff/v1/customers', { firstName: 'Isolde', lastName, ...more })).data.id;
    const patientId = await person('Patientia', { medicalExpiration: '2090-01-01' });
    const caregiverId = await person('Caretaker', { birthday: '1980-01-01' });
    const opened = await shop().open('owner');
    const page = await opened.goto(`/customers/${patientId}`);
    await page.getByLabel('Patient number', { exact: true }).fill('CA-77-1234X');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('On file, ending in 234X').waitFor();
    await opened.visit('/customers?search=ca771234x');
    await page.getByText('Isolde Patientia').first().waitFor();
    await opened.visit(`/customers/${caregiverId}`);
    await page.getByRole('combobox', { name: 'Patient' }).fill('Patientia');
    await page.getByRole('option', { name: /Isolde Patientia/ }).click();
    await page.getByRole('button', { name: 'Add Isolde Patientia' }).click();
    await page.getByText('The patients are saved.').waitFor();
    await opened.visit(`/point-of-sale?customer=${caregiverId}`);
    await page.getByLabel('Buys for').first().click();
    await page.getByRole('option', { name: 'Isolde Patientia' }).click();
    const sent = page.waitForRequest(
      (request) => request.url().includes('/orders/pricing') && /boughtById/.test(request.postData() ?? ''),
    );
    await page.getByRole('combobox', { name: /scan a UPC/ }).fill('socks');
    await page.getByRole('option', { name: /socks/i }).first().click();
    expect((await sent).postDataJSON()).toMatchObject({ customerId: patientId, boughtById: caregiverId });
  });

  test('what people do for the law is missing until they say so, and who said so stands there', async () => {
    const page = await (await shop().open('owner')).goto('/settings/readiness');
    const row = page.getByRole('row').filter({ hasText: /^Receipts/ });
    await row.getByText('Missing', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Mark as done: Receipts' }).click();
    await page.getByText('This is recorded as done.').waitFor();
    await row.getByText('By hand', { exact: true }).waitFor();
    await page.getByText(/^Reporting to Metrc is not set up|^Sales are reported to Metrc/).waitFor();
  });

  test('the taxes and limits of a city show for its addresses, with their source', async () => {
    const locality = { name: 'Truckee', kind: 'city', postalCodes: ['96161'], shopIsHere: false };
    const ownSource = {
      citation: 'Truckee M.C. 3.24',
      link: 'https://truckee.example.com/code/3.24',
      readOn: '2026-11-20',
      note: null,
    };
    const { data: tax } = await staffCall('POST', '/staff/v1/taxes', {
      ...{ description: 'Truckee tax', rate: '4', locality, ownSource },
    });
    const { data: limit } = await staffCall('POST', '/staff/v1/purchase-limit-rules', {
      ...{ name: 'Truckee limit', customerType: 'all', cannabisType: 'edibles', limit: '500', unit: 'mg' },
      ...{ window: 'transaction', locality, ownSource },
    });
    const page = await (await shop().open('manager')).goto('/settings/what-applies');
    const show = async (address: string) => {
      await page.getByLabel('Address or ZIP code of a delivery').fill(address);
      await page.getByRole('button', { name: 'Show rules' }).click();
    };
    await show('12 Donner Pass Road, Truckee, CA 96161');
    await page.getByText('A delivery to 96161').waitFor();
    for (const name of ['Truckee tax, 4%', 'Truckee limit: 500 mg']) {
      const item = page.getByRole('listitem').filter({ hasText: name });
      expect(await item.getByRole('link').getAttribute('href')).toBe(ownSource.link);
    }
    await show('94607');
    await page.getByText('A delivery to 94607').waitFor();
    await expect.poll(() => page.getByText(/Truckee (tax|limit)/).count()).toBe(0);
    await staffCall('DELETE', `/staff/v1/taxes/${tax.id}`);
    await staffCall('DELETE', `/staff/v1/purchase-limit-rules/${limit.id}`);
  });

  test('on a phone the counter shows what is left, why, and the law', async () => {
    const viewport = { width: 390, height: 844 };
    const console = await shop().open('budtender', { viewport });
    const page = await console.goto('/point-of-sale/limits');
    await page.getByRole('textbox', { name: 'Flower' }).fill('1/8 oz');
    await page.getByRole('button', { name: 'Show remaining limits' }).click();
    const flower = page.getByRole('region', { name: 'Flower' });
    await flower.getByRole('row', { name: 'Left 24.956309 g' }).waitFor();
    await flower.getByText('28.5 g per day of flower').waitFor();
    expect(await flower.getByRole('link', { name: '4 CCR 15409(a)(1)' }).getAttribute('href')).toMatch(
      /^https:/,
    );
    const verdict = page.getByText('Within the known limits');
    await expect.poll(async () => (await verdict.boundingBox())!.y).toBeLessThan(viewport.height / 2);
    await page.getByRole('textbox', { name: 'Flower' }).fill('2 oz');
    await page.getByRole('button', { name: 'Show remaining limits' }).click();
    await page.getByText('Over a limit: do not sell').waitFor();
    expect(await console.barriers()).toEqual([]);
  });

  test('the owner decides with one click and a reason whether patients owe a tax', async () => {
    const page = (await shop().open('owner')).page;
    const text = 'The sources disagree on whether medical cannabis bears the sales tax.';
    const patients = { rule: 'not-known', text, decision: null };
    await intercept(page, '**/staff/v1/taxes', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const undecided = data.map((tax: object, index: number) => (index === 0 ? { ...tax, patients } : tax));
      await route.fulfill({ response, json: { ...rest, data: undecided } });
    });
    await page.goto(`${shop().baseUrl}/console/settings/taxes`);
    await page.getByText('Not charged to patients until the owner decides').waitFor();
    await page.getByRole('button', { name: /^Decide whether patients owe/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Do patients owe/ });
    await dialog.getByText(text).waitFor();
    await dialog.getByLabel('Owe the tax', { exact: true }).check();
    await dialog.getByLabel('Reason').fill('The department told our accountant so.');
    await intercept(page, '**/patients', (route) => route.fulfill({ json: { data: {} } }));
    const sent = page.waitForRequest('**/patients');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    expect((await sent).postDataJSON()).toEqual({
      owe: true,
      note: 'The department told our accountant so.',
    });
    await page.getByText('Patients are charged this tax from now on.').waitFor();
    // The list is read again after the decision: the next proof must not meet its faked answer.
    await page.unrouteAll({ behavior: 'wait' });
  });
}
