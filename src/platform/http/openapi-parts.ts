type Json = Record<string, unknown>;

/** The headers of replies that are described. */
export const replyHeaders = {
  'X-Request-Id': header(
    'string',
    'The id that the caller sent, or a generated one. It identifies this request in the log.',
  ),
  'RateLimit-Limit': header('integer', 'The requests that may be sent at once.'),
  'RateLimit-Remaining': header('integer', 'The remaining requests.'),
  'RateLimit-Reset': header('integer', 'Seconds until the limit is fully available again.'),
  'Retry-After': header('integer', 'Seconds to wait before a retry.'),
  ETag: header('string', 'Identifies this state of the reply, for If-None-Match.'),
  'Idempotent-Replayed': header('string', '`true`: the reply to an earlier request with the same key.'),
};

function header(type: string, description: string): Json {
  return { description, schema: { type } };
}

/** A reference to one of `replyHeaders`. */
export function headerRef(name: keyof typeof replyHeaders): Json {
  return { $ref: `#/components/headers/${name}` };
}

/** The headers of every reply. */
export const headerRefs = Object.fromEntries(
  (['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const).map((name) => [
    name,
    headerRef(name),
  ]),
);

/** A JSON body with its schema and examples. */
export function jsonContent(schema: unknown, samples: { example?: unknown; examples?: unknown }): Json {
  const given = Object.fromEntries(Object.entries(samples).filter(([, value]) => value !== undefined));
  return { 'application/json': { schema, ...given } };
}
