import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines, type SourceFile, textOf, wholeText } from './file-text.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16, little end first': (text: string) => utf16(`\ufeff${text}`),
  'UTF-16, big end first': (text: string) => utf16(`\ufeff${text}`).swap16(),
};

/** A file that comes in pieces of these lengths; the last piece has the rest. */
function fileOf(bytes: Buffer, lengths: readonly number[] = []): SourceFile {
  return {
    name: 'people.csv',
    bytes: async function* () {
      let at = 0;
      for (const length of lengths) {
        yield bytes.subarray(at, at + length);
        at = Math.min(at + length, bytes.length);
      }
      yield bytes.subarray(at);
    },
  };
}

async function linesOf(file: SourceFile) {
  const found = [];
  for await (const lines of readLines(file)) found.push(...lines);
  return found;
}

/** Characters of one to four bytes, and all kinds of line breaks. */
const anyText = fc
  .array(fc.constantFrom('a', ',', 'é', '林', '𝒢', '\ufeff', '\u2028', '\n', '\r', '\r\n'), { maxLength: 30 })
  // A byte order mark at the start is not part of the text.
  .map((signs) => `x${signs.join('')}`);
const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 });

test.each(Object.entries(encodings))(
  '%s is read correctly, wherever its pieces end',
  async (_name, encode) => {
    await fc.assert(
      fc.asyncProperty(anyText, cuts, async (text, lengths) => {
        const bytes = encode(text);
        const lines = await linesOf(fileOf(bytes, lengths));
        const expected = text.split(/\r\n|\n|\r/);
        if (expected.at(-1) === '') expected.pop();
        expect(lines.map((line) => line.text)).toEqual(expected);
        expect(lines.map(({ flaw }) => flaw)).toEqual(expected.map(() => null));
        expect(textOf('people.csv', bytes)).toBe(text);
      }),
    );
  },
);

test.each([
  ['little', (text: string) => utf16(text)],
  ['big', (text: string) => utf16(text).swap16()],
])('UTF-16 without a mark is recognized, %s end first', async (_, encode) => {
  const lines = ['name\tprice', 'Núñez 林\t12'];
  expect((await linesOf(fileOf(encode(lines.join('\r\n')), [3, 70]))).map(({ text }) => text)).toEqual(lines);
});

test('Windows-1252 is read and told by line, in any mixture with UTF-8', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Ana,Núñez\n'),
    Buffer.from('José – “Œuf” 5 €\r\n', 'latin1').fill(0x96, 5, 6),
    Buffer.from([0x93, 0xc9, 0x94, 0x80, 0x0d]),
    Buffer.from('plain\n'),
  ]);
  const lines = await linesOf(fileOf(bytes, [1, 8, 20]));
  expect(lines.map(({ flaw }) => flaw)).toEqual([null, 'windows-1252', 'windows-1252', null]);
  expect(lines[2]!.text).toBe('“É”€');
  const all = Buffer.from([0x80, 0x82, 0x8e, 0x91, 0x92, 0x96, 0x99, 0x9c, 0x9e, 0x9f, 0xa0, 0xff]);
  expect((await linesOf(fileOf(all)))[0]!.text).toBe('€‚Ž‘’–™œžŸ\u00a0ÿ');
});

test('a line that is damaged is told, and no other line', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Ana,林\n'),
    Buffer.concat([Buffer.from('Cañ'), Buffer.from([0xff]), Buffer.from('on\n')]),
    Buffer.from([0x81, 0x0a]),
    Buffer.from('Bo\n'),
    Buffer.from('Cañ').subarray(0, -1),
  ]);
  const flaws = (await linesOf(fileOf(bytes))).map(({ flaw }) => flaw);
  expect(flaws).toEqual([null, 'unreadable', 'unreadable', null, 'unreadable']);
  const halves = utf16(`\ufeffAna\nBo\ud83c\nJo`);
  expect((await linesOf(fileOf(halves))).map(({ flaw }) => flaw)).toEqual([null, 'unreadable', null]);
  await expect(wholeText(fileOf(bytes))).rejects.toThrow('people.csv, line 2: must be UTF-8');
});

test.each([
  ['UTF-8', Buffer.concat([Buffer.from('é\r\nn'), Buffer.from([0xe9])]), 2],
  ['UTF-8', Buffer.from('\n林').subarray(0, -1), 2],
  ['UTF-16', utf16('\ufeffa\n\udc00'), 2],
  ['UTF-16', utf16('\ufeffa\nb').subarray(0, -1), 2],
])('a mapping that is not %s is refused with its line', (name, bytes, line) => {
  expect(() => textOf('mapping.json', bytes)).toThrow(
    `mapping.json, line ${line}: this is not ${name}. Save the file as UTF-8 and try again.`,
  );
});

test('an empty file has no lines', async () => {
  for (const encode of Object.values(encodings)) {
    expect(await linesOf(fileOf(encode('')))).toEqual([]);
    expect(textOf('people.csv', encode(''))).toBe('');
  }
});
