import { expect, test } from 'vitest';
import { checkDocument } from '../src/shop/documents/check-document.ts';
import { drawSamplePaper, loadPainter, type PaperFormat } from './sample-papers.ts';
import { letter, letteringWidth } from './stroke-letters.ts';

const paper = { type: 'license', fullName: 'Marisol Okafor', expiresOn: '2027-03-19' } as const;

test.each<PaperFormat>(['image/jpeg', 'image/png', 'application/pdf'])(
  'a sample paper is a whole file of %s, the same each time',
  async (format) => {
    const paint = (await loadPainter())!;
    const bytes = await drawSamplePaper(paint, paper, format);
    expect(() => checkDocument(bytes, format)).not.toThrow();
    expect(bytes.length).toBeLessThan(60_000);
    expect(await drawSamplePaper(paint, paper, format)).toEqual(bytes);
  },
);

test('letters need no font, stay within their width, and leave a gap for unknown characters', () => {
  const size = 60;
  const path = letter('Sample ñ 2027-03', { x: 0, y: 0, size, color: 'red' });
  expect(path).not.toContain('<text');
  const columns = [...path.matchAll(/([\d.]+) [\d.]+/g)].map(([, x]) => Number(x));
  expect(Math.max(...columns)).toBeLessThanOrEqual(letteringWidth('Sample ñ 2027-03', size));
});
