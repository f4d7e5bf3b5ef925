import { expect, test } from 'vitest';
import { ProgressBar } from './progress-bar.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('on a terminal one line is redrawn at most ten times a second, and removed at the end', () => {
  const terminal = screen(true);
  let nowMs = 0;
  const bar = new ProgressBar(terminal, () => nowMs);
  bar.show(0.5, '100 products');
  bar.show(0.51, '102 products');
  nowMs = 100;
  bar.show(1, '200 products');
  bar.end();
  expect(terminal.written).toEqual([
    `\r${'█'.repeat(15)}${'░'.repeat(15)}  50 % 100 products\u001b[K`,
    `\r${'█'.repeat(30)} 100 % 200 products\u001b[K`,
    '\r\u001b[K',
  ]);
});

test('elsewhere there is a line per 10 percent, without terminal control characters', () => {
  const file = screen(false);
  const bar = new ProgressBar(file, () => 0);
  for (let done = 0; done <= 100; done++) bar.show(done / 100, `${done} products`);
  bar.end();
  expect(file.written).toHaveLength(10);
  expect(file.written[0]).toBe('10 % 10 products\n');
  expect(file.written.at(-1)).toBe('100 % 100 products\n');
});
