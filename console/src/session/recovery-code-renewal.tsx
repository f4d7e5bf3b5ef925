import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api.ts';
import { notifyError } from '../parts/toasts.tsx';
import { useWrite } from '../parts/use-write.ts';
import { plural, t } from '../words/words.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';

/** Makes recovery codes and shows them once. `onDone`: the person has kept them. */
export function RecoveryCodeRenewal({ onDone }: { onDone?: () => void }) {
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renew = useWrite({
    mutationFn: () => dataOf(api.POST('/staff/v1/me/recovery-codes')),
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      void queryClient.invalidateQueries({ queryKey: ['me', 'second-factor'] });
    },
    onError: notifyError,
  });
  const close = () => {
    setCodes(null);
    onDone?.();
  };
  return (
    <>
      <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
        {t`New recovery codes`}
      </Button>
      <Modal
        opened={codes !== null}
        onClose={close}
        title={t`Your recovery codes`}
        closeOnClickOutside={false}
        withCloseButton={false}
      >
        {codes && <RecoveryCodeList codes={codes} onDone={close} />}
      </Modal>
    </>
  );
}

/** How many are left, in words. */
export function codesInWords(left: number): string {
  if (left === 0) return t`No recovery codes are left: make new ones.`;
  return plural(left, { one: t`One recovery code is left.`, other: t`${left} recovery codes are left.` });
}
