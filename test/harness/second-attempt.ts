import { relative } from 'node:path';
import { beforeAll, type RunnerTestCase, type RunnerTestSuite } from 'vitest';

/**
 * Files whose tests drive browsers or processes of their own. All others fail at their first attempt: another draw of random
 * cases would hide what the first one found.
 */
const drivesOthers =
  /^(console\/proofs|examples|sdk|cli|src\/hosting\/embedded-postgres|test\/rolling)\/|^src\/app\/main\.test\.ts$/;

// biome-ignore lint/correctness/noEmptyPattern: the runner demands a pattern of fixtures, and none is needed
beforeAll(({}, suite) => {
  const file = relative(process.cwd(), suite.file.filepath).replaceAll('\\', '/');
  if (!drivesOthers.test(file)) withoutSecondAttempt(suite.file);
});

function withoutSecondAttempt(task: RunnerTestCase | RunnerTestSuite): void {
  if (task.type === 'test') task.retry = 0;
  else for (const child of task.tasks) withoutSecondAttempt(child as RunnerTestCase | RunnerTestSuite);
}
