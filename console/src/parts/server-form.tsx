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
import classes from './form-actions.module.css';
import { fieldRefusalInWords } from './refusal-words.ts';
import { CancelButton, Decision } from './sent-in-vain.tsx';
import { TypedFieldsContext, useTypedFields } from './typed-fields.ts';
import { failedWrite, isUnanswered, isUnsent } from './unanswered.ts';
import { useWrite } from './use-write.ts';

interface FieldErrors {
  of(path: string): string | undefined;
  /** A field says that it shows its errors; what no field shows stands on top. Answers how to take it back. */
  claim(path: string): () => void;
}

const FieldErrorsContext = createContext<FieldErrors>({ of: () => undefined, claim: () => () => {} });

/** The server's error of a field, for the `error` of its input. Path as in the body: `orderMinimums.delivery`. */
export function useFieldError(path: string): string | undefined {
  const { of, claim } = use(FieldErrorsContext);
  useEffect(() => claim(path), [claim, path]);
  return of(path);
}

/** Gives `children` the server's error of one field: `<Field path="name">{(error) => <TextInput error={error} …/>}</Field>`. */
export function Field({
  path,
  children,
}: {
  path: string;
  children: (error: string | undefined) => ReactNode;
}) {
  return children(useFieldError(path));
}

/** As `Field`, for a list in one input: also the errors of its items (`postalCodes[3]`), each with the item it is about. */
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

/** In a dialog one types at once: into the field that says so, else into the first; also when the form comes later. */
function useDialogFocus(form: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = form.current?.closest('[role="dialog"]');
    const marked = form.current?.querySelector<HTMLElement>('[data-autofocus]');
    const field = marked ?? form.current?.querySelector<HTMLElement>(typedInto);
    if (!dialog || !field) return;
    // The dialog looks for it as it opens.
    field.setAttribute('data-autofocus', 'true');
    if (document.activeElement?.matches('[role="dialog"] header *')) field.focus();
  }, [form]);
}

/** The second click of a double click sends nothing: the first may have been answered already. */
function onlyFirstClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

/**
 * A form whose judge is the server: `onSubmit` sends, and a refusal is shown beside the field it names, or on top; the
 * first such field gets the focus. While it is being sent, all of it is disabled, and nothing is sent twice. What a field
 * cannot read is not sent at all. A STALE_EDIT is handed to `onStale`.
 */
export function ServerForm({
  onSubmit,
  onDone,
  onStale,
  submit = 'Save',
  isDangerous = false,
  refused = 'Not saved',
  onCancel,
  cancel = 'Cancel',
  isReadOnly = false,
  isReady = true,
  children,
}: {
  onSubmit: () => Promise<unknown>;
  onDone?: () => void;
  onStale?: () => void;
  submit?: ReactNode;
  /** It cannot be taken back. */
  isDangerous?: boolean;
  /** Stands above a refusal. */
  refused?: string;
  onCancel?: () => void;
  /** What stands beside the action and leaves everything as it is. */
  cancel?: string;
  /** Shows everything, offers no button: the role may look. */
  isReadOnly?: boolean;
  /** What it asks for is there. */
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
  // Somebody has signed in again since: it can be sent now.
  const isOver = failure?.status === 401 && !hasEnded;
  const isStale = failure?.code === 'STALE_EDIT' && onStale !== undefined;
  const claimed = useRef(new Set<string>());
  const claim = useCallback((path: string) => {
    claimed.current.add(path);
    return () => void claimed.current.delete(path);
  }, []);
  const errors = useMemo<FieldErrors>(
    () => ({
      claim,
      of: (path) => (failure?.fields.includes(path) ? fieldRefusalInWords(failure, path) : undefined),
    }),
    [claim, failure],
  );
  const stands = failure?.fields.filter((path) => claimed.current.has(path)) ?? [];
  const isShownBeside = failure !== null && stands.length > 0 && stands.length === failure.fields.length;
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
              {failed && !isStale && !isOver && !isShownBeside && (
                <Alert color="red" role="alert" title={failed.title}>
                  {failed.message}
                  {(isUnsent(failure) || isUnanswered(failure)) && <Decision onDiscard={onCancel} />}
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
