import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { LongTextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { RoleGate } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { taxesQuery } from './setting-lists.ts';

type LeftTax = Schema['OrganizationSettings']['leftTaxes'][number];

const settingsQuery = {
  // Under the key of the taxes: invalidated with them.
  queryKey: [...taxesQuery.queryKey, 'left'],
  queryFn: () => dataOf(api.GET('/staff/v1/organization')),
};

/** What the state's preset leaves to the owner, until it is set up or dismissed with a reason. */
export function LeftTaxes() {
  const settings = useQuery(settingsQuery).data;
  const [dismissed, setDismissed] = useState<LeftTax | null>(null);
  if (settings === undefined || settings.leftTaxes.length === 0) return null;
  return (
    <Alert color="yellow" title={t`The preset of your state leaves these taxes to you`}>
      <Stack gap="xs">
        {settings.leftTaxes.map((left) => (
          <Group key={left.key} justify="space-between" wrap="nowrap" align="start">
            <Text size="sm">{left.text}</Text>
            <RoleGate right="updateOrganization">
              <Button size="xs" variant="default" flex="none" onClick={() => setDismissed(left)}>
                {t`Not due here`}
              </Button>
            </RoleGate>
          </Group>
        ))}
      </Stack>
      <Modal
        opened={dismissed !== null}
        onClose={() => setDismissed(null)}
        title={t`Why is this tax not due?`}
      >
        {dismissed && (
          <Dismissal
            left={dismissed}
            before={settings.leftTaxesDismissed}
            onClose={() => setDismissed(null)}
          />
        )}
      </Modal>
    </Alert>
  );
}

function Dismissal({
  left,
  before,
  onClose,
}: {
  left: LeftTax;
  before: Schema['OrganizationSettings']['leftTaxesDismissed'];
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const dismiss = async () => {
    const leftTaxesDismissed = [...before, { key: left.key, reason }];
    await dataOf(api.PATCH('/staff/v1/organization', { body: { leftTaxesDismissed } }));
    void queryClient.invalidateQueries({ queryKey: taxesQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['organization'] });
    notifyDone(t`The tax is dismissed.`);
  };
  return (
    <ServerForm submit={t`Not due here`} onCancel={onClose} onSubmit={dismiss} onDone={onClose}>
      <Stack>
        <Text size="sm">{left.text}</Text>
        <LongTextField
          path="leftTaxesDismissed"
          label={t`Reason`}
          required
          description={t`Name the person and the source. It is saved in the audit log.`}
          data-autofocus
          value={reason}
          onChange={setReason}
        />
      </Stack>
    </ServerForm>
  );
}
