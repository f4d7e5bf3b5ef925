import {
  Modal,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { denominationName, denominations, type Pieces, piecesValue } from './denominations.ts';
import type { DrawerReport } from './registers-query.ts';

/** Reads registers and sessions again after a write. */
function useDrawerRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ['registers', 'drawer-sessions'].map((resource) => client.invalidateQueries({ queryKey: [resource] })),
    );
}

/** Opens the drawer with the cash that is counted into it. */
export function OpenDrawerDialog({ registerId, onClose }: { registerId: number; onClose: () => void }) {
  const refresh = useDrawerRefresh();
  const [pieces, setPieces] = useState<Pieces>({});
  const [typed, setTyped] = useState<number | null>(null);
  const float = typed ?? piecesValue(pieces);
  const send = async () => {
    await dataOf(
      api.POST('/staff/v1/registers/{registerId}/drawer-sessions', {
        params: { path: { registerId } },
        body: { float },
      }),
    );
    await refresh();
    notifyDone(t`The drawer is open with ${dollars(float)}.`);
  };
  return (
    <Modal opened onClose={onClose} title={t`Open drawer`} size="lg">
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Open with ${dollars(float)}`}>
        <Field path="float">
          {(error) => (
            <MoneyInput
              label={t`Cash in the drawer`}
              description={t`Type the amount, or count it below`}
              data-autofocus
              error={error}
              cents={float}
              onChange={setTyped}
            />
          )}
        </Field>
        <CashPad
          pieces={pieces}
          onChange={(next) => {
            setPieces(next);
            setTyped(null);
          }}
        />
      </ServerForm>
    </Modal>
  );
}

const kinds = {
  'paid-in': { label: t`Pay in`, done: t`paid in` },
  'paid-out': { label: t`Pay out`, done: t`paid out` },
  drop: { label: t`Drop to safe`, done: t`dropped to the safe` },
} as const;
export type MoveKind = keyof typeof kinds;

/** Pays into or out of the drawer, or drops to the safe, with a reason. Managers alone pay out. */
export function MoveCashDialog({
  sessionId,
  kind: first,
  onClose,
}: {
  sessionId: number;
  kind: MoveKind;
  onClose: () => void;
}) {
  const refresh = useDrawerRefresh();
  const mayPayOut = useCan('updateRegister');
  const [kind, setKind] = useState<MoveKind>(first);
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const send = async () => {
    await dataOf(
      api.POST('/staff/v1/drawer-sessions/{drawerSessionId}/movements', {
        params: { path: { drawerSessionId: sessionId } },
        body: { kind, amount: amount ?? 0, reason },
      }),
    );
    await refresh();
    notifyDone(`${dollars(amount ?? 0)} ${kinds[kind].done}.`);
  };
  const choices = (Object.keys(kinds) as MoveKind[]).filter((it) => it !== 'paid-out' || mayPayOut);
  return (
    <Modal opened onClose={onClose} title={t`Move cash`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={kinds[kind].label}>
        <SegmentedControl
          fullWidth
          aria-label={t`What to do`}
          value={kind}
          onChange={(value) => setKind(value as MoveKind)}
          data={choices.map((value) => ({ value, label: kinds[value].label }))}
        />
        <Field path="amount">
          {(error) => (
            <MoneyInput
              label={t`Amount`}
              required
              data-autofocus
              error={error}
              cents={amount}
              onChange={setAmount}
            />
          )}
        </Field>
        <Field path="reason">
          {(error) => (
            <TextInput
              label={t`Reason`}
              required
              maxLength={500}
              error={error}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}

/** Counts the drawer blind, and closes it: what is expected is shown after the count only. */
export function CloseDrawerDialog({
  sessionId,
  onClosed,
  onClose,
}: {
  sessionId: number;
  onClosed: (report: DrawerReport) => void;
  onClose: () => void;
}) {
  const refresh = useDrawerRefresh();
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/payment-types', { signal })),
  });
  const [pieces, setPieces] = useState<Pieces>({});
  const [typed, setTyped] = useState<number | null>(null);
  const [others, setOthers] = useState<Readonly<Record<number, number | null>>>({});
  const [note, setNote] = useState('');
  const counted = typed ?? piecesValue(pieces);
  // An Enter too many does not close an uncounted drawer.
  const isCounted = typed !== null || Object.keys(pieces).length > 0;
  const shown = (types.data ?? []).filter(
    ({ method, archivedAt }) => method !== 'cash' && archivedAt === null,
  );
  const send = async () => {
    const report = await dataOf(
      api.POST('/staff/v1/drawer-sessions/{drawerSessionId}/close', {
        params: { path: { drawerSessionId: sessionId } },
        body: {
          counts: [
            { paymentTypeId: null, counted },
            ...shown.map(({ id }) => ({ paymentTypeId: id, counted: others[id] ?? 0 })),
          ],
          ...(note.trim() !== '' && { note }),
        },
      }),
    );
    await refresh();
    onClosed(report);
  };
  return (
    <Modal opened onClose={onClose} title={t`Count and close`} size="lg">
      <ServerForm
        onSubmit={send}
        onCancel={onClose}
        submit={t`Close with ${dollars(counted)} cash`}
        isReady={types.isSuccess && isCounted}
      >
        <Text size="sm" c="dimmed">
          {t`Count the cash. The expected amount is shown afterwards.`}
        </Text>
        <MoneyInput
          label={t`Cash counted`}
          description={t`Type the amount, or count it below`}
          data-autofocus
          cents={isCounted ? counted : null}
          onChange={setTyped}
        />
        <CashPad
          pieces={pieces}
          onChange={(next) => {
            setPieces(next);
            setTyped(null);
          }}
        />
        {shown.map(({ id, name }) => (
          <MoneyInput
            key={id}
            label={name}
            description={t`Total of the receipts or of the terminal`}
            cents={others[id] ?? null}
            onChange={(cents) => setOthers({ ...others, [id]: cents })}
          />
        ))}
        <Textarea
          label={t`Note`}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </ServerForm>
    </Modal>
  );
}

/** A field for the pieces of each bill and coin. */
function CashPad({ pieces, onChange }: { pieces: Pieces; onChange: (pieces: Pieces) => void }) {
  return (
    <Stack gap={4} role="group" aria-label={t`Bills and coins`}>
      <SimpleGrid cols={{ base: 2, xs: 5 }} spacing="sm">
        {denominations.map((cents) => (
          <NumberInput
            key={cents}
            size="md"
            label={denominationName(cents)}
            aria-label={t`Pieces of ${denominationName(cents)}`}
            inputMode="numeric"
            min={0}
            max={100_000}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            hideControls
            placeholder="0"
            value={pieces[cents] ?? ''}
            onChange={(value) => onChange({ ...pieces, [cents]: Number(value) || 0 })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
