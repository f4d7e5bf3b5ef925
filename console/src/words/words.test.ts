import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { rich } from './rich.ts';
import { plural, speak, t, wantedLanguage } from './words.ts';

afterEach(() => speak('en', {}));

const orders = (count: number) => plural(count, { one: t`${count} order`, other: t`${count} orders` });

test('without a catalog a text is as it is written', () => {
  expect(t`Create order`).toBe('Create order');
  expect(t`${3} of ${'a $& b'}, {name}`).toBe('3 of a $& b, {name}');
  expect([0, 1, 2].map(orders)).toEqual(['0 orders', '1 order', '2 orders']);
  expect([t`Open`, t`Open¦state`]).toEqual(['Open', 'Open']);
});

test('a catalog has its own order of the places, and a word of two meanings twice', () => {
  speak('es', {
    '{0} of {1}': 'De {1}, {0}',
    '{0} order': '{0} pedido',
    '{0} orders': '{0} pedidos',
    Open: 'Abrir',
    'Open¦state': 'Abierta',
  });
  expect(t`${2} of ${5}`).toBe('De 5, 2');
  expect([1, 2, 1_000_000].map(orders)).toEqual(['1 pedido', '2 pedidos', '1000000 pedidos']);
  expect([t`Open`, t`Open¦state`, t`Closed`]).toEqual(['Abrir', 'Abierta', 'Closed']);
});

test('elements take their places in a text', () => {
  const at = createElement('time', null, '9:00');
  const shown = () => renderToStaticMarkup(rich`Opened ${at} by ${'Ann'}${null}.`);
  expect(shown()).toBe('Opened <time>9:00</time> by Ann.');
  speak('es', { 'Opened {0} by {1}{2}.': '{1} la abrió: {0}{2}.' });
  expect(shown()).toBe('Ann la abrió: <time>9:00</time>.');
});

test.each([
  ['es', ['en-US'], 'es'],
  ['en', ['es-MX'], 'en'],
  [null, ['fr-FR', 'es-MX', 'en'], 'es'],
  [null, ['en-GB', 'es'], 'en'],
  [null, ['fr'], 'en'],
  ['toString', [], 'en'],
] as const)('stored %s, browser %j: %s', (stored, browsers, wanted) => {
  expect(wantedLanguage(stored, browsers)).toBe(wanted);
});
