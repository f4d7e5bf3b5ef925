import type { PriceStep } from '../../engines/pricing/price-step.ts';

/**
 * The steps of an order's arithmetic (D31) as they are stored: JSON with their words as they were. Steps in a row that say the
 * same with other figures, such as the shares of the lines in a tax, stand in one group: that is half as long.
 */
interface StepGroup {
  readonly step: PriceStep['step'];
  readonly rule: string;
  /** Absent: none. */
  readonly rate?: string;
  /** What the subjects begin with: the tax of shares; absent: nothing. */
  readonly of?: string;
  /** Subject, base, exact (null: as rounded) and rounded amount of each. */
  readonly steps: (readonly [string, string, string | null, number | null])[];
}

/** The steps as text, for the column `steps`. */
export function storedSteps(steps: readonly PriceStep[]): string {
  const groups: StepGroup[] = [];
  for (const { step, rule, subject, base, rate, exact, roundedCents } of steps) {
    const comma = subject.lastIndexOf(', ');
    const group: StepGroup = {
      ...{ step, rule, steps: [] },
      ...(rate !== null && { rate }),
      ...(comma >= 0 && { of: subject.slice(0, comma) }),
    };
    const last = groups.at(-1);
    const joins =
      last?.step === step && last.rule === rule && last.rate === group.rate && last.of === group.of;
    if (!joins) groups.push(group);
    const own = comma >= 0 ? subject.slice(comma + 2) : subject;
    const isAsRounded = exact === String(roundedCents);
    (joins ? last : group).steps.push([own, base, isAsRounded ? null : exact, roundedCents]);
  }
  return JSON.stringify(groups);
}

/** What a reply says of the steps beside the order, as JSON text of its members: the steps, or that they were pruned (D76). */
export function explanationMembers({ steps }: { readonly steps: string | null }): string {
  return steps === null ? '"explanationPruned":true' : `"explanation":${JSON.stringify(readSteps(steps))}`;
}

/** What `storedSteps` stored. */
export function readSteps(text: string): PriceStep[] {
  return (JSON.parse(text) as StepGroup[]).flatMap(({ step, rule, rate = null, of, steps }) =>
    steps.map(([own, base, exact, roundedCents]) => ({
      ...{ step, rule, subject: of === undefined ? own : `${of}, ${own}`, base, rate },
      ...{ exact: exact ?? String(roundedCents), roundedCents },
    })),
  );
}
