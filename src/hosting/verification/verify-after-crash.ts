import { concerns } from '../../kernel/concerns.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import { findingLine } from './report-lines.ts';
import { type QuickLook, type VerifiedData, verifyLatest } from './verify-data.ts';

/** Seconds of one connection, while the service already serves. */
const quickLook: QuickLook = { msMax: 30_000, orders: 500, documents: 20 };

const words =
  'After a crash, damage was found in the data of this deployment. Its operator finds it in the log; dispensary verify names all of it.';

interface VerificationLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Looks once at what was written last, beside the service. Each finding is a line of the log; then there is a concern until a
 * start without one. A verification that fails is logged.
 */
export function startVerifyingLatest(
  data: Omit<Parameters<typeof verifyLatest>[0], 'organizations'>,
  listOrganizations: () => Promise<VerifiedData['organizations']>,
  logger: VerificationLog,
): RunningJob & { readonly done: Promise<void> } {
  let isStopping = false;
  const look = async (): Promise<void> => {
    try {
      const organizations = await listOrganizations();
      const { isWhole, findings, checks } = await verifyLatest(
        { ...data, organizations },
        quickLook,
        () => isStopping,
      );
      for (const finding of findings) logger.error({ ...finding }, `verification: ${findingLine(finding)}`);
      concerns.set('verification', isWhole ? null : words);
      const skipped = checks.filter((check) => check.skipped !== null).map(({ check }) => check);
      logger.info(
        { isWhole, findings: findings.length, skipped },
        'the latest data was verified after a crash',
      );
    } catch (error) {
      logger.error({ err: error }, 'the latest data was not verified');
    }
  };
  const done = look();
  return {
    done,
    stop: () => {
      isStopping = true;
      return done;
    },
  };
}
