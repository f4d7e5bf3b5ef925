import { Checkbox, Select, SimpleGrid, TagsInput } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { Field, ListField } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { t } from '../../words/words.ts';

type Locality = NonNullable<Schema['Tax']['locality']>;
type OwnSource = NonNullable<Schema['Tax']['ownSource']>;

const kinds: Readonly<Record<Locality['kind'], string>> = {
  city: t`City`,
  county: t`County`,
  district: t`District`,
};

const blankLocality: Locality = { name: '', kind: 'city', postalCodes: [], shopIsHere: true };
const blankSource: OwnSource = { citation: '', link: null, readOn: '', note: null };

/** The place where a local tax or limit applies, and its legal source. */
export function LocalityFields({
  locality,
  ownSource,
  onLocality,
  onSource,
}: {
  locality: Locality | null;
  ownSource: OwnSource | null;
  onLocality: (locality: Locality | null) => void;
  onSource: (source: OwnSource | null) => void;
}) {
  return (
    <>
      <Checkbox
        label={t`Only in a city, county or district`}
        checked={locality !== null}
        onChange={(event) => onLocality(event.currentTarget.checked ? blankLocality : null)}
      />
      {locality && <Where locality={locality} onChange={onLocality} />}
      <Checkbox
        label={t`Add the legal source`}
        checked={ownSource !== null}
        onChange={(event) => onSource(event.currentTarget.checked ? blankSource : null)}
      />
      {ownSource && <SourceFields source={ownSource} onChange={onSource} />}
    </>
  );
}

function Where({ locality, onChange }: { locality: Locality; onChange: (locality: Locality) => void }) {
  const change = (part: Partial<Locality>) => onChange({ ...locality, ...part });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField
          path="locality.name"
          label={t`Name of the place`}
          value={locality.name}
          onChange={(name) => change({ name })}
        />
        <Select
          label={t`Kind of place`}
          data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          value={locality.kind}
          allowDeselect={false}
          onChange={(kind) => kind && change({ kind: kind as Locality['kind'] })}
        />
      </SimpleGrid>
      <ListField path="locality.postalCodes" items={locality.postalCodes}>
        {(error) => (
          <TagsInput
            label={t`ZIP codes of the place`}
            description={t`Deliveries to these codes count: 94607, or a prefix such as 946*`}
            error={error}
            value={locality.postalCodes}
            onChange={(postalCodes) => change({ postalCodes })}
          />
        )}
      </ListField>
      <Checkbox
        label={t`The shop is in this place, so sales at the shop count`}
        checked={locality.shopIsHere}
        onChange={(event) => change({ shopIsHere: event.currentTarget.checked })}
      />
    </>
  );
}

function SourceFields({ source, onChange }: { source: OwnSource; onChange: (source: OwnSource) => void }) {
  const change = (part: Partial<OwnSource>) => onChange({ ...source, ...part });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextField
        path="ownSource.citation"
        label={t`Law or ordinance`}
        value={source.citation}
        onChange={(citation) => change({ citation })}
      />
      <Field path="ownSource.readOn">
        {(error) => (
          <DayInput
            label={t`Read on`}
            description={t`A warning asks you to check it again after a year`}
            error={error}
            day={source.readOn || null}
            onChange={(day) => change({ readOn: day ?? '' })}
          />
        )}
      </Field>
      <TextField
        path="ownSource.link"
        label={t`Link`}
        value={source.link}
        onChange={(link) => change({ link: link || null })}
      />
      <TextField
        path="ownSource.note"
        label={t`Note`}
        value={source.note}
        onChange={(note) => change({ note: note || null })}
      />
    </SimpleGrid>
  );
}

/** "City: Oakland (94607, 946*, at the shop)". */
export function localityInWords(locality: Locality | null): string {
  if (locality === null) return t`Everywhere`;
  const { name, kind, postalCodes, shopIsHere } = locality;
  const places = [...postalCodes.slice(0, 3), ...(postalCodes.length > 3 ? ['…'] : [])];
  return `${kinds[kind]}: ${name} (${[...places, ...(shopIsHere ? [t`at the shop`] : [])].join(', ')})`;
}

/** "Ordinance 5.04, read on May 1, 2026". */
export function ownSourceInWords(source: OwnSource | null): string {
  return source === null ? t`not given` : t`${source.citation}, read on ${dayInWords(source.readOn)}`;
}
