import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { allEvents } from '../../src/app/all-events.ts';
import { lazily } from '../../src/kernel/lazily.ts';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { customKeywords } from '../../src/platform/http/schemas.ts';
import { factsSchema } from '../../src/shop/changes/changes.ts';

// Each schema checks a few replies only: optimizing its code takes longer than running it.
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, code: { optimize: false } });
ajv.addVocabulary(customKeywords);
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
// D4: replies have milliseconds, always.
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The faults of a success reply, including undeclared names. */
export function replyFaults({ success }: AnyEndpoint): (envelope: unknown) => readonly string[] {
  const { data, meta } = success;
  if (data === undefined)
    return (envelope) => (envelope === undefined ? [] : ['a reply without data has none']);
  const validate = ajv.compile(
    closed({
      type: 'object',
      required: meta ? ['data', 'meta'] : ['data'],
      properties: { data, ...(meta && { meta }) },
    }) as object,
  );
  return (envelope) => (validate(envelope) ? [] : validate.errors!.map(faultText));
}

/** The schema as plain JSON, with every object closed to names that are not declared. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isObject = [copy.type].flat().includes('object') && typeof copy.properties === 'object';
  return isObject ? { ...copy, additionalProperties: false } : copy;
}

const factsOf = new Map(
  allEvents.map(({ type, facts }): [string, () => ValidateFunction] => [
    type,
    lazily(() => ajv.compile(closed(factsSchema(facts)) as object)),
  ]),
);

/** The faults of an event's facts against its entry in the catalog, including undeclared names. */
export function factFaults(type: string, facts: unknown): readonly string[] {
  const validate = factsOf.get(type)?.();
  if (validate === undefined) return [`${type} is not in the catalog`];
  return validate(facts) ? [] : validate.errors!.map((error) => `${type} ${faultText(error)}`);
}

function faultText({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}
