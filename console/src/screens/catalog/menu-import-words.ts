import { api, dataOf, type Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

export type MenuImport = Schema['MenuImport'];
export type MenuLook = Schema['MenuLook'];
export type MenuMapping = Schema['MenuMapping'];
type Rule = MenuMapping['columns'][number]['rules'][number];
type Field = Rule['field'];

/** Reads one import; while it runs, again every second. */
export function importQuery(menuImportId: number) {
  return {
    queryKey: ['menu-imports', menuImportId] as const,
    queryFn: () =>
      dataOf(api.GET('/staff/v1/menu-imports/{menuImportId}', { params: { path: { menuImportId } } })),
    refetchInterval: ({ state }: { state: { data?: MenuImport | undefined } }) =>
      state.data && isRunning(state.data) ? 1_000 : (false as const),
  };
}

const running: readonly MenuImport['status'][] = ['checking', 'importing', 'undoing'];

export function isRunning({ status }: MenuImport): boolean {
  return running.includes(status);
}

/** Whether it is not finished. */
export function canBeCanceled(menu: MenuImport): boolean {
  return isRunning(menu) || menu.status === 'uploaded' || menu.status === 'checked';
}

/** Whether its columns can still be corrected. */
export function isOpen({ status, hasFile }: MenuImport): boolean {
  return hasFile && ['uploaded', 'checked', 'failed', 'canceled'].includes(status);
}

export const statusWords: Readonly<Record<MenuImport['status'], string>> = {
  uploaded: t`Uploaded`,
  checking: t`Checking`,
  checked: t`Checked`,
  importing: t`Importing`,
  done: t`Imported`,
  undoing: t`Undoing`,
  undone: t`Undone`,
  failed: t`Failed`,
  canceled: t`Canceled`,
};

export const modeWords: Readonly<Record<MenuImport['mode'], string>> = {
  add: t`Add new products only`,
  change: t`Add new products, change those that are here`,
  sync: t`The same, and take products that are not in the file off the menu`,
};

const fieldWords: Partial<Record<Field, string>> = {
  name: t`Product name`,
  brandName: t`Brand`,
  subCategories: t`Sub-categories`,
  description: t`Description`,
  strainType: t`Strain type`,
  strain: t`Strain`,
  photos: t`Photos`,
  photoAltTexts: t`Alternative texts of the photos`,
  optionPhotos: t`Photos of the option`,
  optionPhotoAltTexts: t`Alternative texts of the option's photos`,
  thcAmount: 'THC',
  cbdAmount: 'CBD',
  sku: 'SKU',
  effects: t`Effects`,
  flavours: t`Flavors`,
  terpenes: t`Terpenes`,
  labResults: t`Lab results`,
  optionName: t`Option name`,
  upc: 'UPC',
  unit: t`Sold by (gram or item)`,
  category: t`Category`,
};

/** What a column can mean: one field with its conversion, or several fields together. */
export const meanings: readonly { readonly value: string; readonly label: string; readonly rules: Rule[] }[] =
  [
    ...Object.entries(fieldWords).map(([field, label]) => ({
      value: field,
      label,
      rules: [{ field: field as Field, ...(field === 'strainType' && { blank: 'none' }) }] as Rule[],
    })),
    {
      value: 'size',
      label: t`Size of the option`,
      rules: [{ field: 'optionName' }, { field: 'amount', blank: '1' }, { field: 'content' }],
    },
    {
      value: 'price-dollars',
      label: t`Price in dollars`,
      rules: [{ field: 'price', convert: 'dollars-to-cents' }],
    },
    { value: 'price-cents', label: t`Price in cents`, rules: [{ field: 'price' }] },
    {
      value: 'sale-dollars',
      label: t`Sale price in dollars`,
      rules: [{ field: 'salesPrice', convert: 'dollars-to-cents' }],
    },
    { value: 'sale-cents', label: t`Sale price in cents`, rules: [{ field: 'salesPrice' }] },
    {
      value: 'thc-percent',
      label: t`THC, numbers are percent`,
      rules: [{ field: 'thcAmount', convert: 'percent-by-default' }],
    },
    {
      value: 'cbd-percent',
      label: t`CBD, numbers are percent`,
      rules: [{ field: 'cbdAmount', convert: 'percent-by-default' }],
    },
  ];

/** The meaning of a column's rules, as a value of `meanings`; empty: it is not used. */
export function meaningOf(mapping: MenuMapping, column: string): string {
  const rules = mapping.columns.find((entry) => entry.column === column)?.rules ?? [];
  const fields = rules.map(({ field }) => field);
  if (fields.includes('amount')) return 'size';
  if (fields.includes('category')) return 'category';
  const [rule] = rules;
  if (rule === undefined) return '';
  const inDollars = rule.convert === 'dollars-to-cents' ? 'dollars' : 'cents';
  if (rule.field === 'price') return `price-${inDollars}`;
  if (rule.field === 'salesPrice') return `sale-${inDollars}`;
  if (rule.convert === 'percent-by-default')
    return rule.field === 'thcAmount' ? 'thc-percent' : 'cbd-percent';
  return rule.field;
}

/** The mapping with another meaning of a column. */
export function withMeaning(mapping: MenuMapping, column: string, meaning: string | null): MenuMapping {
  const others = mapping.columns.filter((entry) => entry.column !== column);
  const rules = meanings.find(({ value }) => value === meaning)?.rules;
  if (rules === undefined) return { ...mapping, columns: others };
  // Flower is sold by weight: the rule for it goes with the category, wherever that is.
  const unit = mapping.columns.flatMap((entry) => entry.rules).find(({ field }) => field === 'unit');
  const withUnit = meaning === 'category' && unit !== undefined ? [...rules, unit] : rules;
  return { ...mapping, columns: [...others, { column, rules: withUnit }] };
}

/** The mapping in which a word of the category column stands for one of the shop's categories. */
export function withCategory(mapping: MenuMapping, text: string, category: string): MenuMapping {
  const isFlower = /flower|bud/i.test(category);
  const added = (rule: Rule, value: string): Rule => ({
    ...rule,
    values: [...(rule.values ?? []).filter((entry) => entry.text !== text), { text, value }],
  });
  return {
    ...mapping,
    columns: mapping.columns.map((entry) =>
      entry.rules.some(({ field }) => field === 'category')
        ? {
            ...entry,
            rules: entry.rules.map((rule) => {
              if (rule.field === 'category') return { ...added(rule, category), keepOthers: true };
              return rule.field === 'unit' && isFlower ? added(rule, 'gram') : rule;
            }),
          }
        : entry,
    ),
  };
}

/** The words of a file that name none of the shop's categories. */
export function unknownCategories({ doubts }: MenuLook): readonly string[] {
  return doubts.flatMap(({ message }) => {
    const [, word] = /^is not a category of the organization: "(.*)";/s.exec(message) ?? [];
    return word === undefined ? [] : [word];
  });
}
