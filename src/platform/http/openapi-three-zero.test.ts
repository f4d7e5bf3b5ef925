import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../kernel/project-folder.ts';
import { toOpenApi30 } from './openapi-three-zero.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

const contract = JSON.parse(readFileSync(join(projectFolder(), 'contract', 'v1.json'), 'utf8'));

test('the document as 3.0 has the same operations, and says what may be null in the way of 3.0', () => {
  const older = toOpenApi30(contract) as typeof contract;
  expect(older.openapi).toBe('3.0.3');
  expect(Object.keys(older.paths)).toEqual(Object.keys(contract.paths));
  expect(Object.keys(older.components.schemas)).toEqual(Object.keys(contract.components.schemas));
  const { email, birthday } = older.components.schemas.PlaceOrderRequest.properties.customer.properties;
  expect(email).toMatchObject({ type: 'string', nullable: true });
  expect(birthday.pattern).toBeUndefined();
});

test('each change to a schema keeps its meaning', () => {
  const changed = (schema: object) =>
    (
      toOpenApi30({ info: {}, paths: {}, components: { schemas: { It: schema } } }) as {
        components: { schemas: { It: object } };
      }
    ).components.schemas.It;
  expect(changed({ type: ['string', 'null'], enum: ['a', null] })).toEqual({
    ...{ type: 'string', enum: ['a'], nullable: true },
  });
  expect(changed({ type: ['number', 'string'] })).toEqual({
    anyOf: [{ type: 'number' }, { type: 'string' }],
  });
  expect(changed({ anyOf: [{ $ref: '#/x' }, { type: 'null' }] })).toEqual({
    ...{ type: 'object', allOf: [{ $ref: '#/x' }], nullable: true },
  });
  expect(changed({ type: 'number', exclusiveMinimum: 0 })).toEqual({
    ...{ type: 'number', minimum: 0, exclusiveMinimum: true },
  });
  // A property may be called like a keyword.
  const properties = { pattern: { type: 'string' }, example: { type: ['integer', 'null'] } };
  expect(changed({ properties, example: { example: null } })).toEqual({
    properties: { pattern: { type: 'string' }, example: { type: 'integer', nullable: true } },
    example: { example: null },
  });
});

test('it has none of the webhooks, which 3.0 does not know', () => {
  expect(Object.keys(contract)).toContain('webhooks');
  expect(Object.keys(toOpenApi30(contract))).not.toContain('webhooks');
});

test('it is served beside the document, at the base address', async () => {
  const server = createToyServer({ openApi: () => contract });
  expect((await ask(server, { url: '/openapi-3.0.json' })).json).toEqual(toOpenApi30(contract));
  await server.close();
});
