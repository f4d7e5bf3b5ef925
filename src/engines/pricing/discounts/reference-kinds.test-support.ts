import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DiscountKind, discountKindNames, discountKinds } from './discount-kinds.ts';
import type { ReferenceKind } from './reference-kind.test-support.ts';

/**
 * The reference implementation of each registered kind, of the same level: `reference` of `<kind>.test-support.ts`, beside the kind. Random
 * discounts and the laws of pricing use them, so a kind without a reference implementation fails them all.
 */
export const referenceKinds = Object.fromEntries(
  await Promise.all(discountKindNames.map(async (kind) => [kind, await referenceOf(kind)])),
) as Readonly<Record<DiscountKind, ReferenceKind>>;

async function referenceOf(kind: DiscountKind): Promise<ReferenceKind> {
  const file = new URL(`./${kind}.test-support.ts`, import.meta.url);
  const wish = `src/engines/pricing/discounts/${kind}.test-support.ts must export \`reference\`, the reference implementation of the kind`;
  if (!existsSync(fileURLToPath(file)))
    throw new Error(`${wish}, written from the rules. The file is missing.`);
  const { reference } = (await import(file.href)) as { readonly reference?: ReferenceKind };
  if (reference?.level !== discountKinds[kind].level) throw new Error(`${wish}, of the level of the kind.`);
  return reference;
}
