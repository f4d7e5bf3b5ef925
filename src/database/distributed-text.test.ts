import { expect, test } from 'vitest';
import { distributedText } from './distributed-text.ts';

test('each joined table is held to the organization by value', () => {
  expect(
    distributedText(
      'select 1 from orders o left join customers c on c.organization_id = o.organization_id and c.id = o.user_id where o.organization_id = $2',
    ),
  ).toBe(
    'select 1 from orders o left join customers c on (c.organization_id = $2 and o.organization_id = $2) and c.id = o.user_id where o.organization_id = $2',
  );
});

test('rows that a statement brings along are made beside the row of their organization', () => {
  const made = distributedText(
    'insert into tags (organization_id, id) select $1::bigint, t.id from unnest($2::bigint[]) as t(id) on conflict do nothing',
  );
  expect(made.replaceAll(/\s+/g, ' ')).toBe(
    'insert into tags (organization_id, id) select tenant.organization_id, t.id from ( select id as organization_id from organizations where id = $1) tenant cross join unnest($2::bigint[]) as t(id) on conflict do nothing',
  );
});

test('other statements stay as they are', () => {
  const text = 'select name from tags where organization_id = $1 and id = $2';
  expect(distributedText(text)).toBe(text);
});
