import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { organizationId } from '../../src/kernel/ids.ts';
import { type Received, Receiver, testWorker } from '../../src/shop/webhooks/webhooks.test-support.ts';
import { openWebhook } from './opened-webhook.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Webhook endpoints of integrators, as an owner manages them. */
export function webhookProofs(shop: () => ProofShop): void {
  test('an endpoint is made for an integrator with its secret shown once, tested, and its answer is seen', async () => {
    const receiver = await Receiver.start();
    receiver.answer = (_, response) => void response.writeHead(200).end('thank you');
    const organization = organizationId(shop().demo.id);
    try {
      const page = await (await shop().open('owner')).goto('/integrations/webhooks');
      await page.getByRole('button', { name: 'New endpoint' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Integrator and key' }).click();
      await page.getByRole('option').first().click();
      await dialog.getByLabel('Address').fill(receiver.url);
      await dialog.getByRole('combobox', { name: 'Events' }).fill('order.placed');
      await page.getByRole('option', { name: 'order.placed' }).click();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Create endpoint' }).click();
      const secret = await page.getByLabel('Signing secret').inputValue();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText(receiver.url.replace('http://', ''), { exact: true }).click();
      await opened(page, receiver.url);
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Send test event' }).click();
      await page.getByText('A test event is on its way.').waitFor();
      await testWorker(shop().service).pass(organization);
      const [{ text, headers }] = receiver.received as [Received];
      expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: 'webhook_endpoint.test' });
      await page.locator('tr', { hasText: 'webhook_endpoint.test' }).filter({ hasText: 'Delivered' }).click();
      await page.getByRole('dialog').getByText('thank you').waitFor();
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('It will be sent again.').waitFor();
      await testWorker(shop().service).pass(organization);
      expect(receiver.received).toHaveLength(2);
    } finally {
      await receiver.close();
    }
  });

  test('an endpoint that is switched off is told of at once, on any page, and is enabled again', async () => {
    const receiver = await Receiver.start();
    receiver.answer = (_, response) => void response.writeHead(410).end();
    const { id, url } = await openWebhook(shop(), receiver.url);
    const { owner, service } = shop();
    try {
      const console = await shop().open('owner');
      const stream = console.page.waitForResponse((response) => response.url().endsWith('/staff/v1/live'));
      const page = await console.goto('/orders');
      await stream;
      await testWorker(service).pass(organizationId(shop().demo.id));
      await page.getByText('A webhook endpoint was switched off').waitFor();
      await page.getByRole('link', { name: 'Integrations, needs attention' }).click();
      await page.getByText('It answered 410').waitFor();
      await page.getByRole('link', { name: url.replace('http://', '') }).click();
      await opened(page, url);
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Enable' }).click();
      await page.getByText('Events are sent to it.').waitFor();
      await page.getByRole('link', { name: 'Integrations', exact: true }).waitFor();
      const { data } = await owner.call('GET', '/staff/v1/webhook-endpoints');
      const now = data.find((it: { id: number }) => it.id === id);
      expect(now).toMatchObject({ enabled: true, switchedOffAt: null, switchedOffReason: null });
    } finally {
      await receiver.close();
    }
  });
}

/** Waits for the screen of an endpoint: each row of the list has a menu of the same name. */
async function opened(page: Page, url: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: url.replace('http://', '') }).waitFor();
}
