import { expect, test } from 'vitest';
import { blocksOf, inlinesOf } from './markdown-blocks.ts';

test('a description is split into headings, lists and paragraphs', () => {
  expect(blocksOf('# Bright\nGreen apple\nand mint.\n\n- crisp\n- cool\n\n1. open\n2. breathe')).toEqual([
    { kind: 'heading', text: 'Bright' },
    { kind: 'paragraph', text: 'Green apple and mint.' },
    { kind: 'list', isOrdered: false, items: ['crisp', 'cool'] },
    { kind: 'list', isOrdered: true, items: ['open', 'breathe'] },
  ]);
  expect(blocksOf(' \n\n ')).toEqual([]);
});

test('links lead to the web only, and HTML is shown as text', () => {
  expect(inlinesOf('**Loud** and *soft*, see [more](https://grower.example.com/a)')).toEqual([
    { kind: 'strong', text: 'Loud' },
    { kind: 'text', text: ' and ' },
    { kind: 'emphasis', text: 'soft' },
    { kind: 'text', text: ', see ' },
    { kind: 'link', text: 'more', address: 'https://grower.example.com/a' },
  ]);
  for (const text of ['[x](javascript:alert(1))', '<img src=x onerror=alert(1)>', '[x](data:text/html,1)']) {
    expect(inlinesOf(text).every(({ kind }) => kind === 'text')).toBe(true);
  }
});
