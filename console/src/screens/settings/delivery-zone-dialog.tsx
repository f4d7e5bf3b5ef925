import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';
import { type ZoneDraft, ZoneFields } from './delivery-zone-fields.tsx';
import { SettingDialog } from './setting-dialog.tsx';

type Zone = Schema['DeliveryZone'];

const blank: ZoneDraft = {
  name: '',
  postalCodes: [],
  orderMinimum: 0,
  deliveryFee: 0,
  deliveryFeeDescription: null,
  taxIds: null,
  inventoryLocationIds: [],
};

/** Creates or changes a delivery zone. */
export function DeliveryZoneDialog({
  edited,
  zones,
  onClose,
}: {
  edited: Zone | 'new' | null;
  zones: readonly Zone[];
  onClose: () => void;
}) {
  return (
    <SettingDialog<ZoneDraft, Zone>
      edited={edited}
      onClose={onClose}
      noun={t`delivery zone`}
      nameOf={({ name }) => name}
      blank={blank}
      create={(body) => dataOf(api.POST('/staff/v1/delivery-zones', { body }))}
      save={(deliveryZoneId, body, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/delivery-zones/{deliveryZoneId}', {
            params: { path: { deliveryZoneId } },
            headers: ifUnchanged(updatedAt),
            body,
          }),
        )
      }
      loadAll={() => dataOf(api.GET('/staff/v1/delivery-zones'))}
      listKey="delivery-zones"
      shown={shown}
    >
      {(edit, saved) => <ZoneFields {...edit} zoneId={saved?.id ?? null} zones={zones} />}
    </SettingDialog>
  );
}

const labels: Partial<Record<keyof Zone, string>> = {
  name: t`Name`,
  postalCodes: t`ZIP codes`,
  orderMinimum: t`Order minimum`,
  deliveryFee: t`Delivery fee`,
  deliveryFeeDescription: t`Fee name`,
  taxIds: t`Taxes`,
  inventoryLocationIds: t`Stock from`,
};

function shown(name: keyof Zone, value: Zone[keyof Zone]) {
  const label = labels[name] ?? name;
  if (typeof value === 'number') return { label, value: dollars(value) };
  if (Array.isArray(value)) return { label, value: value.join(', ') || '–' };
  return { label, value: value ?? (name === 'taxIds' ? t`Default taxes` : '–') };
}
