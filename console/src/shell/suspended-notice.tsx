import { Alert } from '@mantine/core';
import { ShopTime } from '../parts/shop-time.tsx';
import { rich } from '../words/rich.ts';
import { t } from '../words/words.ts';

/** Tells on every screen that the shop is suspended, and when it is deleted, if that is set. */
export function SuspendedNotice({ endsAt }: { endsAt: string | null }) {
  return (
    <Alert color="red" radius={0} role="status" title={t`This shop is suspended`}>
      {t`You can view everything and change nothing. Only the service operator can lift this.`}
      {endsAt !== null &&
        rich` The shop is deleted with all its data on ${<ShopTime at={endsAt} style="full" />}.`}
    </Alert>
  );
}
