import { lazily } from '../../kernel/lazily.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { ApiRequestRow } from './api-request-queries.ts';

export type Operation = Pick<Endpoint, 'id' | 'method' | 'path' | 'tag'>;

/** Finds the operation of a logged request; undefined: it is no longer there. `operations` are those of integrators. */
export function operationFinder(
  operations: () => readonly Operation[],
): (row: Pick<ApiRequestRow, 'method' | 'path_template'>) => Operation | undefined {
  const byRequest = lazily(
    () => new Map(operations().map((operation) => [`${operation.method} ${operation.path}`, operation])),
  );
  return ({ method, path_template: path }) =>
    byRequest().get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
}

/** The place of an operation in the reference page. */
export function referencePathOf({ tag, method, path }: Operation): string {
  return `/docs/#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
}
