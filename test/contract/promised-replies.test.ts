import { expect, test } from 'vitest';
import { PromisedReplies } from './promised-replies.ts';

const categories = 'GET /api/v1/product-categories';
const at = '2026-03-01T17:05:09.123Z';
const category = { id: 7, name: 'Flower', createdAt: at, updatedAt: at, cannabisType: 'non-concentrated' };

/** The faults in the replies of one operation. */
function faultsOf(...lists: readonly object[][]): string[] {
  const replies = new PromisedReplies();
  for (const data of lists) replies.add(categories, { data });
  return replies.faults().filter((fault) => fault.startsWith(categories));
}

test('an absent field, a wrong type, a field that never has a value and an extra field are found', () => {
  expect(faultsOf([category])).toEqual([]);
  const { cannabisType: _, ...rest } = category;
  expect(faultsOf([category], [rest])).toEqual([`${categories} data[] cannabisType: is absent`]);
  expect(faultsOf([{ ...category, id: '7' }])).toEqual([`${categories} data[] id: "7" is not id`]);
  expect(faultsOf([{ ...category, createdAt: '2026-03-01T17:05:09Z' }])).toHaveLength(1);
  expect(faultsOf([{ ...category, cannabisType: 'flower' }])).toHaveLength(1);
  expect(faultsOf([])).toContain(`${categories} data[] name: never has a value`);

  const replies = new PromisedReplies();
  replies.add(categories, { data: [{ ...category, order: 1 }] });
  replies.add('GET /api/v1/nothing', {});
  expect(replies.additions()).toEqual([`${categories} data[] order`]);
  expect(replies.faults()).toContain('GET /api/v1/nothing: nothing is written down');
  expect(replies.faults()).toContain('GET /api/v1/menu: not called');
});
