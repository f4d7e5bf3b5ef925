import { expect, test } from 'vitest';
import { breakingChanges } from './compare-contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: a change may be anywhere in the document
type Anything = any;

/** A document with one operation; each test changes a copy. */
function document(): Anything {
  const body = {
    type: 'object',
    required: ['amount'],
    properties: {
      amount: { type: 'integer', minimum: 1, maximum: 10 },
      names: { type: 'array', maxItems: 5, items: { type: ['string', 'null'], maxLength: 20 } },
    },
  };
  const reply = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, note: { $ref: '#/components/schemas/Note' } },
  };
  const operation = {
    operationId: 'placeThing',
    parameters: [
      { name: 'type', in: 'query', required: false, schema: { type: 'string', enum: ['a', 'b'] } },
    ],
    requestBody: { required: false, content: { 'application/json': { schema: body } } },
    responses: { 201: { content: { 'application/json': { schema: reply } } }, 400: {} },
  };
  return {
    paths: { '/things': { post: operation } },
    components: { schemas: { Note: { type: 'string', format: 'date' } } },
  };
}

type Change = (operation: Anything, document: Anything) => void;
const bodyOf = (operation: Anything) => operation.requestBody.content['application/json'].schema;
const replyOf = (operation: Anything) => operation.responses[201].content['application/json'].schema;

function changesAfter(change: Change): string[] {
  const present = document();
  change(present.paths['/things'].post, present);
  return breakingChanges(document(), present);
}

test.each<[string, Change]>([
  ['POST /things is missing', (_, all) => delete all.paths['/things']],
  [
    'the schema Note is missing',
    (it, all) => {
      all.components.schemas = { Text: all.components.schemas.Note };
      replyOf(it).properties.note = { $ref: '#/components/schemas/Text' };
    },
  ],
  ['operationId was placeThing', (it) => (it.operationId = 'makeThing')],
  ['the parameter type is missing', (it) => (it.parameters = [])],
  ['the parameter type is now required', (it) => (it.parameters[0].required = true)],
  ['type no longer accepts b', (it) => (it.parameters[0].schema.enum = ['a'])],
  ['the body is now required', (it) => (it.requestBody.required = true)],
  ['body.amount is missing', (it) => delete bodyOf(it).properties.amount],
  ['body.names is now required', (it) => bodyOf(it).required.push('names')],
  ['body.amount: minimum is higher', (it) => (bodyOf(it).properties.amount.minimum = 2)],
  ['body.amount: maximum is lower', (it) => (bodyOf(it).properties.amount.maximum = 9)],
  ['body.names: maxItems is lower', (it) => (bodyOf(it).properties.names.maxItems = 4)],
  ['body.names[]: another pattern', (it) => (bodyOf(it).properties.names.items.pattern = '^a')],
  ['body.names[] no longer accepts null', (it) => (bodyOf(it).properties.names.items.type = 'string')],
  ['body.amount no longer accepts any value', (it) => (bodyOf(it).properties.amount.enum = [1])],
  ['status 201 is missing', (it) => delete it.responses[201]],
  ['reply 201.id is missing', (it) => delete replyOf(it).properties.id],
  ['reply 201.id can now be absent', (it) => (replyOf(it).required = [])],
  ['reply 201.id can now be null', (it) => (replyOf(it).properties.id.type = ['integer', 'null'])],
  ['reply 201.note: another format', (_, all) => delete all.components.schemas.Note.format],
])('refused: %s', (message, change) => {
  expect(changesAfter(change)).toContainEqual(expect.stringMatching(new RegExp(`${escaped(message)}$`)));
});

test.each<[string, Change]>([
  ['nothing changed', () => {}],
  ['a new operation', (it, all) => (all.paths['/others'] = { get: it })],
  [
    'a new optional parameter',
    (it) => it.parameters.push({ name: 'page', in: 'query', schema: { type: 'string' } }),
  ],
  ['a new optional field of the body', (it) => (bodyOf(it).properties.note = { type: 'string' })],
  ['a required field that became optional', (it) => (bodyOf(it).required = [])],
  ['wider bounds', (it) => (bodyOf(it).properties.amount = { type: 'integer', minimum: 0, maximum: 20 })],
  ['a new value of a parameter', (it) => it.parameters[0].schema.enum.push('c')],
  ['a new field of the reply', (it) => (replyOf(it).properties.more = { type: 'string' })],
  ['another refusal', (it) => (it.responses[409] = {})],
])('allowed: %s', (_, change) => {
  expect(changesAfter(change)).toEqual([]);
});

function escaped(text: string): string {
  return text.replace(/[.[\]]/g, '\\$&');
}
