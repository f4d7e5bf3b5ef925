import { listedMax, type VerificationFinding, type VerificationReport } from './finding.ts';

/** The report for people: each check with its result, then what was found. */
export function reportLines({ isWhole, checks, findings }: VerificationReport): string[] {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return [
    ...checks.map(({ check, promise, skipped, looked, found }) => {
      const result = found > 0 ? `${found} FOUND` : skipped === null ? 'whole' : 'not done';
      const words = skipped === null ? `${promise} (${looked})` : `${promise}: not done, ${skipped}`;
      return `${check.padEnd(width)}  ${result.padEnd(9)}  ${words}`;
    }),
    ...findings.map(findingLine),
    ...checks
      .filter(({ found }) => found > listedMax)
      .map(({ check, found }) => `… and ${found - listedMax} more of ${check}`),
    isWhole
      ? 'The data is whole'
      : `The data is damaged: ${checks.reduce((sum, { found }) => sum + found, 0)} found`,
  ];
}

/** A finding in one line. */
export function findingLine(finding: VerificationFinding): string {
  const { check, organizationId, place, row, orderNumber, isDamage, words } = finding;
  const where = [
    ...(organizationId === null ? [] : [`organization ${organizationId}`]),
    ...(orderNumber === null ? [] : [`order number ${orderNumber}`]),
    row === null ? place : `${place} ${row}`,
  ];
  return `${isDamage ? 'Damage' : 'Note'} (${check}): ${where.join(', ')}: ${words}`;
}
