import { type ErrorCode, errorCatalog } from '../../kernel/error-catalog.ts';
import { headerRef, headerRefs, jsonContent } from './openapi-parts.ts';

type Json = Record<string, unknown>;

/** Condition and remedy of a code, in the words of an audience. */
export type ErrorWords = (code: ErrorCode) => { readonly when: string; readonly remedy: string };

/** Refusals that operations share, and the schema of each code, by name. */
export interface SharedRefusals {
  readonly responses: Json;
  readonly schemas: Json;
}

/** The name of a status in the names of responses. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

/**
 * The refusals of an operation: one response per status, with a schema that lists its codes, each with its own `meta`.
 * Operations with the same codes share a response, named after the first of them.
 */
export function refusalResponses(
  operationId: string,
  codes: readonly ErrorCode[],
  errorWords: ErrorWords,
  shared: SharedRefusals,
): Json {
  const statuses = [...new Set(codes.map((code) => errorCatalog[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const these = codes.filter((code) => errorCatalog[code].status === status);
      const name = responseName(operationId, status, these, shared.responses);
      shared.responses[name] ??= refusalResponse(status, these, errorWords, shared);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

const codesOf = 'x-codes';

/** The name of the response with these codes; a new one if there is none. */
function responseName(
  operationId: string,
  status: number,
  codes: readonly ErrorCode[],
  responses: Json,
): string {
  const known = Object.entries(responses).find(
    ([, response]) => (response as Json)[codesOf] === codes.join(' '),
  );
  if (known !== undefined) return known[0];
  if (codes.length === 1) return inPascalCase(codes[0]!);
  const plain = statusNames[status]!;
  const isTaken = plain in responses;
  return isTaken ? `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${plain}` : plain;
}

/** Removes what only helped to find equal responses. */
export function finishedResponses(responses: Json): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([name, response]) => {
      const { [codesOf]: _, ...finished } = response as Json;
      return [name, finished];
    }),
  );
}

function refusalResponse(
  status: number,
  codes: readonly ErrorCode[],
  errorWords: ErrorWords,
  { schemas }: SharedRefusals,
): Json {
  const isTemporary = status === 429 || status === 503;
  const refs = codes.map((code) => {
    const name = `${inPascalCase(code)}Refusal`;
    schemas[name] = refusalSchema(code, errorWords(code));
    return { $ref: `#/components/schemas/${name}` };
  });
  const error = refs.length === 1 ? refs[0] : { oneOf: refs };
  return {
    [codesOf]: codes.join(' '),
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: { ...headerRefs, ...(isTemporary && { 'Retry-After': headerRef('Retry-After') }) },
    content: jsonContent({ type: 'object', required: ['error'], properties: { error } }, {}),
  };
}

/** What `error` is for a code. */
function refusalSchema(code: ErrorCode, { when, remedy }: ReturnType<ErrorWords>): Json {
  const { meta } = errorCatalog[code];
  return {
    type: 'object',
    description: `${when} ${remedy}`,
    required: ['message', 'code', ...(meta ? ['meta'] : [])],
    properties: {
      message: {
        type: 'string',
        description: 'For people: names the field and what was expected. It may change.',
      },
      code: { type: 'string', enum: [code], description: 'For programs' },
      ...(meta && { meta: { description: 'Facts of this refusal', ...meta.schema } }),
    },
    examples: [{ message: when, code, ...(meta && { meta: meta.example }) }],
  };
}

function inPascalCase(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
