import { TextInput } from '@mantine/core';
import { Field } from '../parts/server-form.tsx';

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
          label="Code"
          description={
            takesRecoveryCode
              ? 'Six digits from your authenticator app, or a recovery code'
              : 'Six digits from your authenticator app'
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
