import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type DoorIdFault, judgeDoorId } from '../../../../src/engines/duties/door-id.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { useLicenseScans } from '../../scanner/use-scans.ts';
import { useSession } from '../../session/session.tsx';
import type { SeenId, TripStop } from '../../trip/trip-acts.ts';
import { t } from '../../words/words.ts';

const faultWords: Readonly<Record<DoorIdFault, string>> = {
  underage: t`Underage: hand nothing over.`,
  expired: t`The ID has expired. Ask for a valid one, or hand nothing over.`,
  'other-birthday': t`The birthday is not the buyer's. Only the buyer may take the goods.`,
  'other-name': t`The name is not the buyer's. Only the buyer may take the goods.`,
};

/** Why nothing is handed over with this ID, by the rules of the counter; null: it may be. */
export function useDoorIdFault(stop: TripStop, seen: SeenId | null): DoorIdFault | null {
  const { tz } = useSession().organization;
  if (seen === null) return null;
  const minimumAge = stop.buyer?.minimumAge ?? usualAge;
  return judgeDoorId({ seen, buyer: stop.buyer, today: shopDayAt(shopNow(), tz), minimumAge });
}

/** The age for an order without a customer. */
const usualAge = 21;

/** The ID at the door: scanned by a scanner or the camera, or read and typed. `onSeen` gets null while it is incomplete. */
export function DoorId({
  stop,
  seen,
  onSeen,
}: {
  stop: TripStop;
  seen: SeenId | null;
  onSeen: (seen: SeenId | null) => void;
}) {
  const fault = useDoorIdFault(stop, seen);
  const { tz } = useSession().organization;
  const [isTyping, setTyping] = useState(false);
  useLicenseScans(({ firstName, lastName, birthday, expiry }) => {
    setTyping(false);
    onSeen({ how: 'scan', firstName, lastName, birthday, expiry });
  });
  return (
    <>
      <CameraScan />
      {seen === null && !isTyping && (
        <Button variant="default" onClick={() => setTyping(true)}>
          {t`Type what the ID says`}
        </Button>
      )}
      {isTyping && <TypedId stop={stop} onSeen={onSeen} />}
      {seen !== null && (
        <Alert
          color={fault === null ? 'teal' : 'red'}
          role={fault === null ? 'status' : 'alert'}
          title={t`${`${seen.firstName} ${seen.lastName}`.trim()}, age ${ageOn(shopDayAt(shopNow(), tz), seen.birthday)}`}
        >
          <Text size="sm">
            {seen.expiry === null ? t`No expiry` : t`Valid until ${dayInWords(seen.expiry)}`}
          </Text>
          {fault !== null && <Text fw={600}>{faultWords[fault]}</Text>}
        </Alert>
      )}
    </>
  );
}

function TypedId({ stop, onSeen }: { stop: TripStop; onSeen: (seen: SeenId | null) => void }) {
  const [typed, setTyped] = useState<{
    firstName: string;
    lastName: string;
    birthday: string | null;
    expiry: string | null;
  }>({ firstName: '', lastName: '', birthday: null, expiry: null });
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    const { firstName, lastName, birthday, expiry } = next;
    const isWhole = birthday !== null && expiry !== null && `${firstName}${lastName}`.trim() !== '';
    onSeen(
      isWhole
        ? { how: 'eye', firstName: firstName.trim(), lastName: lastName.trim(), birthday, expiry }
        : null,
    );
  };
  return (
    <>
      <TextInput
        label={t`First name on the ID`}
        autoComplete="off"
        maxLength={100}
        value={typed.firstName}
        onChange={({ currentTarget }) => change({ firstName: currentTarget.value })}
      />
      <TextInput
        label={t`Last name on the ID`}
        description={
          stop.buyer ? t`The buyer is ${`${stop.buyer.firstName} ${stop.buyer.lastName}`.trim()}.` : undefined
        }
        autoComplete="off"
        maxLength={100}
        value={typed.lastName}
        onChange={({ currentTarget }) => change({ lastName: currentTarget.value })}
      />
      <DayInput label={t`Birthday`} day={typed.birthday} onChange={(birthday) => change({ birthday })} />
      <DayInput label={t`Valid until`} day={typed.expiry} onChange={(expiry) => change({ expiry })} />
    </>
  );
}
