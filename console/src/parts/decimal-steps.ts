/** A decimal as typed, one more or one less: `2.5` becomes `3.5`. Empty counts as 0, and nothing goes below 0. Exact. */
export function stepped(text: string, by: 1 | -1): string {
  const match = /^(\d*)(\.\d*)?$/.exec(text);
  if (!match) return text;
  const whole = BigInt(match[1] || '0') + BigInt(by);
  const fraction = match[2] === undefined || match[2] === '.' ? '' : match[2];
  return whole < 0n ? '0' : `${whole}${fraction}`;
}
