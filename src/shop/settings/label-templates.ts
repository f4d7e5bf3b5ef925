import Type, { type Static } from 'typebox';
import { List, Named, OneOf, Text } from '../../platform/http/schemas.ts';

/**
 * The labels that the shop prints: for what leaves it (exit) and for its shelves. What they have to say differs from state to state:
 * the owner chooses the fields, and writes the notice that the state asks for or takes up the one that is known (label-notices.ts).
 */

/** What an exit label can say besides product, option and shop. */
const exitLabelFields = [
  'license',
  'brand',
  'strain',
  'potency',
  'package',
  'lab',
  'quantity',
  'soldOn',
  'order',
  'customer',
  'barcode',
] as const;

/** What a shelf label can say besides product, option and price. */
const shelfLabelFields = [
  'brand',
  'strain',
  'potency',
  'terpenes',
  'effects',
  'lab',
  'sku',
  'barcode',
] as const;

const notice = Text({
  max: 2000,
  description: 'The words that the state asks for, below the rest; empty: none',
});

const ExitLabel = Named(
  'ExitLabel',
  Type.Object({
    fields: List(OneOf(exitLabelFields), { max: exitLabelFields.length, description: 'What it says' }),
    notice,
  }),
);

const ShelfLabel = Named(
  'ShelfLabel',
  Type.Object({
    fields: List(OneOf(shelfLabelFields), { max: shelfLabelFields.length, description: 'What it says' }),
    notice,
  }),
);

export const LabelTemplates = Named('LabelTemplates', Type.Object({ exit: ExitLabel, shelf: ShelfLabel }));

export type LabelTemplates = Static<typeof LabelTemplates>;

/** Until the owner says otherwise: every field. */
export const defaultLabels: LabelTemplates = {
  exit: { fields: [...exitLabelFields], notice: '' },
  shelf: { fields: [...shelfLabelFields], notice: '' },
};

/** Each field once, in the order of the label. */
export function readLabels({ exit, shelf }: LabelTemplates): LabelTemplates {
  return {
    exit: {
      fields: exitLabelFields.filter((field) => exit.fields.includes(field)),
      notice: exit.notice.trim(),
    },
    shelf: {
      fields: shelfLabelFields.filter((field) => shelf.fields.includes(field)),
      notice: shelf.notice.trim(),
    },
  };
}
