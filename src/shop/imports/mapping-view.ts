import Type, { type Static } from 'typebox';
import { Flag, List, Named, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { conversionNames } from './cell-values.ts';
import { presetNames } from './preset-names.ts';
import { type ProductField, productFieldNames } from './product-import.ts';
import type { SentMapping, SentRule } from './sent-mapping.ts';

/** Mappings as requests and replies have them: lists, where files have objects with names of their own. */

const word = Text({ max: 200 });
const ColumnName = () => Text({ min: 1, max: 200, description: 'Its name in the file' });

/**
 * The meaning of a file's columns.
 * @param fieldNames the fields that a column can fill
 */
export function mappingSchemas<Field extends string>(
  name: 'Menu' | 'Move',
  fieldNames: readonly [Field, ...Field[]],
) {
  const MappingRule = Named(
    `${name}MappingRule`,
    Type.Object({
      field: OneOf(fieldNames, { description: 'The field that the column fills' }),
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
  const Mapping = Named(
    `${name}Mapping`,
    Type.Object({
      preset: OneOf(presetNames, { description: 'The shape of the file' }),
      columns: List(Type.Object({ column: ColumnName(), rules: List(MappingRule, { min: 1, max: 10 }) }), {
        max: 200,
        description: 'Columns that are not listed are ignored',
      }),
      constants: List(Type.Object({ field: OneOf(fieldNames), value: Text({ min: 1, max: 200 }) }), {
        max: 40,
        description: 'Fields with the same value for every row',
      }),
      leaveOut: Type.Optional(
        List(
          Type.Object({
            column: ColumnName(),
            when: Type.Optional(
              List(word, { max: 100, description: 'A row with one of these words is none' }),
            ),
            unless: Type.Optional(
              List(word, { max: 100, description: 'A row without one of these is none' }),
            ),
          }),
          { max: 20, description: 'Rows that are left out, such as totals; each has `when` or `unless`' },
        ),
      ),
    }),
  );
  return { Mapping, MappingRule };
}

const { Mapping: MenuMapping } = mappingSchemas('Menu', productFieldNames as [ProductField]);
export const NullableMapping = Nullable(MenuMapping);

/** A mapping as requests and replies have it. */
export interface MappingView<Field extends string> {
  preset: SentMapping['preset'];
  columns: readonly {
    column: string;
    rules: readonly (Omit<Static<typeof MenuMapping>['columns'][number]['rules'][number], 'field'> & {
      field: Field;
    })[];
  }[];
  constants: readonly { field: Field; value: string }[];
  leaveOut?: readonly { column: string; when?: readonly string[]; unless?: readonly string[] }[];
}

/** The rules of a column as replies have them. */
export function rulesView<Field extends string>(
  rules: SentMapping['columns'][string],
): MappingView<Field>['columns'][number]['rules'] {
  return (typeof rules === 'string' ? [{ field: rules }] : rules).map(
    ({ values, ...rule }) =>
      ({
        ...rule,
        ...(values !== undefined && {
          values: Object.entries(values).map(([text, value]) => ({ text, value })),
        }),
      }) as MappingView<Field>['columns'][number]['rules'][number],
  );
}

/** A mapping as replies have it. */
export function mappingView<Field extends string>(mapping: SentMapping): MappingView<Field> {
  return {
    preset: mapping.preset,
    columns: Object.entries(mapping.columns).map(([column, rules]) => ({
      column,
      rules: rulesView<Field>(rules),
    })),
    constants: Object.entries(mapping.constants ?? {}).map(([field, value]) => ({
      field: field as Field,
      value,
    })),
    ...(mapping.leaveOut !== undefined && {
      leaveOut: mapping.leaveOut.map(({ column, when, unless }) => ({
        column,
        ...(when !== undefined && { when: [...when] }),
        ...(unless !== undefined && { unless: [...unless] }),
      })),
    }),
  };
}

/** A mapping as its file has it. */
export function mappingOfView({ preset, columns, constants, leaveOut }: MappingView<string>): SentMapping {
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
    ...(leaveOut !== undefined && { leaveOut }),
  };
}

function withoutAbsent(
  rule: Omit<MappingView<string>['columns'][number]['rules'][number], 'values' | 'keepOthers'>,
): SentRule {
  return Object.fromEntries(
    Object.entries(rule).filter(([, value]) => value !== undefined),
  ) as unknown as SentRule;
}
