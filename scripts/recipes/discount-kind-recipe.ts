import { newestChanges, type Recipe } from './recipe.ts';
import { spanishWords } from './spanish-words.ts';

const registry = 'src/engines/pricing/discounts/discount-kinds.ts';

/** A kind at the level of the order that takes off its amount, with its reference implementation. */
export const discountKindRecipe: Recipe = {
  id: 'discount-kind',
  title: 'a kind of discount, with its reference implementation',
  example: 'thanks',
  plan: ({ kebab, camel, words, title }, project) => {
    const folder = 'src/engines/pricing/discounts';
    const key = kebab.includes('-') ? `'${kebab}'` : kebab;
    return {
      files: [
        {
          path: `${folder}/${kebab}.ts`,
          text: `import { amountOff } from './discount-amount.ts';
import type { OrderLevelRule } from './discount-settings.ts';

/** Kind \`${kebab}\`: off what is left of the total price, as one amount. */
export const ${camel}Discount = {
  level: 'order',
  terms: { perUnit: false, maximumOf: 'order', usesCount: null, own: {} },
  console: {
    label: '${title}',
    targetsHint: 'The order must contain one of these. Leave empty for any order.',
    effect: '${title}: {amount} off {orders}',
  },
  want(discount, totalLeftCents, steps) {
    return amountOff(discount, { leftCents: totalLeftCents }, () => 'total price', steps);
  },
} as const satisfies OrderLevelRule;
`,
        },
        {
          path: `${folder}/${kebab}.test-support.ts`,
          text: `import fc from 'fast-check';
import { worth } from '../reference-goods.test-support.ts';
import type { ReferenceOrderKind } from './reference-kind.test-support.ts';

/** Off what is left of the order. */
export const reference: ReferenceOrderKind = {
  level: 'order',
  ownTerms: fc.constant(null),
  ordered: (discount) => discount,
  wants: (discount, leftCents) => worth(discount, leftCents),
};
`,
        },
      ],
      edits: [
        {
          path: registry,
          place: 'before',
          anchor: "import { productDiscount } from './product.ts';\n",
          text: `import { ${camel}Discount } from './${kebab}.ts';\n`,
        },
        {
          path: registry,
          place: 'before',
          anchor: '} as const satisfies Record<string, DiscountRule>;\n',
          text: `  ${key}: ${camel}Discount,\n`,
        },
        {
          path: 'docs/PROMOTIONS.md',
          place: 'before',
          anchor: '`order`: reduces the rest of the order;',
          text: `\`${kebab}\`: reduces the rest of the order. `,
        },
        ...spanishWords(project, {
          [title]: `“${title}”`,
          [`${title}: {amount} off {orders}`]: `“${title}”: {amount} de descuento en {orders}`,
        }),
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- Discounts of the kind \`${kebab}\`.\n`,
        },
      ],
      next: [
        `Write the rule of ${words} in ${folder}/${kebab}.ts. A kind of single lines has the shape of line.ts; buy-x-get-y.ts shows terms of its own.`,
        `Write its twin in ${folder}/${kebab}.test-support.ts, from the rules and not from the kind's file.`,
        'A term of its own: a migration with a nullable column, its label in console/src/screens/marketing/shown-discount-field.ts, its field in discount-terms.tsx.',
        'Explain it in docs/PROMOTIONS.md and docs/PRICING.md.',
      ],
      proof: {
        tests: [
          'src/engines/pricing/price-cart-laws.test.ts',
          'src/shop/promotions/own-terms.test.ts',
          'src/shop/promotions/discount-staff-routes.test.ts',
          'console/src/screens/marketing/discount-sentence.test.ts',
        ],
        bugs: [
          {
            title: 'it takes its amount off half of the total',
            path: `${folder}/${kebab}.ts`,
            from: 'leftCents: totalLeftCents }',
            to: 'leftCents: Math.floor(totalLeftCents / 2) }',
            red: 'src/engines/pricing/price-cart-laws.test.ts',
          },
          {
            title: 'the kind has no twin',
            path: `${folder}/${kebab}.test-support.ts`,
            from: 'export const reference:',
            to: 'export const other:',
            red: 'src/engines/pricing/price-cart-laws.test.ts',
          },
          {
            title: 'the words have a part that does not exist',
            path: 'sdk/src/staff-discount-kinds.ts',
            from: `${title}: {amount} off`,
            to: `${title}: {sum} off`,
            red: 'console/src/screens/marketing/discount-sentence.test.ts',
          },
        ],
      },
    };
  },
};
