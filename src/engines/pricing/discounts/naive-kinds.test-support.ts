import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DiscountKind, discountKindNames, discountKinds } from './discount-kinds.ts';
import type { NaiveKind } from './naive-kind.test-support.ts';

/**
 * The naive twin of each registered kind, of the same level: `naive` of `<kind>.test-support.ts`, beside the kind. Random
 * discounts and the laws of pricing use them, so a kind without a twin fails them all.
 */
export const naiveKinds = Object.fromEntries(
  await Promise.all(discountKindNames.map(async (kind) => [kind, await twinOf(kind)])),
) as Readonly<Record<DiscountKind, NaiveKind>>;

async function twinOf(kind: DiscountKind): Promise<NaiveKind> {
  const file = new URL(`./${kind}.test-support.ts`, import.meta.url);
  const wish = `src/engines/pricing/discounts/${kind}.test-support.ts must export \`naive\`, the naive twin of the kind`;
  if (!existsSync(fileURLToPath(file)))
    throw new Error(`${wish}, written from the rules. The file is missing.`);
  const { naive } = (await import(file.href)) as { readonly naive?: NaiveKind };
  if (naive?.level !== discountKinds[kind].level) throw new Error(`${wish}, of the level of the kind.`);
  return naive;
}
