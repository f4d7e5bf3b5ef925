import { Alert, Checkbox } from '@mantine/core';

/** Asks to confirm an implausible figure; it counts only once confirmed. */
export function ConfirmFigure({
  question,
  yes,
  isConfirmed,
  onConfirm,
}: {
  question: string;
  /** The label of the checkbox: `Yes, 4,100 were counted`. */
  yes: string;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}) {
  return (
    <Alert color="yellow" role="alert" p="xs" title={question}>
      <Checkbox
        label={yes}
        checked={isConfirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
      />
    </Alert>
  );
}
