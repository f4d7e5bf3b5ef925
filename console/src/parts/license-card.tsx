import { Stack, Text } from '@mantine/core';
import type { Schema } from '../api.ts';
import type { DriverLicense } from '../scanner/driver-license.ts';
import { t } from '../words/words.ts';
import classes from './license-card.module.css';
import { dayInWords } from './shop-day.tsx';

/** A scanned license, and what the service says of its holder. */
export interface ScannedHolder {
  readonly license: DriverLicense;
  readonly holder: Schema['LicenseHolder'];
}

/** Why nothing may be sold with this license; null: it may. */
export function obstacleOfLicense({ license, holder }: ScannedHolder): string | null {
  if (holder.suspected.length > 0) {
    return t`Is this customer on file? Choose the record, or add a new customer.`;
  }
  if (holder.customer === null) {
    return t`Underage: the minimum age is ${holder.minimumAge}. Sales are allowed from ${dayInWords(holder.allowedOn)}.`;
  }
  if (holder.isExpired && license.expiry !== null) {
    return t`The license expired on ${dayInWords(license.expiry)}. Ask for a valid ID.`;
  }
  return null;
}

/** The holder's age and the license's expiry, to be read from a step away. */
export function LicenseCard({ scanned }: { scanned: ScannedHolder }) {
  const { license, holder } = scanned;
  const obstacle = obstacleOfLicense(scanned);
  const { street1, city, state } = license.address;
  return (
    <Stack gap="xs" className={classes.card} data-refused={obstacle !== null || undefined}>
      <Text fw={600} fz="lg">
        {license.firstName} {license.lastName}
      </Text>
      <div className={classes.facts}>
        <div>
          <div className={classes.label}>{t`Age`}</div>
          <div
            className={classes.figure}
            data-bad={(holder.customer === null && holder.suspected.length === 0) || undefined}
          >
            {holder.age}
          </div>
          <div className={classes.label}>{t`born ${dayInWords(license.birthday)}`}</div>
        </div>
        <div>
          <div className={classes.label}>{holder.isExpired ? t`Expired` : t`Valid until`}</div>
          <div className={classes.figure} data-bad={holder.isExpired || undefined}>
            {license.expiry === null ? t`No expiry` : dayInWords(license.expiry)}
          </div>
          <div className={classes.label}>{[street1, city, state].filter(Boolean).join(', ')}</div>
        </div>
      </div>
      {obstacle && (
        <Text role="alert" fw={600} c="var(--mantine-color-error)">
          {obstacle}
        </Text>
      )}
      {holder.isNew && <Text size="sm">{t`A new customer was created.`}</Text>}
    </Stack>
  );
}
