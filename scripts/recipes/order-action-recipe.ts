import { newestChanges, type Recipe } from './recipe.ts';
import { spanishWords } from './spanish-words.ts';

/** An action that records nothing: it moves an order from packed back to new. The person changes what it is to do. */
export const orderActionRecipe: Recipe = {
  id: 'order-action',
  title: 'an action of staff that moves an order to another status',
  example: 'repack',
  plan: ({ kebab, camel, pascal, title }, project) => ({
    files: [
      {
        path: `src/shop/orders/actions/${kebab}.ts`,
        text: `import { orderRoles } from '../../../kernel/staff-roles.ts';
import { orderAction } from './order-action.ts';

export const ${camel} = orderAction({
  id: '${kebab}',
  from: ['packed'],
  to: 'new',
  roles: orderRoles,
  event: 'order.${kebab.replaceAll('-', '_')}_done',
  stock: 'none',
  promotions: 'keep',
  checksLimits: false,
  endsDispatchTask: null,
  record: (order) => ({ ...order, head: { ...order.head, packedAt: null, packedByStaffId: null } }),
  operation: {
    summary: '${title}',
    description: 'packed → new. Clears \`packedAt\`.',
    failures: [],
    body: null,
  },
  console: { verb: '${title}', done: '${title}: done.', opens: 'nothing', isRare: true },
});
`,
      },
    ],
    edits: [
      {
        path: 'src/shop/orders/actions/order-actions.ts',
        place: 'before',
        anchor: "import type { OrderAction } from './order-action.ts';\n",
        text: `import { ${camel} } from './${kebab}.ts';\n`,
      },
      {
        path: 'src/shop/orders/actions/order-actions.ts',
        place: 'after',
        anchor: 'fulfill, cancel',
        text: `, ${camel}`,
      },
      {
        path: 'src/shop/orders/order-lifecycle.test.ts',
        place: 'after',
        anchor: "  'packed unpack': 'new',\n",
        text: `  'packed ${kebab}': 'new',\n`,
      },
      {
        path: 'src/shop/orders/order-lifecycle.test.ts',
        place: 'after',
        anchor: "    unpack: 'none',\n",
        text: `    ${kebab.includes('-') ? `'${kebab}'` : kebab}: 'none',\n`,
      },
      {
        path: 'test/simulation/order-model.ts',
        place: 'after',
        anchor: "  unpack: { from: ['packed'], to: 'new' },\n",
        text: `  ${kebab.includes('-') ? `'${kebab}'` : kebab}: { from: ['packed'], to: 'new' },\n`,
      },
      ...spanishWords(project, { [title]: `“${title}”`, [`${title}: done.`]: `“${title}”: hecho.` }),
      {
        path: 'CHANGELOG.md',
        place: 'after',
        anchor: newestChanges,
        text: `- Staff can ${kebab.replaceAll('-', ' ')} an order (\`${pascal}Order\`).\n`,
      },
    ],
    next: [
      `Say in src/shop/orders/actions/${kebab}.ts what the action does: statuses, roles, stock, promotions, what it records, its words. Its event is in the past tense.`,
      'State the same in src/shop/orders/order-lifecycle.test.ts and in test/simulation/order-model.ts, which have D24 again.',
      'An action that opens a dialog gets a component in `dialogs` of console/src/screens/orders/order-actions.tsx.',
      'What the action does with stock, promotions or payments, the simulated year does in test/simulation/order-moves.ts.',
    ],
    proof: {
      tests: [
        'src/shop/orders/order-lifecycle.test.ts',
        'src/shop/orders/step-order.test.ts',
        { file: 'test/contract/staff-endpoints.test.ts', name: `${camel}Order` },
      ],
      bugs: [
        {
          title: 'the action is allowed from another status',
          path: `src/shop/orders/actions/${kebab}.ts`,
          from: "from: ['packed']",
          to: "from: ['packed', 'fulfilled']",
          red: 'src/shop/orders/order-lifecycle.test.ts',
        },
        {
          title: 'the action gives stock back, which it does not hold any more',
          path: `src/shop/orders/actions/${kebab}.ts`,
          from: "stock: 'none'",
          to: "stock: 'give-back'",
          red: 'src/shop/orders/order-lifecycle.test.ts',
        },
      ],
    },
  }),
};
