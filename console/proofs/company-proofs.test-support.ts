import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { providerClient, startProvider } from '../../src/access/sign-in/identity-provider.test-support.ts';
import { redirectPath } from '../../src/access/sign-in/identity-sign-in.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { testOrigin } from '../../test/harness/test-shop.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** The address of the service's own pages, as the tests' services know it: the browser is led to the real one. */
const ownPages = 'http://shop.example.com';

/** Signing in with the company's account, at a provider of npm (D72). */
export function companyProofs(shop: () => ProofShop): void {
  test('an owner sets the provider, a colleague signs in there from the link, and is refused as someone else', async () => {
    const { service, demo, baseUrl, owner } = shop();
    const provider = await startProvider(ownPages + redirectPath);
    try {
      const office = await shop().open('owner');
      const page = await office.goto('/settings/sign-in');
      const card = page.getByRole('region', { name: 'Company accounts' });
      await card.getByLabel('Issuer').fill(provider.issuer);
      await card.getByLabel('Client ID').fill(providerClient.client_id);
      await card.getByLabel('Client secret').first().fill(providerClient.client_secret);
      await card.getByLabel('Email domains').first().fill('shop.example.com');
      await page.keyboard.press('Enter');
      await card.getByRole('button', { name: 'Turn on company accounts' }).click();
      await page.getByText('Staff can sign in with their company accounts.').waitFor();
      await card.getByText(`?organization=${demo.id}`).waitFor();
      expect(await office.barriers()).toEqual([]);

      const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
      await createStaff(service.context, testOrigin, organizationId(demo.id), [
        { email, firstName: 'Ines', lastName: 'Marchetti', role: 'manager', password: null },
      ]);
      provider.person = { sub: email, email, email_verified: true };
      const options = { refusals: [401, 403], alsoAsks: [provider.issuer, ownPages] };
      const desk = await shop().open(null, options);
      const own = desk.page;
      // A route is not asked where the browser is redirected to: the provider's answers are followed here up to the own pages.
      await own.route(`${provider.issuer}/**`, async (route) => {
        let location = route.request().url();
        while (location.startsWith(provider.issuer)) {
          const answer = await own.request.get(location, { maxRedirects: 0 });
          location = new URL(answer.headers().location!, location).href;
        }
        return route.fulfill({ status: 302, headers: { location: location.replace(ownPages, baseUrl) } });
      });
      await own.goto(`${baseUrl}/console/?organization=${demo.id}`);
      await own.getByRole('button', { name: "Sign in with your company's account" }).click();
      await own.getByRole('button', { name: /your menu$/ }).click();
      await own.getByText('Ines Marchetti').first().waitFor();
      await own.getByRole('menuitem', { name: 'Sign out' }).click();
      // The browser knows the organization now; someone else of the same provider is no member.
      provider.person = { sub: 'stranger', email: 'stranger@shop.example.com', email_verified: true };
      await own.context().clearCookies();
      await own.getByRole('button', { name: "Sign in with your company's account" }).click();
      await own.getByRole('alert').getByText('Not signed in').waitFor();
      expect(await desk.barriers()).toEqual([]);
      await own.getByRole('link', { name: 'Back to sign-in' }).click();
      await own.getByRole('button', { name: "Sign in with your company's account" }).waitFor();
    } finally {
      await owner.call('DELETE', '/staff/v1/identity-provider');
      provider.close();
    }
  });
}
