import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { burstLength, burstMs, ScanCadence } from './scan-cadence.ts';

/** Types with these gaps before each character, then an end key. Returns what was recognized as scans. */
function typed(cadence: ScanCadence, text: string, gaps: readonly number[], endGap: number, fromMs = 0) {
  let now = fromMs;
  [...text].forEach((character, index) => {
    now += gaps[index % gaps.length]!;
    cadence.character(character, now);
  });
  now += endGap;
  return { ...cadence.end(now), now };
}

const code = fc
  .array(fc.constantFrom(...'0123456789ABCDEF'), { minLength: 12, maxLength: 24 })
  .map((characters) => characters.join(''));
const scannerGaps = fc.array(fc.integer({ min: 5, max: 30 }), { minLength: 24, maxLength: 24 });
const scannerGap = fc.integer({ min: 5, max: 30 });
const humanPause = fc.integer({ min: 250, max: 5_000 });

/** A very fast typist: some keys coincide, but never eight within 300 ms. */
const humanGaps = fc
  .array(fc.integer({ min: 0, max: 400 }), { minLength: 24, maxLength: 24 })
  .filter((gaps) =>
    [...gaps, ...gaps].every(
      (_, start, all) =>
        all.slice(start, start + burstLength - 1).reduce((sum, gap) => sum + gap, 0) > burstMs ||
        start + burstLength - 1 > all.length,
    ),
  );

describe('scan cadence', () => {
  test('every scan is recognized whole, after any typing by a person', () => {
    fc.assert(
      fc.property(
        code,
        scannerGaps,
        scannerGap,
        code,
        humanGaps,
        humanPause,
        (scan, gaps, end, before, own, pause) => {
          const cadence = new ScanCadence();
          let now = 0;
          for (const [index, character] of [...before].entries()) {
            now += own[index]!;
            cadence.character(character, now);
          }
          expect(typed(cadence, scan, gaps, end, now + pause).burst).toBe(scan);
        },
      ),
    );
  });

  test('consecutive scans are recognized one by one', () => {
    fc.assert(
      fc.property(
        fc.array(code, { minLength: 2, maxLength: 6 }),
        scannerGaps,
        scannerGap,
        (scans, gaps, end) => {
          const cadence = new ScanCadence();
          let now = 0;
          const recognized = scans.map((scan) => {
            const { burst, now: after } = typed(cadence, scan, gaps, end, now);
            now = after + 5;
            return burst;
          });
          expect(recognized).toEqual(scans);
        },
      ),
    );
  });

  test('a license is one scan, whatever its scanner presses between the lines', () => {
    const line = fc.stringMatching(/^D[A-D][A-Z][A-Z0-9 ]{0,20}$/);
    const separator = fc.constantFrom('Enter', 'chord');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, separator), { minLength: 3, maxLength: 20 }),
        scannerGaps,
        (lines, gaps) => {
          const cadence = new ScanCadence();
          let now = 0;
          for (const [text, end] of [['@', 'Enter'], ['ANSI 636014080102DL', 'chord'], ...lines] as const) {
            for (const [index, character] of [...text].entries()) {
              now += gaps[index % gaps.length]!;
              cadence.character(character, now);
            }
            now += 20;
            expect(cadence.isInLicense(now)).toBe(true);
            if (end === 'chord') cadence.lineEnd(now);
            else expect(cadence.end(now)).toMatchObject({ burst: null, isLineEnd: true });
          }
          const whole = `@\nANSI 636014080102DL\n${lines.map(([text]) => `${text}\n`).join('')}`;
          expect(cadence.pause(now + 150)).toBe(null);
          expect(cadence.pause(now + 1_600)).toBe(whole);
          expect(cadence.pause(now + 2_000)).toBe(null);
        },
      ),
    );
  });

  test('a slow license is one scan: it pauses after each line, until it is whole', () => {
    const lines = [
      '@',
      'ANSI 636014080102DL',
      'DAQY7654321',
      'DCSQUILLFEATHER',
      'DBB11231971',
      'DBA11232031',
      'DAK90223',
    ];
    for (const [gap, pause] of [
      [30, 900],
      [150, 400],
      [450, 450],
    ] as const) {
      const cadence = new ScanCadence();
      let now = 0;
      for (const line of lines) {
        for (const character of line) {
          now += gap;
          expect(cadence.character(character, now).begins).toBe(line === '@');
        }
        now += gap;
        expect(cadence.end(now)).toMatchObject({ burst: null, isLineEnd: true });
        if (line !== 'DAK90223' && line !== '@') {
          now += pause;
          expect(cadence.pause(now - 1)).toBe(null);
        }
      }
      expect(cadence.pause(now + 250)).toBe(lines.map((line) => `${line}\n`).join(''));
    }
  });

  test('a license that is cut off ends after a long silence', () => {
    const cadence = new ScanCadence();
    for (const [index, character] of [...'@ANSI 636014DCSQUI'].entries())
      cadence.character(character, index * 10);
    expect(cadence.pause(170 + 1_400)).toBe(null);
    expect(cadence.pause(170 + 1_600)).toBe('@ANSI 636014DCSQUI');
  });

  test('a magnetic stripe is one scan with an Enter after each track', () => {
    const cadence = new ScanCadence();
    let now = 0;
    for (const track of ['%CAANAHEIM^QUILL$ANN^12 OAK^?', ';636014257654321=310419711123?']) {
      for (const character of track) {
        now += 10;
        cadence.character(character, now);
      }
      now += 10;
      expect(cadence.end(now)).toMatchObject({ burst: null, isLineEnd: true });
    }
    expect(cadence.pause(now + 250)).toBe('%CAANAHEIM^QUILL$ANN^12 OAK^?\n;636014257654321=310419711123?\n');
  });

  test('an email address is no license at any speed', () => {
    const cadence = new ScanCadence();
    for (const [index, character] of [...'someone@example.com'].entries()) {
      cadence.character(character, index * 80);
      expect(cadence.isLicense(index * 80 + 10)).toBe(false);
    }
    expect(cadence.end(19 * 80)).toMatchObject({ burst: null, isLineEnd: false });
  });

  test('a person is never taken for a scanner, even when some keys follow quickly', () => {
    fc.assert(
      fc.property(code, humanGaps, fc.integer({ min: 0, max: 400 }), (text, gaps, end) => {
        const cadence = new ScanCadence();
        const { burst, isEcho, now } = typed(cadence, text, gaps, end);
        expect({ burst, isEcho, pause: cadence.pause(now + 10_000) }).toEqual({
          burst: null,
          isEcho: false,
          pause: null,
        });
      }),
    );
  });
});

test('an Enter pressed by a person after a scan without Enter is not part of the scan', () => {
  const cadence = new ScanCadence();
  expect(typed(cadence, '410001000013', [12], 900)).toMatchObject({ burst: null, isEcho: false });
});

test('a scan without Enter is recognized once, after a silence', () => {
  const cadence = new ScanCadence();
  for (const [index, digit] of [...'410001000013'].entries()) cadence.character(digit, index * 12);
  expect(cadence.pause(11 * 12 + 30)).toBe(null);
  expect(cadence.pause(11 * 12 + 300)).toBe('410001000013');
  expect(cadence.pause(11 * 12 + 600)).toBe(null);
  // Enter was pressed in time but handled late.
  expect(cadence.end(11 * 12 + 12)).toMatchObject({ burst: null, isEcho: true });
});

test('Enter and a line feed end one scan, not two', () => {
  const cadence = new ScanCadence();
  const { burst, now } = typed(cadence, '410001000013', [10], 10);
  expect(burst).toBe('410001000013');
  expect(cadence.end(now + 10)).toMatchObject({ burst: null, isEcho: true });
  expect(cadence.end(now + 900)).toMatchObject({ burst: null, isEcho: false });
});

test('an Enter after another key is pressed by a person, however soon after a scan', () => {
  const cadence = new ScanCadence();
  const { now } = typed(cadence, '410001000013', [10], 10);
  cadence.forget();
  expect(cadence.end(now + 20)).toMatchObject({ burst: null, isEcho: false });
});
