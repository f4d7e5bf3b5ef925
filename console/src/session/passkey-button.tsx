import { Alert, Button, Stack } from '@mantine/core';
import { ApiFailure } from '../api.ts';
import { messageOf } from '../parts/load-failure.tsx';
import { useWrite } from '../parts/use-write.ts';
import { t } from '../words/words.ts';
import { hasPasskeys, passkeyMessage } from './passkey.ts';

/** Does something with a passkey, and says why it did not; nothing where the browser has none. */
export function PasskeyButton({
  label,
  onUse,
  onDone,
}: {
  label: string;
  onUse: () => Promise<void>;
  onDone: () => void;
}) {
  const use = useWrite({ mutationFn: onUse, onSuccess: onDone });
  if (!hasPasskeys()) return null;
  return (
    <Stack gap="xs">
      {use.error && (
        <Alert color="red" role="alert" title={t`No passkey used`}>
          {inWords(use.error)}
        </Alert>
      )}
      <Button variant="default" fullWidth loading={use.isPending} onClick={() => use.mutate()}>
        {label}
      </Button>
    </Stack>
  );
}

function inWords(error: Error): string {
  if (error instanceof ApiFailure && error.status === 401) return t`This passkey does not sign you in here.`;
  return passkeyMessage(error) ?? messageOf(error);
}
