import { expect, test } from 'vitest';
import { refusalOf } from './database-refusals.ts';

const said = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a statement whose organization moves to another server meanwhile is refused for now, another internal error is a fault', () => {
  expect(refusalOf(said('XX000', 'could not find valid entry for shard 102208'))?.code).toBe(
    'SERVICE_UNAVAILABLE',
  );
  expect(refusalOf(said('XX000', 'cache lookup failed for relation 102208'))).toBeUndefined();
});
