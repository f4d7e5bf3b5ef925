import { IconCloudCheck, IconCloudOff, IconCloudQuestion } from '@tabler/icons-react';
import { useConnection } from '../parts/connection.ts';
import { ShopTime } from '../parts/shop-time.tsx';
import { rich } from '../words/rich.ts';
import { t } from '../words/words.ts';
import classes from './connection-status.module.css';

const kinds = {
  online: { icon: IconCloudCheck, word: t`Online` },
  reconnecting: { icon: IconCloudQuestion, word: t`Reconnecting` },
  offline: { icon: IconCloudOff, word: t`Offline` },
} as const;

/** Shows whether the service is reachable and, if not, since when. Data on screen is as old as that. */
export function ConnectionStatus() {
  const connection = useConnection();
  const { icon: Icon, word } = kinds[connection.status];
  return (
    <div role="status" aria-label={t`Connection`} className={classes.status} data-status={connection.status}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={classes.words}>
        {word}
        {connection.status !== 'online' && (
          <span className={classes.since}>
            {rich` since ${<ShopTime at={new Date(connection.since).toISOString()} style="time" />}`}
          </span>
        )}
      </span>
    </div>
  );
}
