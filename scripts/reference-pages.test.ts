import { expect, test } from 'vitest';
import { referencePages } from './reference-pages.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 200 },
    owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
    parts: {
      type: 'array',
      maxItems: 5,
      items: { type: 'object', properties: { kind: { enum: ['a', 'b'] } } },
    },
  },
};

const pages = new Map(
  referencePages({
    tags: [{ name: 'Things', description: 'All things' }],
    servers: [{ url: 'http://base' }],
    paths: {
      '/things': {
        post: {
          operationId: 'makeThing',
          summary: 'Make a thing',
          description: 'Makes one.',
          tags: ['Things'],
          requestBody: { content: { 'application/json': { schema: thing, example: { id: 7 } } } },
          responses: {
            204: { description: 'Made' },
            409: {
              description: 'Refused',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { error: { $ref: '#/components/schemas/OutOfStock' } },
                  },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Owner: { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } },
        OutOfStock: { type: 'object', properties: { code: { type: 'string', enum: ['OUT_OF_STOCK'] } } },
      },
    },
  }),
);

test('every field is listed with its full path, through references, lists and nullable objects', () => {
  const page = pages.get('things.md')!;
  for (const row of [
    '| `id` | integer, 1 to 200 | yes |  |',
    '| `owner` | object, or null |  |  |',
    '| `owner.name` | string, up to 20 characters |  |  |',
    '| `parts` | array of object, up to 5 items |  |  |',
    '| `parts[].kind` | `a`, `b` |  |  |',
  ]) {
    expect(page).toContain(`${row}\n`);
  }
});

test('an operation is shown with its example, its errors and a link in the overview', () => {
  expect(pages.get('things.md')).toContain('"id": 7');
  expect(pages.get('things.md')).toContain('| 409 | [OUT_OF_STOCK](../../contract/errors.md#out_of_stock) |');
  expect(pages.get('README.md')).toContain(
    '| `POST /things` | Make a thing | [Things](things.md#make-a-thing) |',
  );
});
