import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createStaff } from '../../src/access/staff/staff.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import { tenantSql } from '../../test/harness/tenant-sql.ts';
import { testOrigin } from '../../test/harness/test-shop.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

const password = 'quiet harbor lantern 41';
const phone = { width: 390, height: 844 };

async function newMember({ service, demo }: ProofShop, role: StaffRole) {
  const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
  const [id] = await createStaff(service.context, testOrigin, organizationId(demo.id), [
    { email, firstName: 'Ines', lastName: 'Marchetti', role, password },
  ]);
  return { id: id!, email };
}

const sql = ({ service, demo }: ProofShop, text: string, ...values: (string | number)[]) =>
  tenantSql(service.context.database, organizationId(demo.id), text, ...values);

async function giveCredentials(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Chromium's own authenticator in software, whose person is always there. */
async function giveAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/** Types the code of a secret as the page shows it, of the present step or a later one. */
function codeOf(secret: string, stepsAhead = 0): string {
  const of = new TOTP({ secret: Secret.fromBase32(secret) });
  return of.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

async function setUp(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Keep these recovery codes').waitFor();
  return secret;
}

/** Second factors, and what asks who is at the screen (D72). */
export function factorProofs(shop: () => ProofShop): void {
  test('a person sets up an app, and signs in with a code, on a phone', async () => {
    const { email } = await newMember(shop(), 'budtender');
    const console = await shop().open(null, { refusals: [401, 403, 422], viewport: phone });
    const page = await console.goto('/account');
    await giveCredentials(page, email);
    await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
    await page.getByRole('button', { name: 'Set up' }).click();
    const secret = await setUp(page);
    expect(await console.barriers()).toEqual([]);
    const codes = page.getByRole('dialog').getByRole('listitem');
    expect(await codes.count()).toBe(10);
    const recoveryCode = await codes.first().innerText();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await giveCredentials(page, email);
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This code is wrong').waitFor();
    expect(await console.barriers()).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await giveCredentials(page, email);
    await page.getByLabel('Code', { exact: true }).fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('9 recovery codes are left.').waitFor();
  });

  test('a person adds a passkey, signs in with it, and proves with it who is at the screen', async () => {
    const { id, email } = await newMember(shop(), 'owner');
    const console = await shop().open(null, { refusals: [401, 403], isLocalhost: true });
    const page = await console.goto('/account');
    await giveAuthenticator(page);
    await giveCredentials(page, email);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Not used yet').waitFor();
    expect(await console.barriers()).toEqual([]);
    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Last used').first().waitFor();
    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await giveCredentials(page, email);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    const remove = page.getByRole('button', { name: 'Remove the passkey Phone' });
    await remove.waitFor();
    await ageProof(shop(), page, id);
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Is it you?' })
      .getByRole('button', { name: 'Use a passkey' })
      .click();
    await page.getByText('The passkey is removed.').waitFor();
    expect(await console.barriers()).toEqual([]);
    expect(await sql(shop(), 'select 1 from staff_passkeys where staff_id = $1', id)).toEqual([]);
  });

  test('a person ends the session on another device', async () => {
    const { email } = await newMember(shop(), 'budtender');
    const console = await shop().open(null, { refusals: [401] });
    const page = await console.goto('/account');
    await giveCredentials(page, email);
    const body = { email, password };
    const headers = { 'user-agent': 'Kiosk 7' };
    const { data } = await shop().service.call('POST', '/staff/v1/sessions', { body, headers });
    // A reload would break off the sign-in that is under way.
    await page.getByText(', this one').waitFor();
    await page.reload();
    await page.getByText('Kiosk 7').waitFor();
    expect(await console.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Kiosk 7').waitFor({ state: 'detached' });
    const authorization = `Bearer ${data.token}`;
    const ended = await shop().service.call('GET', '/staff/v1/me', { headers: { authorization } });
    expect(ended.status).toBe(401);
  });

  test('an owner whose proof is old gives the password once, and the invitation is made once', async () => {
    const { id, email } = await newMember(shop(), 'owner');
    const console = await shop().open(null, { refusals: [400, 401, 403] });
    const page = await console.goto('/settings/staff');
    await giveCredentials(page, email);
    await page.getByRole('button', { name: 'Invite' }).waitFor();
    await ageProof(shop(), page, id);
    await page.getByRole('button', { name: 'Invite' }).click();
    const invited = `${randomBytes(5).toString('hex')}@shop.example.com`;
    await page.getByRole('dialog').getByLabel('Email').fill(invited);
    await page.getByLabel('First name').fill('Theo');
    await page.getByLabel('Last name').fill('Lindqvist');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Password').first().fill('not that one');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Must be the current password').waitFor();
    expect(await console.barriers()).toEqual([]);
    await dialog.getByLabel('Password').first().fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('It will not be shown again.').waitFor();
    const [made] = await sql(
      shop(),
      'select count(*)::integer as count from staff_members where email = $1',
      invited,
    );
    expect(made!.count).toBe(1);
    const [proof] = await sql(
      shop(),
      "select actor from audit_entries where action = 'staff.proved' and subject_id = $1",
      String(id),
    );
    expect(proof!.actor).toBe(`staff:${id}`);

    // A report asks first, and is then downloaded.
    await console.visit('/reports/taxes');
    await page.getByRole('button', { name: 'Download CSV' }).waitFor();
    await ageProof(shop(), page, id);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await dialog.getByLabel('Password').first().fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    expect((await download).suggestedFilename()).toMatch(/^taxes-[\d-]+\.csv$/);
  });

  test('who gives up at the question for the password has done nothing, and can try again', async () => {
    const { id, email } = await newMember(shop(), 'owner');
    const page = await (await shop().open(null, { refusals: [401, 403] })).goto('/settings/sign-in');
    await giveCredentials(page, email);
    const above = page.getByLabel('Ask again for refunds above');
    await above.waitFor();
    await ageProof(shop(), page, id);
    await above.fill('200');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was done: this needs your password.').waitFor();
    expect(
      await sql(
        shop(),
        'select refund_proof_cents from staff_sign_in_rules where refund_proof_cents = 20000',
      ),
    ).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByLabel('Password').first().fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The sign-in rules are saved.').waitFor();
    const [saved] = await sql(shop(), 'select refund_proof_cents as cents from staff_sign_in_rules');
    expect(saved!.cents).toBe(20_000);
    await sql(shop(), 'update staff_sign_in_rules set refund_proof_cents = null');
  });

  test('a role that needs a factor is led to set it up at the next request, and then goes on', async () => {
    const { email } = await newMember(shop(), 'inventory');
    const console = await shop().open(null, { refusals: [401, 403] });
    const page = await console.goto('/inventory');
    await giveCredentials(page, email);
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
    const rules = async (...secondFactorRoles: StaffRole[]) => {
      const reply = await shop().owner.call('PATCH', '/staff/v1/sign-in-rules', { secondFactorRoles });
      expect(reply.status).toBe(200);
    };
    await rules('inventory');
    try {
      const setUpPage = page.getByRole('heading', { name: 'Set up a second factor' });
      // The next request after the answer that this process remembers for less than a second.
      await expect
        .poll(async () => {
          await page.reload();
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          return setUpPage.count();
        })
        .toBe(1);
      await setUp(page);
      expect(await console.barriers()).toEqual([]);
      await page.getByRole('button', { name: 'I have saved them' }).click();
      await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
    } finally {
      await rules();
    }
  });
}

/** Makes the proof of a member's session eleven minutes old, and waits until the service has read that. */
async function ageProof(shop: ProofShop, page: Page, staffId: number): Promise<void> {
  const aged = "update staff_sessions set proven_at = now() - interval '11 minutes' where staff_id = $1";
  await sql(shop, aged, staffId);
  const path = '/staff/v1/audit-log/export?from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z';
  const status = () => page.evaluate<number>(`fetch('${path}').then(({ status }) => status)`);
  await expect.poll(status, { timeout: 10_000 }).toBe(403);
}
