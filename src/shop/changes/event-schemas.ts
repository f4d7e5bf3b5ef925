import type { EventType } from '../../kernel/event-catalog.ts';
import type { Facts } from '../../kernel/event-facts.ts';
import { publicEventOf, type ResourceType } from './public-events.ts';

/** An event of the catalog, as documents and schemas show it. */
export interface ListedEvent {
  readonly type: EventType;
  readonly when: string;
  readonly facts: Facts;
}

/** The facts of an event as JSON Schema. More may be added. */
export function factsSchema(facts: Facts): object {
  const entries = Object.entries(facts);
  return {
    type: 'object',
    required: entries.filter(([, fact]) => !('isOptional' in fact)).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
  };
}

/** An example of an event's facts. */
export function exampleFacts(facts: Facts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(facts).map(([name, { example }]) => [name, example]));
}

/** An event that integrators read, with what it is about. */
export interface PublicEvent extends ListedEvent {
  readonly resource: ResourceType;
}

/** The events that integrators read. */
export function publicEventsAmong(events: readonly ListedEvent[]): PublicEvent[] {
  return events.flatMap((event) => {
    const { resource } = publicEventOf(event.type) ?? {};
    return resource === undefined ? [] : [{ ...event, resource }];
  });
}

/** The `webhooks` of the OpenAPI document: what an endpoint of an integrator receives, one operation for each event (D66). */
export function webhookOperations(events: readonly ListedEvent[]): Record<string, object> {
  return Object.fromEntries(
    publicEventsAmong(events).map(({ type, when, facts, resource }) => [
      type,
      { post: operation(type, when, facts, resource) },
    ]),
  );
}

function operation(type: EventType, when: string, facts: Facts, resource: ResourceType): object {
  const name = type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  return {
    operationId: `receive${name}`,
    summary: when,
    description:
      'Signed by Standard Webhooks: verify `webhook-signature` before you read it. Any reply of 2xx accepts it.',
    tags: ['Webhooks'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { const: type },
              timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
              data: {
                allOf: [
                  { $ref: '#/components/schemas/Change' },
                  { type: 'object', properties: { type: { const: type }, facts: factsSchema(facts) } },
                ],
              },
            },
          },
          example: webhookExample(type, facts, resource),
        },
      },
    },
    responses: { '2XX': { description: 'Accepted' } },
  };
}

function webhookExample(type: EventType, facts: Facts, resource: ResourceType): object {
  const at = '2026-12-01T17:00:00.000Z';
  const example = exampleFacts(facts);
  const id = String(Object.values(example)[0] ?? 1);
  return {
    type,
    timestamp: at,
    data: { id: '8-4711', type, at, resource: { type: resource, id }, facts: example },
  };
}
