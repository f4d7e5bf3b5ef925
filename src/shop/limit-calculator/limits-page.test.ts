import { afterAll, expect, test } from 'vitest';
import { docsPlaces } from '../../app/public-pages.ts';
import { shippedLaw } from '../../engines/jurisdictions/law-book.ts';
import { ask, createToyServer } from '../../platform/http/toy-server.test-support.ts';
import { limitsPages } from './limits-page.ts';

const colorado = shippedLaw.find('CO')!;
const hostile = {
  ...colorado,
  state: 'XX',
  name: '<script>alert(1)</script>',
  purchaseLimits: colorado.purchaseLimits.map((rule) => ({
    ...rule,
    citation: '"><img src=x>',
    link: 'javascript:alert(1)',
    readOn: '2024-01-01',
    pending: 'A bill & more',
  })),
};
const server = createToyServer({
  publicPages: limitsPages({
    places: docsPlaces,
    known: () => [colorado, hostile, shippedLaw.find('AK')!],
    today: () => '2026-11-23',
  }),
});
afterAll(() => server.close());

const page = (query: string) => ask(server, { url: `/docs/limits${query}` });

test('the page shows what is left, why, and the law, without any script', async () => {
  const { status, text, headers } = await page(
    '?state=CO&customer=adult-use&non-concentrated=1/8+oz&before-edibles=400+mg',
  );
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  for (const words of [
    'Within the limits that are known here.',
    '<strong>0.375 oz</strong>',
    '3.543691 g of flower counts as 0.125 oz',
    '400 mg of edibles, bought before, counts as 0.5 oz',
    'enough for 10.63 g of flower, or 3000 mg of concentrate, or 300 mg of edibles',
    'HB21-1317',
    // The equivalence has a source of its own.
    'Concentrate (8 g as 1 oz):</p><a href="https://mycomplia.com/2016/09/20/new-one-ounce-equivalency-rules/"',
    'The oldest fact about the law of Colorado was read on',
    'Not legal advice.',
  ]) {
    expect(text).toContain(words);
  }
  const thc = await page('?state=AK&customer=adult-use&non-concentrated=3.5+g+with+20+%25+THC');
  expect(thc.text).toContain('700 mg of THC in flower counts in full');
  const unsaid = await page('?state=AK&customer=adult-use&non-concentrated=3.5+g');
  expect(unsaid.text).toContain('A limit counts the THC of flower: type it as well');
  const over = await page('?state=CO&customer=adult-use&non-concentrated=2+oz');
  expect([over.status, over.text.includes('Over a limit: this cannot be sold.')]).toEqual([200, true]);
});

test('unreadable input is reported next to its field, with status 400', async () => {
  const { status, text, headers } = await page(
    '?state=ZZ&customer=x&day=2026-02-30&edibles="><b>&day=2026-01-01',
  );
  expect([status, headers['cache-control']]).toEqual([400, 'no-store']);
  for (const field of ['state', 'customer', 'day', 'edibles']) {
    expect(text).toMatch(new RegExp(`aria-invalid="true" aria-describedby="${field}-problem"`));
    expect(text).toContain(`id="${field}-problem"`);
  }
  expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(text).not.toContain('<b>');
});

test('texts of the facts are escaped, and only web addresses become links', async () => {
  const { text } = await page('?state=XX&non-concentrated=1+g');
  expect(text).not.toMatch(/<script|<img|href="javascript/);
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain('About to change: A bill &amp; more');
  expect(text).toContain('Read more than a year ago');
});

test('a state without limits for a customer says so, and an empty form shows no result', async () => {
  const empty = await page('');
  expect([empty.status, empty.text.includes('What is left')]).toEqual([200, false]);
  const none = await page('?state=CO&customer=medical&day=2019-05-05');
  expect(none.text).toContain('No purchase limit of Colorado is known here for this customer on 2019-05-05.');
});

test('any query gets a response', async () => {
  for (const query of [
    '?%zz',
    '?state',
    `?edibles=${'9'.repeat(5000)}`,
    '?state=CO&edibles=1/0 mg',
    '?&&==',
    '?a=1?b',
  ]) {
    expect([200, 400]).toContain((await page(query)).status);
  }
  expect((await ask(server, { method: 'POST', url: '/docs/limits' })).code).toBe('ROUTE_NOT_FOUND');
});

test('the stylesheet is a separate file', async () => {
  const { status, headers } = await ask(server, { url: '/docs/limits.css' });
  expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
});
