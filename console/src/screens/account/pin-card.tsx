import { useState } from 'react';
import { api } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { PinInput } from '../../session/pin-dialogs.tsx';
import { t } from '../../words/words.ts';

/** The PIN of the signed-in person, for shared registers. */
export function PinCard() {
  const [pin, setPin] = useState('');
  return (
    <SectionCard
      title={t`PIN`}
      hint={t`At a shared register, press F7 and enter your PIN to take over. A manager's PIN approves what a budtender may not do alone.`}
    >
      <ServerForm
        submit={t`Set PIN`}
        isReady={pin.length >= 4}
        onSubmit={() => api.PUT('/staff/v1/me/pin', { body: { pin } })}
        onDone={() => {
          setPin('');
          notifyDone(t`Your PIN is set.`);
        }}
      >
        <PinInput label={t`New PIN, 4 to 8 digits; 6 for managers`} pin={pin} onChange={setPin} />
      </ServerForm>
    </SectionCard>
  );
}
