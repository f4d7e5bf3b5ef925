import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { requestValidator } from './request-validation.ts';
import {
  Cents,
  DecimalText,
  Flag,
  List,
  LocalDate,
  Nullable,
  OneOf,
  ReadAs,
  Text,
  Timestamp,
  UuidV4,
} from './schemas.ts';

const address = ReadAs('address', Text({ max: 40 }));
const body = Type.Object({
  name: Text({ min: 1, max: 20 }),
  notes: Type.Optional(Nullable(Text({ max: 20 }))),
  story: Type.Optional(Text({ max: 20 })),
  day: Type.Optional(LocalDate()),
  at: Type.Optional(Nullable(Timestamp())),
  unit: Type.Optional(Nullable(OneOf(['%', 'mg']))),
  type: Type.Optional(OneOf(['delivery', 'pickup'])),
  key: Type.Optional(UuidV4()),
  fee: Type.Optional(Cents()),
  isNew: Type.Optional(Flag()),
  amount: Type.Optional(DecimalText({ sign: 'any' })),
  cost: Type.Optional(Nullable(DecimalText())),
  photos: Type.Optional(List(address, { max: 3 })),
  file: Type.Optional(ReadAs('base64', Text({ max: 20 }))),
  mime: Type.Optional(ReadAs('media-type', Text({ max: 20 }))),
  lines: Type.Optional(
    List(Type.Object({ upc: Type.Optional(Nullable(Text({ max: 20 }))), amount: DecimalText() }), { max: 2 }),
  ),
  vendor: Type.Optional(
    Type.Object({ name: Text({ min: 1, max: 20 }), email: Type.Optional(Text({ max: 20 })) }),
  ),
});
const validators = {
  create: requestValidator({ body, resourceParams: {}, method: 'POST' }),
  update: requestValidator({ body, resourceParams: {}, method: 'PUT' }),
};

/** The fields that a handler gets besides the name. */
function read(sent: object, method: keyof typeof validators = 'create'): object {
  const valid = validators[method]({}, {}, structuredClone({ name: 'Ada', ...sent }), true);
  const { name: _name, ...rest } = valid.body as { name: string };
  return rest;
}

describe('a body is normalized, for strict keys, too', () => {
  it.each([
    ['null for an optional field', { story: null, fee: null, key: null, photos: null, vendor: null }, {}],
    [
      'null for a nullable field',
      { notes: null, at: null, unit: null },
      { notes: null, at: null, unit: null },
    ],
    ['"" for an optional text or date', { notes: '', story: '', day: '' }, { notes: null }],
    ['"" for a nullable field', { at: '', unit: '', cost: '' }, { at: null, unit: null, cost: null }],
    ['a decimal without its zero', { amount: '-.5', cost: '.25' }, { amount: '-0.5', cost: '0.25' }],
    ['an address with spaces', { photos: [' http://a.co/b c.jpg'] }, { photos: ['http://a.co/b%20c.jpg'] }],
    ['Base64 in lines', { file: 'aGVs\r\nbG8=\n' }, { file: 'aGVsbG8=' }],
    ['an unregistered media type', { mime: 'image/JPG' }, { mime: 'image/jpeg' }],
    ['within lists', { lines: [{ upc: '', amount: '.5' }] }, { lines: [{ upc: null, amount: '0.5' }] }],
    ['within objects', { vendor: { name: 'Tide', email: '' } }, { vendor: { name: 'Tide' } }],
  ])('%s', (_what, sent, meant) => {
    expect(read(sent)).toEqual(meant);
  });

  it('an update with "" clears a nullable field, and empties a text that is not nullable', () => {
    const sent = { notes: '', story: '', day: '', fee: null };
    expect(read(sent, 'update')).toEqual({ notes: null, story: '' });
  });
});

describe('ambiguous values are refused', () => {
  it.each([
    [{ name: '' }, /^name must be text of 1 to 20/],
    [{ name: null }, /^name must be/],
    [{ type: '' }, /^type must be one of/],
    [{ key: '' }, /^key must be a UUID/],
    [{ fee: '' }, /^fee must be a whole number/],
    [{ isNew: '' }, /^isNew must be true or false/],
    [{ amount: '' }, /^amount must be a number/],
    [{ amount: '.' }, /^amount must be a number/],
    [{ amount: '5.' }, /^amount must be a number/],
    [{ photos: [null] }, /^photos\[0\] must be/],
    [{ lines: [null] }, /^lines\[0\] must be/],
    [{ vendor: { name: '' } }, /^vendor\.name must be/],
    [{ vendor: '' }, /^vendor must be an object/],
  ])('%j', (sent, message) => {
    for (const method of ['create', 'update'] as const) expect(() => read(sent, method)).toThrow(message);
  });
});
