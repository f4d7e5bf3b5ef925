import fc from 'fast-check';
import fastJson from 'fast-json-stringify';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { requestValidator } from './request-validation.ts';
import { DecimalText, Id, LocalDate, Named, Nullable, OneOf, Text, Timestamp, UuidV4 } from './schemas.ts';

function accepts(schema: object, value: unknown): boolean {
  const validate = requestValidator({ body: Type.Object({ value: schema }), resourceParams: {} });
  try {
    validate({}, {}, { value }, false);
    return true;
  } catch {
    return false;
  }
}

it('a date is accepted if and only if it exists', () => {
  const anyDate = fc.tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  );
  fc.assert(
    fc.property(anyDate, ([year, month, day]) => {
      const text = [
        String(year).padStart(4, '0'),
        String(month).padStart(2, '0'),
        String(day).padStart(2, '0'),
      ].join('-');
      const parsed = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
      expect(accepts(LocalDate(), text)).toBe(exists);
    }),
  );
  for (const text of ['0000-01-01', '2026-01-01T00:00:00Z', '2026-01-01\n', '20260101', '٢٠٢٦-01-01']) {
    expect(accepts(LocalDate(), text)).toBe(false);
  }
});

it('a timestamp is RFC 3339 with up to nanoseconds, in the representable years', () => {
  for (const text of [
    '2026-11-22T08:51:05Z',
    '2026-11-22T08:51:05.2Z',
    '2026-11-22T08:51:05.217+00:00',
    '2026-11-22T08:51:05.217123456-08:00',
    '2028-02-29t23:59:59.2171234z',
    '0001-01-01T23:59:00+23:59',
    '9999-12-31T00:00:59.999-23:59',
  ]) {
    expect([text, accepts(Timestamp(), text)]).toEqual([text, true]);
  }
  for (const text of [
    '2026-11-22',
    '2026-11-22T08:51:05',
    '2026-11-22 08:51:05Z',
    '2026-11-22T08:51Z',
    '2026-11-22T08:51:05.Z',
    '2026-11-22T08:51:05.1234567891Z',
    '2026-11-22T08:51:60Z',
    '2026-11-22T24:00:00Z',
    '2026-11-22T08:51:05+0000',
    '2026-11-22T08:51:05+24:00',
    '2026-11-22T08:51:05-08:60',
    '2026-02-29T08:51:05-08:00',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    `2026-11-22T08:51:05${'Z'.repeat(99)}`,
  ]) {
    expect([text, accepts(Timestamp(), text)]).toEqual([text, false]);
  }
});

it('a decimal has no exponent, only the allowed sign, and bounded digits', () => {
  for (const text of ['0', '0.000001', '999999999999.999999', '10'])
    expect(accepts(DecimalText(), text)).toBe(true);
  for (const text of [
    '-1',
    '+1',
    '01',
    '1.',
    '1e3',
    '0x1',
    '1000000000000',
    '0.0000001',
    ' 1',
    '1\n',
    'NaN',
  ]) {
    expect(accepts(DecimalText(), text)).toBe(false);
  }
  expect(accepts(DecimalText({ sign: 'any' }), '-1.5')).toBe(true);
  for (const text of ['0', '0.0']) expect(accepts(DecimalText({ sign: 'positive' }), text)).toBe(false);
  expect(accepts(DecimalText({ decimalsMax: 2 }), '1.234')).toBe(false);
});

it('only version 4 UUIDs are accepted', () => {
  expect(accepts(UuidV4(), '3f1c9a52-6d5e-4b0a-9d6b-0a1b2c3d4e5f')).toBe(true);
  expect(accepts(UuidV4(), '3F1C9A52-6D5E-4B0A-9D6B-0A1B2C3D4E5F')).toBe(true);
  for (const text of [
    '3f1c9a52-6d5e-1b0a-9d6b-0a1b2c3d4e5f',
    '3f1c9a52-6d5e-4b0a-cd6b-0a1b2c3d4e5f',
    '3f1c9a526d5e4b0a9d6b0a1b2c3d4e5f',
  ]) {
    expect(accepts(UuidV4(), text)).toBe(false);
  }
});

it('text is counted in code points, and excludes what cannot be stored', () => {
  expect(accepts(Text({ max: 2 }), '🌿🌿')).toBe(true);
  expect(accepts(Text({ max: 2 }), 'abc')).toBe(false);
  for (const text of ['\u0000', 'a\ud800', '\udc00']) expect(accepts(Text({ max: 9 }), text)).toBe(false);
});

it('a nullable value is serialized as the value or as null', () => {
  const Part = Nullable(Named('Part', Type.Object({ id: Id() })));
  const serialize = fastJson(
    Type.Object({
      part: Part,
      kind: Nullable(OneOf(['a', 'b'])),
      at: Nullable(Timestamp()),
      ids: Nullable(Type.Array(Id())),
    }),
  );
  const full = { part: { id: 1 }, kind: 'a', at: '2026-03-01T17:05:09.000Z', ids: [1] };
  const empty = { part: null, kind: null, at: null, ids: null };
  for (const value of [full, empty]) expect(JSON.parse(serialize(value))).toEqual(value);
  expect(accepts(Nullable(OneOf(['a'])), null)).toBe(true);
  expect(accepts(Nullable(OneOf(['a'])), 'b')).toBe(false);
  expect(() => Nullable(Type.Union([Id(), Text({ max: 1 })]))).toThrow('one type');
});

it('a union in a request schema is refused at startup, not at the first request', () => {
  expect(() =>
    requestValidator({ body: Type.Object({ a: Type.Union([Id(), Text({ max: 1 })]) }), resourceParams: {} }),
  ).toThrow('cannot contain unions');
});
