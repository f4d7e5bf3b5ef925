import Type, { type Static } from 'typebox';
import { Flag, List, Named, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { conversionNames } from './cell-values.ts';
import { presetNames } from './preset-names.ts';
import { productFieldNames } from './product-import.ts';
import type { SentMapping, SentRule } from './sent-mapping.ts';

/** Mappings as requests and replies have them: lists, where files have objects with names of their own. */

const word = Text({ max: 200 });

const MappingRule = Named(
  'MenuMappingRule',
  Type.Object({
    field: OneOf(productFieldNames, { description: 'The field that the column fills' }),
    convert: Type.Optional(OneOf(conversionNames, { description: 'How its text becomes the value' })),
    values: Type.Optional(
      List(Type.Object({ text: Text({ min: 1, max: 200 }), value: word }), {
        max: 500,
        description: 'Words of the file, in any case, and what stands for them',
      }),
    ),
    otherwise: Type.Optional(Text({ min: 1, max: 200, description: 'What stands for other words' })),
    keepOthers: Type.Optional(Flag({ description: 'Whether other words stay as they are' })),
    blank: Type.Optional(Text({ min: 1, max: 200, description: 'What stands for an empty cell' })),
    separator: Type.Optional(Text({ min: 1, max: 10, description: 'Separates the entries of a list' })),
  }),
);

/** The meaning of a file's columns. */
const MenuMapping = Named(
  'MenuMapping',
  Type.Object({
    preset: OneOf(presetNames, { description: 'The shape of the file' }),
    columns: List(
      Type.Object({
        column: Text({ min: 1, max: 200, description: 'Its name in the file' }),
        rules: List(MappingRule, { min: 1, max: 10 }),
      }),
      { max: 200, description: 'Columns that are not listed are ignored' },
    ),
    constants: List(Type.Object({ field: OneOf(productFieldNames), value: Text({ min: 1, max: 200 }) }), {
      max: 40,
      description: 'Fields with the same value for every product',
    }),
  }),
);
export const NullableMapping = Nullable(MenuMapping);

type MenuMappingView = Static<typeof MenuMapping>;

/** A mapping as replies have it. */
export function mappingView(mapping: SentMapping): MenuMappingView {
  return {
    preset: mapping.preset,
    columns: Object.entries(mapping.columns).map(([column, rules]) => ({
      column,
      rules: (typeof rules === 'string' ? [{ field: rules }] : rules).map(
        ({ values, ...rule }) =>
          ({
            ...rule,
            ...(values !== undefined && {
              values: Object.entries(values).map(([text, value]) => ({ text, value })),
            }),
          }) as MenuMappingView['columns'][number]['rules'][number],
      ),
    })),
    constants: Object.entries(mapping.constants ?? {}).map(
      ([field, value]) => ({ field, value }) as MenuMappingView['constants'][number],
    ),
  };
}

/** A mapping as its file has it. */
export function mappingOfView({ preset, columns, constants }: MenuMappingView): SentMapping {
  return {
    preset,
    columns: Object.fromEntries(
      columns.map(({ column, rules }) => [
        column,
        rules.map(
          ({ values, keepOthers, ...rule }): SentRule => ({
            ...withoutAbsent(rule),
            ...(keepOthers && { keepOthers }),
            ...(values !== undefined && {
              values: Object.fromEntries(values.map(({ text, value }) => [text, value])),
            }),
          }),
        ),
      ]),
    ),
    constants: Object.fromEntries(constants.map(({ field, value }) => [field, value])),
  };
}

function withoutAbsent(
  rule: Omit<MenuMappingView['columns'][number]['rules'][number], 'values' | 'keepOthers'>,
): SentRule {
  return Object.fromEntries(
    Object.entries(rule).filter(([, value]) => value !== undefined),
  ) as unknown as SentRule;
}
