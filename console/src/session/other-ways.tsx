import { Anchor, Stack } from '@mantine/core';
import { t } from '../words/words.ts';
import { CompanyButton } from './company-button.tsx';
import { signInWithPasskey } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { tellOtherTabs } from './session-news.ts';

/** Below email and password: other ways in. */
export default function OtherWays({ onDone, onForgotten }: { onDone: () => void; onForgotten: () => void }) {
  return (
    <Stack gap="md">
      <PasskeyButton
        label={t`Sign in with a passkey`}
        onUse={() => signInWithPasskey()}
        onDone={() => {
          tellOtherTabs();
          onDone();
        }}
      />
      <CompanyButton label={t`Sign in with your company's account`} />
      <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
        {t`Forgot your password?`}
      </Anchor>
    </Stack>
  );
}
