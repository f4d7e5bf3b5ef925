import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines, type SourceFile, textOf, wholeText } from './file-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

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
    size: async () => bytes.length,
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

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const noise = (begin: Buffer) =>
  Buffer.concat([begin, Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 151 + 7) % 256))]);

test.each([
  [
    'a picture (PNG), cut off',
    bytesOf('89504e470d0a1a0a 0000000d49484452 0000000100000001 0802000000'),
    'no text',
  ],
  ['a picture (JPEG)', noise(bytesOf('ffd8ffe0 00104a46494600010100')), 'no text'],
  ['a picture (GIF)', noise(Buffer.from('GIF89a')), 'no text'],
  ['a program', bytesOf('7f454c46 0201010000000000 0000000000'), 'no text'],
  ['an archive (gzip)', noise(bytesOf('1f8b0800 00000000 0003')), 'no text'],
  [
    'text in UTF-32',
    Buffer.from(Array.from('name,price\nA,1\n', (sign) => [sign.charCodeAt(0), 0, 0, 0]).flat()),
    'no text',
  ],
  [
    'a workbook',
    Buffer.from('PK\u0003\u0004 xl/workbook.xml'),
    'a workbook of a spreadsheet. Save its sheet as CSV.',
  ],
  ['a former workbook', noise(bytesOf('d0cf11e0 a1b11ae1')), 'a workbook of a spreadsheet'],
  [
    'a document (PDF)',
    Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n'),
    'a document. Save the list in it as CSV.',
  ],
  ['a document (RTF)', Buffer.from('{\\rtf1\\ansi\nname,price\n}'), 'a document'],
  ['a page', Buffer.from('\n <!DOCTYPE html>\n<table>\n<tr><td>A, B</td></tr>\n'), 'a web page'],
  ['a page in UTF-16', utf16('\ufeff<table>\n<tr><td>A, B</td></tr>\n'), 'a web page'],
  ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">\n</svg>\n'), 'a drawing'],
])('%s is no list, and is refused in words, wherever its pieces end', async (_name, bytes, words) => {
  for (const lengths of [[], [1, 1, 5], [bytes.length - 1]]) {
    const failed = linesOf(fileOf(bytes, lengths));
    await expect(failed).rejects.toBeInstanceOf(UnreadableFile);
    await expect(failed).rejects.toThrow(/^people\.csv: this is /);
    await expect(failed).rejects.toThrow(words);
  }
});

test('stray control characters in cells are no reason to refuse a list', async () => {
  const text = `name,price\nA\u000bB\u0000,1\nC\u001f,2\n${'Dee,3\n'.repeat(30)}`;
  expect(await linesOf(fileOf(Buffer.from(text)))).toHaveLength(33);
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
