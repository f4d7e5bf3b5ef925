import { Alert, Anchor, Button, Progress, Skeleton, Text } from '@mantine/core';
import { said, t } from '../../words/words.ts';
import '@mantine/core/styles/Progress.css';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { firstStepsQuery, readinessQuery } from '../../shell/first-steps-query.ts';
import classes from './get-started.module.css';
import { stepWords } from './step-words.ts';

type FirstSteps = Schema['FirstSteps'];

/** What a new shop still lacks, each step with the way to its form. */
export function Component() {
  const steps = useQuery({ ...firstStepsQuery, staleTime: 0 });
  return (
    <Page kind="form">
      <PageHeader title={t`Get started`} actions={steps.data && <HideButton hidden={steps.data.hidden} />}>
        {t`What your shop needs before its first sale. Leave anytime: finished steps stay checked off.`}
      </PageHeader>
      <LawFirst />
      {steps.isPending && <Skeleton height={480} radius="md" />}
      {steps.error && !steps.data && <LoadFailure error={steps.error} onRetry={() => steps.refetch()} />}
      {steps.data && <Steps of={steps.data} />}
    </Page>
  );
}

/** The law of the state comes before every step: what it asks, and what is missing or unknown. */
function LawFirst() {
  const { data } = useQuery(readinessQuery);
  if (data === undefined) return null;
  const count = (standing: (typeof data.lines)[number]['standing']) =>
    data.lines.filter((line) => line.standing === standing).length;
  return (
    <Alert color={data.reporting.isSetUp ? 'teal' : 'yellow'} title={said(data.reporting.words)}>
      {t`Of ${data.lines.length} duties of a shop in ${data.state}, ${count('missing')} are not met yet; for ${count('unknown')}, the law is not known.`}{' '}
      <Anchor component={Link} to="/settings/readiness" size="sm" underline="always">
        {t`Ready to open`}
      </Anchor>
    </Alert>
  );
}

function Steps({ of: { steps, remaining, canSell } }: { of: FirstSteps }) {
  const done = steps.length - remaining;
  // The first that is open is the next one to do.
  const next = steps.find((it) => !it.done)?.step;
  return (
    <>
      <Progress value={(100 * done) / steps.length} aria-label={t`Steps that are done`} />
      <Text size="sm" aria-live="polite">
        {inWords(done, steps.length, canSell)}{' '}
        {remaining === 0 && (
          <Anchor component={Link} to="/today" size="sm" underline="always">
            {t`Go to Today`}
          </Anchor>
        )}
      </Text>
      <ol className={classes.steps} aria-label={t`First steps`}>
        {steps.map(({ step, done: isDone, neededToSell }) => {
          const { title, why, verb, to } = stepWords[step];
          return (
            <li key={step} className={`${classes.step} ${isDone ? classes.done : classes.open}`}>
              {isDone ? (
                <IconCircleCheckFilled size={24} aria-hidden />
              ) : (
                <IconCircle size={24} stroke={1.6} aria-hidden />
              )}
              <div className={classes.words}>
                <Text size="sm" component="h2" className={classes.title}>
                  {title}
                  {isDone && <span className="unseen">{t`, done`}</span>}
                  {!isDone && !neededToSell && (
                    <Text span size="xs" c="dimmed" fw={400}>
                      {t` · can wait`}
                    </Text>
                  )}
                </Text>
                {!isDone && (
                  <Text size="sm" c="dimmed">
                    {why}
                  </Text>
                )}
              </div>
              {!isDone && (
                <Button
                  component={Link}
                  to={to}
                  size="xs"
                  variant={step === next ? 'filled' : 'default'}
                  aria-label={`${verb}: ${title}`}
                >
                  {verb}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function inWords(done: number, all: number, canSell: boolean): string {
  if (done === all) return t`All steps are done. Your shop is ready.`;
  const words = t`${done} of ${all} steps are done.`;
  return canSell ? t`${words} You can sell now; what is left makes it easier.` : words;
}

/** Takes the list out of the navigation for every owner, and puts it back. */
function HideButton({ hidden }: { hidden: boolean }) {
  const queryClient = useQueryClient();
  const change = useWrite({
    mutationFn: (firstStepsHidden: boolean) =>
      dataOf(api.PATCH('/staff/v1/organization', { body: { firstStepsHidden } })),
    onSuccess: ({ firstStepsHidden }) => {
      notifyDone(firstStepsHidden ? t`The list is hidden.` : t`The list is in the navigation again.`);
      void queryClient.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ['organization'] });
    },
    onError: notifyError,
  });
  return (
    <Button variant="default" loading={change.isPending} onClick={() => change.mutate(!hidden)}>
      {hidden ? t`Show in the navigation` : t`Hide this list`}
    </Button>
  );
}
