import { TextInput } from '@mantine/core';
import { Field } from '../parts/server-form.tsx';
import { t } from '../words/words.ts';

/** The code of an authenticator app, or a recovery code where one is accepted. */
export function CodeInput({
  code,
  onChange,
  takesRecoveryCode = true,
  isFirst = false,
}: {
  code: string;
  onChange: (code: string) => void;
  takesRecoveryCode?: boolean;
  isFirst?: boolean;
}) {
  return (
    <Field path="code">
      {(error) => (
        <TextInput
          label={t`Code`}
          description={
            takesRecoveryCode
              ? t`Six digits from your authenticator app, or a recovery code`
              : t`Six digits from your authenticator app`
          }
          autoComplete="one-time-code"
          inputMode={takesRecoveryCode ? 'text' : 'numeric'}
          data-autofocus={isFirst || undefined}
          className="numbers"
          error={error}
          value={code}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
