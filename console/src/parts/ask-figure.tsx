import { Alert, Checkbox } from '@mantine/core';

/** Asks about a figure that is hardly meant; it counts only once somebody has said so. */
export function AskFigure({
  question,
  yes,
  isConfirmed,
  onConfirm,
}: {
  question: string;
  /** What is said by ticking it: `Yes, 4,100 were counted`. */
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
