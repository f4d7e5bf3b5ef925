import { Checkbox, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { LongTextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { StateNotice } from './state-notice.tsx';

type Profile = Schema['ShopProfile'];
type Labels = Profile['labels'];

const exitNames: Readonly<Record<Labels['exit']['fields'][number], string>> = {
  license: t`License of the shop`,
  brand: t`Brand`,
  strain: t`Strain`,
  potency: t`THC and CBD`,
  package: t`Number of the package`,
  lab: t`Lab and date`,
  quantity: t`Quantity`,
  soldOn: t`Day of the sale`,
  order: t`Order number`,
  customer: t`Customer`,
  barcode: t`Barcode of the package`,
};
const shelfNames: Readonly<Record<Labels['shelf']['fields'][number], string>> = {
  brand: t`Brand`,
  strain: t`Strain`,
  potency: t`THC and CBD`,
  terpenes: t`Terpenes`,
  effects: t`Effects`,
  lab: t`Lab and date`,
  sku: 'SKU',
  barcode: t`Barcode of the UPC`,
};

/** What the labels say that the shop prints: fields, and the words that the state asks for. */
export function LabelFields({ draft: { labels, labelNotice }, set }: Pick<Edit<Profile>, 'draft' | 'set'>) {
  return (
    <>
      <LabelCard
        title={t`Exit labels`}
        path="labels.exit.notice"
        names={exitNames}
        label={labels.exit}
        stateNotice={labelNotice}
        onChange={(exit) => set('labels', { ...labels, exit })}
      />
      <LabelCard
        title={t`Shelf labels`}
        path="labels.shelf.notice"
        names={shelfNames}
        label={labels.shelf}
        stateNotice={labelNotice}
        onChange={(shelf) => set('labels', { ...labels, shelf })}
      />
    </>
  );
}

function LabelCard<Field extends string>({
  title,
  path,
  names,
  label,
  stateNotice,
  onChange,
}: {
  title: string;
  path: string;
  names: Readonly<Record<Field, string>>;
  label: { fields: Field[]; notice: string };
  stateNotice: Profile['labelNotice'];
  onChange: (label: { fields: Field[]; notice: string }) => void;
}) {
  return (
    <SectionCard
      title={title}
      hint={t`States differ in what a label has to say. Choose the fields, and write the words that your state asks for.`}
    >
      <Stack gap="md">
        <Checkbox.Group
          aria-label={t`Fields of ${title.toLowerCase()}`}
          value={label.fields}
          onChange={(fields) => onChange({ ...label, fields: fields as Field[] })}
        >
          <Group>
            {(Object.keys(names) as Field[]).map((field) => (
              <Checkbox key={field} value={field} label={names[field]} />
            ))}
          </Group>
        </Checkbox.Group>
        <LongTextField
          path={path}
          label={t`Words on ${title.toLowerCase()}`}
          maxLength={2000}
          value={label.notice}
          onChange={(notice) => onChange({ ...label, notice })}
        />
        {stateNotice ? (
          <StateNotice notice={stateNotice} onTake={(notice) => onChange({ ...label, notice })} />
        ) : (
          <Text size="sm" c="dimmed">
            {t`The words that your state asks for are not in this release. Ask your regulator.`}
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}
