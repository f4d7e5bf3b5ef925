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

test('a sign after a backslash is text, and an address may have brackets of its own', () => {
  const text = (source: string) =>
    inlinesOf(source)
      .map((inline) => inline.text)
      .join('');
  expect(text(String.raw`5 \* 3 \[x\]`)).toBe('5 * 3 [x]');
  expect(inlinesOf('[fog](https://x.test/fog_(weed))')).toEqual([
    { kind: 'link', text: 'fog', address: 'https://x.test/fog_(weed)' },
  ]);
});

test.each([
  ...[
    '[',
    '[a](',
    '[a](x',
    '](',
    '(',
    '*',
    '**',
    '**a ',
    '_',
    '__',
    '_a ',
    '`',
    '``',
    '\\',
    '# ',
    '#',
    '- a\n',
    '1. ',
  ],
  ...['\n', '\n \n', ' ', '\u2028', '# a  ', '# #', '> ', '[a](https://x.test) '],
])('a description four times as long as any, full of %j, is shown at once', (unit) => {
  for (const begin of ['', '# a', '- ', '[']) {
    const source = begin + unit.repeat(80_000 / unit.length);
    const startedMs = performance.now();
    for (const block of blocksOf(source)) {
      for (const text of block.kind === 'list' ? block.items : [block.text]) inlinesOf(text);
    }
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  }
});
