import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LookUpResult, lookUpQueue } from './look-up-queue.ts';

const inWords = (result: LookUpResult<string>) =>
  'found' in result ? result.found : `${result.text} failed`;

test('every look-up is reported once, in the order of the scans, in any order of answers and failures', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.boolean(), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, answers, atOnce) => {
        const told: string[] = [];
        const pending: number[] = [];
        let most = 0;
        let underWay = 0;
        const queue = lookUpQueue<string>({
          atOnce,
          lookUp: async (text) => {
            underWay += 1;
            most = Math.max(most, underWay);
            await scheduler.schedule(Promise.resolve());
            underWay -= 1;
            if (!answers[Number(text)]) throw new Error('silence');
            return `${text} found`;
          },
          tell: (result) => told.push(inWords(result)),
          onPending: (count) => pending.push(count),
        });
        for (const index of answers.keys()) queue.add(String(index));
        await scheduler.waitIdle();
        expect(told).toEqual(answers.map((isFound, index) => `${index} ${isFound ? 'found' : 'failed'}`));
        expect(pending.at(-1) ?? 0).toBe(0);
        expect(most).toBeLessThanOrEqual(atOnce);
      },
    ),
  );
});
