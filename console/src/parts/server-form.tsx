import { Alert, Button, Group, Stack } from '@mantine/core';
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { ApiFailure } from '../api.ts';
import { useSessionEnd } from '../session/session-end.ts';
import { t } from '../words/words.ts';
import classes from './form-actions.module.css';
import { fieldRefusalInWords, refusedFields } from './refusal-words.ts';
import { TypedFieldsContext, useTypedFields } from './typed-fields.ts';
import { failedWrite, isUnanswered, isUnsent } from './unanswered.ts';
import { CancelButton, UnansweredChoices } from './unanswered-form.tsx';
import { useWrite } from './use-write.ts';

interface FieldErrors {
  of(path: string): string | undefined;
  /** A field claims the errors it shows; unclaimed errors appear at the top. Returns the function that gives the claim back. */
  claim(path: string): () => void;
}

const FieldErrorsContext = createContext<FieldErrors>({ of: () => undefined, claim: () => () => {} });

/** The server's error for a field, for the `error` prop of its input. The path is as in the body: `orderMinimums.delivery`. */
export function useFieldError(path: string): string | undefined {
  const { of, claim } = use(FieldErrorsContext);
  useEffect(() => claim(path), [claim, path]);
  return of(path);
}

/**
 * Passes the server's error for one field to `children`: `<Field path="name">{(error) => <TextInput error={error}
 * …/>}</Field>`.
 */
export function Field({
  path,
  children,
}: {
  path: string;
  children: (error: string | undefined) => ReactNode;
}) {
  return children(useFieldError(path));
}

/** Like `Field`, for a list in one input: also shows the errors of its items (`postalCodes[3]`), each with its item. */
export function ListField({
  path,
  items,
  children,
}: {
  path: string;
  items: readonly string[];
  children: (error: string | undefined) => ReactNode;
}) {
  const { of, claim } = use(FieldErrorsContext);
  const { length } = items;
  useEffect(() => {
    const taken = [path, ...Array.from({ length }, (_, index) => `${path}[${index}]`)].map(claim);
    return () => {
      for (const giveBack of taken) giveBack();
    };
  }, [claim, path, length]);
  const ofItems = items.flatMap((item, index) => {
    const error = of(`${path}[${index}]`);
    return error === undefined ? [] : [`${item}: ${error}`];
  });
  return children(of(path) ?? ofItems[0]);
}

const typedInto = 'input:not([type=radio], [type=checkbox], [type=file], :disabled), textarea:not(:disabled)';

/** Focuses a field in a dialog: the marked one, otherwise the first; also when the form renders later. */
export function useDialogFocus(form: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = form.current?.closest('[role="dialog"]');
    const marked = form.current?.querySelector<HTMLElement>('[data-autofocus]');
    const field = marked ?? form.current?.querySelector<HTMLElement>(typedInto);
    if (!dialog || !field) return;
    // The dialog looks for it when it opens.
    field.setAttribute('data-autofocus', 'true');
    if (document.activeElement?.matches('[role="dialog"] header *')) field.focus();
  }, [form]);
}

/** The errors of a refusal by field, and whether fields show all of them. */
function useClaimedErrors(failure: ApiFailure | null): { errors: FieldErrors; areAllClaimed: boolean } {
  const claimed = useRef(new Set<string>());
  const claim = useCallback((path: string) => {
    claimed.current.add(path);
    return () => void claimed.current.delete(path);
  }, []);
  const errors = useMemo<FieldErrors>(
    () => ({
      claim,
      of: (path) =>
        failure && refusedFields(failure).includes(path) ? fieldRefusalInWords(failure, path) : undefined,
    }),
    [claim, failure],
  );
  const fields = failure ? refusedFields(failure) : [];
  return { errors, areAllClaimed: fields.length > 0 && fields.every((path) => claimed.current.has(path)) };
}

/** Ignores the second click of a double click: the first may be answered already. */
function onlyFirstClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

/**
 * A form validated by the server: `onSubmit` sends, and a refusal appears beside the field it names, or at the top; the first
 * such field gets the focus. While sending, the form is disabled and cannot be sent twice. Fields with invalid input block
 * sending. A STALE_EDIT goes to `onStale`.
 */
export function ServerForm({
  onSubmit,
  onDone,
  onStale,
  submit = t`Save`,
  isDangerous = false,
  refused = t`Not saved`,
  onCancel,
  cancel = t`Cancel`,
  isReadOnly = false,
  isReady = true,
  children,
}: {
  onSubmit: () => Promise<unknown>;
  onDone?: () => void;
  onStale?: () => void;
  submit?: ReactNode;
  /** The action cannot be undone. */
  isDangerous?: boolean;
  /** The title above a refusal. */
  refused?: string;
  onCancel?: () => void;
  /** The button beside the action that changes nothing. */
  cancel?: string;
  /** Shows all fields without a submit button: the role may only read. */
  isReadOnly?: boolean;
  /** Whether the required input is complete. */
  isReady?: boolean;
  children: ReactNode;
}) {
  const body = useRef<HTMLFieldSetElement>(null);
  const focusFirstMistake = () =>
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const send = useWrite({
    mutationFn: () => onSubmit(),
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'STALE_EDIT' && onStale) onStale();
      else focusFirstMistake();
    },
  });
  useDialogFocus(body);
  const typed = useTypedFields();
  const failed = send.error && failedWrite(send.error, refused);
  const hasEnded = useSessionEnd();
  const failure = send.error instanceof ApiFailure ? send.error : null;
  // There is a session again, so the form can be sent now.
  const isOver = failure?.status === 401 && !hasEnded;
  const isStale = failure?.code === 'STALE_EDIT' && onStale !== undefined;
  const { errors, areAllClaimed } = useClaimedErrors(failure);
  const onFormSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isReadOnly || !isReady) return;
    if (typed.haveMistakes()) focusFirstMistake();
    else send.mutate();
  };
  return (
    <form onSubmit={onFormSubmit} noValidate>
      <fieldset ref={body} className="bare" disabled={send.isPending || isReadOnly}>
        <FieldErrorsContext value={errors}>
          <TypedFieldsContext value={typed.context}>
            <Stack gap="md">
              {failed && !isStale && !isOver && !areAllClaimed && (
                <Alert color="red" role="alert" title={failed.title}>
                  {failed.message}
                  {(isUnsent(failure) || isUnanswered(failure)) && <UnansweredChoices onDiscard={onCancel} />}
                </Alert>
              )}
              {children}
            </Stack>
          </TypedFieldsContext>
        </FieldErrorsContext>
      </fieldset>
      {!isReadOnly && (
        <Group justify="flex-end" className={classes.actions}>
          {onCancel && <CancelButton label={cancel} isPending={send.isPending} onCancel={onCancel} />}
          <Button
            type="submit"
            color={isDangerous ? 'red.9' : undefined}
            loading={send.isPending}
            disabled={!isReady}
            onClick={onlyFirstClick}
          >
            {submit}
          </Button>
        </Group>
      )}
    </form>
  );
}
