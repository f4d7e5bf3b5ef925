import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test('quotes cells that would break a row, and keeps text from being a formula', () => {
  const rows = [
    { name: 'Say "hi", then\nleave', cents: -5 },
    { name: '=HYPERLINK("x")', cents: 0 },
  ];
  expect(csvText(['cents', 'name'], rows)).toBe(
    'cents,name\r\n-5,"Say ""hi"", then\nleave"\r\n0,"\'=HYPERLINK(""x"")"\r\n',
  );
});
