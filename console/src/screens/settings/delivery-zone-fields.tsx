import { Alert, Checkbox, MultiSelect, SimpleGrid, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Field, ListField } from '../../parts/server-form.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { locationsQuery, taxesQuery } from './setting-lists.ts';
import { isPast } from './tax-words.ts';
import { codesOfOtherZones, exceptionInWords, zoneExceptions } from './zone-conflicts.ts';

type Zone = Schema['DeliveryZone'];

export type ZoneDraft = Omit<Zone, 'id' | 'createdAt' | 'updatedAt'>;

type Draft = Pick<Edit<ZoneDraft>, 'draft' | 'set'>;

/** The fields of a delivery zone: ZIP codes, fees, taxes and stock locations. */
export function ZoneFields({
  draft,
  set,
  zoneId,
  zones,
}: Draft & { zoneId: number | null; zones: readonly Zone[] }) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <PostalCodes draft={draft} set={set} zoneId={zoneId} zones={zones} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="orderMinimum">
          {(error) => (
            <MoneyInput
              label={t`Order minimum`}
              error={error}
              cents={draft.orderMinimum}
              onChange={(cents) => set('orderMinimum', cents ?? 0)}
            />
          )}
        </Field>
        <Field path="deliveryFee">
          {(error) => (
            <MoneyInput
              label={t`Delivery fee`}
              error={error}
              cents={draft.deliveryFee}
              onChange={(cents) => set('deliveryFee', cents ?? 0)}
            />
          )}
        </Field>
      </SimpleGrid>
      <Field path="deliveryFeeDescription">
        {(error) => (
          <TextInput
            label={t`Fee name`}
            description={t`Customers see it`}
            error={error}
            value={draft.deliveryFeeDescription ?? ''}
            onChange={(event) => set('deliveryFeeDescription', event.currentTarget.value || null)}
          />
        )}
      </Field>
      <ZoneTaxes draft={draft} set={set} />
      <ZoneLocations draft={draft} set={set} />
    </>
  );
}

/** Full ZIP codes and prefixes; codes of another zone are reported while typing. */
function PostalCodes({
  draft,
  set,
  zoneId,
  zones,
}: Draft & { zoneId: number | null; zones: readonly Zone[] }) {
  const taken = codesOfOtherZones(draft.postalCodes, zoneId, zones);
  const here = { ...draft, id: zoneId ?? 0 };
  const exceptions = zoneExceptions([here, ...zones.filter(({ id }) => id !== here.id)])
    .filter(({ of, codesOf }) => of.id === here.id || codesOf.id === here.id)
    .map((it) => exceptionInWords(it, here.id));
  const conflict =
    taken.length > 0 &&
    t`Already in another zone: ${taken.map(({ code, zone }) => `${code} (${zone})`).join(', ')}`;
  return (
    <>
      <ListField path="postalCodes" items={draft.postalCodes}>
        {(error) => (
          <TagsInput
            label={t`ZIP codes`}
            description={t`Full codes (94607) and prefixes (946*); you can paste a list`}
            placeholder={draft.postalCodes.length === 0 ? t`Type and press Enter` : undefined}
            splitChars={[',', ' ', ';', '\n', '\t']}
            acceptValueOnBlur
            clearable
            error={conflict || error}
            value={draft.postalCodes}
            onChange={(codes) => set('postalCodes', separated(codes))}
          />
        )}
      </ListField>
      {exceptions.length > 0 && (
        <Alert color="blue" title={t`The longer code applies`}>
          {exceptions.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}

/** A whole list may be pasted at once. */
function separated(codes: readonly string[]): string[] {
  return [...new Set(codes.flatMap((code) => code.split(/[\s,;]+/)).filter((code) => code !== ''))];
}

function ZoneTaxes({ draft, set }: Draft) {
  const taxes = useQuery(taxesQuery);
  const offered = (taxes.data ?? []).filter(
    (tax) => !isPast(tax, shopNow()) || draft.taxIds?.includes(tax.id),
  );
  return (
    <>
      <Checkbox
        label={t`Default taxes`}
        description={t`Turn off to charge only the selected taxes on deliveries to the zone`}
        checked={draft.taxIds === null}
        onChange={(event) =>
          set(
            'taxIds',
            event.currentTarget.checked
              ? null
              : offered
                  .filter((tax) => !tax.onlyInDeliveryZones && !isPast(tax, shopNow()))
                  .map(({ id }) => id),
          )
        }
      />
      {draft.taxIds !== null && (
        <Field path="taxIds">
          {(error) => (
            <MultiSelect
              label={t`Taxes`}
              placeholder={draft.taxIds?.length === 0 ? t`None` : undefined}
              error={error}
              data={choicesOr(
                offered.map((tax) => ({
                  value: String(tax.id),
                  label: `${tax.description} ${taxChargeInWords(tax)}`,
                })),
                taxes,
                createHints.taxes,
              )}
              value={(draft.taxIds ?? []).map(String)}
              onChange={(ids) => set('taxIds', ids.map(Number))}
            />
          )}
        </Field>
      )}
    </>
  );
}

function ZoneLocations({ draft, set }: Draft) {
  const locations = useQuery(locationsQuery);
  const open = (locations.data ?? []).filter(
    ({ id, archivedAt }) => archivedAt === null || draft.inventoryLocationIds.includes(id),
  );
  return (
    <Field path="inventoryLocationIds">
      {(error) => (
        <MultiSelect
          label={t`Stock from`}
          description={t`In this order. Leave empty for the default delivery locations`}
          placeholder={draft.inventoryLocationIds.length === 0 ? t`Default locations` : undefined}
          error={error}
          data={choicesOr(
            open.map(({ id, name }) => ({ value: String(id), label: name })),
            locations,
            createHints.locations,
          )}
          value={draft.inventoryLocationIds.map(String)}
          onChange={(ids) => set('inventoryLocationIds', ids.map(Number))}
        />
      )}
    </Field>
  );
}
