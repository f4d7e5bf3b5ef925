import { createIntegrator, reissueClientKeys } from '../../access/keys/keys.ts';
import type { Environment } from '../../kernel/api-keys.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import { IdSource } from '../../platform/database/id-source.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import {
  decryptedBy,
  type EncryptionKey,
  lookAtBeginning,
  UnreadableStream,
} from '../../platform/storage/encrypted-stream.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { importOrganization, inWords, UnfitArchive } from './import-organization.ts';

/** How an organization is verified once it is there. */
export type VerifyOrganization = (organization: OrganizationId) => Promise<{
  readonly isWhole: boolean;
  /** What was found, for people. */
  readonly lines: readonly string[];
}>;

interface Arrival {
  readonly context: Context;
  readonly environment: Environment;
  readonly origin: Origin;
  /** A login that may switch triggers off: the superuser of the embedded database, or the owner of another. */
  readonly tables: ConnectionConfig;
  readonly documents: SealedFiles;
  readonly photos: BlobStore;
  /** As it was exported, encrypted or not. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** Asked only if it is encrypted. */
  readonly key: () => EncryptionKey | Promise<EncryptionKey>;
  readonly verify: VerifyOrganization;
  /** Throws once the caller is gone: then nothing is committed, as keys are shown once. */
  readonly assertAwaited?: () => void;
  readonly onTable?: (table: string, rows: number) => void;
}

/**
 * Takes an organization in as `importOrganization` does, notes it in its audit log, gives its client keys new texts and verifies it: what
 * the command and the operator's page do. Resolves to what happened, as lines for people and as data; both have the new keys. Fails with
 * an UnfitArchive, or a failure that says what the deployment lacks.
 */
export async function takeInOrganization(arrival: Arrival) {
  const { context, environment, origin, documents, photos, verify, assertAwaited, onTable } = arrival;
  const { isEncrypted, whole } = await lookAtBeginning(arrival.archive);
  const archive = isEncrypted ? decryptedBy(whole, await arrival.key()) : whole;
  // The block of ids that this process has may be one that came in: the next one is behind those.
  const ids = new IdSource(context.database);
  const imported = await withSession(arrival.tables, (client) =>
    importOrganization({
      ...{ client, archive, documents, photos, nowMs: context.clock.now(), ...(onTable && { onTable }) },
      // Of a block of its own: those after it may be among the ids that come in.
      takeId: () => new IdSource(context.database).takeOne(),
      makeIntegrator: (name, write) => createIntegrator(context, environment, name, write),
      closing: async (tx, { id, formerId }) => {
        assertAwaited?.();
        await announce(tx, { ids }, origin, context.clock.now(), {
          ...{ event: 'organization.moved_in', subjectType: 'organization', subjectId: id },
          ...{ payload: { organizationId: id }, details: { formerId } },
        });
      },
    }),
  ).catch((error: unknown) => {
    throw error instanceof UnreadableStream
      ? new UnfitArchive(`the archive ${error.message}`)
      : inWords(error);
  });
  const { id, name, formerId, sums, integrators } = imported;
  const clientKeys = await reissueClientKeys({ ...context, ids }, environment, origin, id);
  // The keys are shown whatever comes of it.
  const verification = await verify(id).catch((error: Error) => ({
    isWhole: false,
    lines: [`It could not be verified (${error.message}): run dispensary verify`],
  }));
  const rows = Object.values(sums.tables).reduce((sum, table) => sum + table.rows, 0);
  return {
    lines: [
      `Organization ${id} (${name}), formerly ${formerId}: ${rows} rows, ${sums.documents} documents and ${sums.photos} files of photos, equal by checksums`,
      ...integrators.map(
        (it) => `Integrator ${it.id} (${it.name}), consumer key (shown once): ${it.consumerKey}`,
      ),
      ...clientKeys.map(
        (key) => `Client key ${key.id} (${key.name}, ${key.integrator}), shown once: ${key.clientKey}`,
      ),
      ...(verification.isWhole ? ['Verified: it is whole'] : verification.lines),
      'It is suspended: compare, switch its connections to the state on, then resume it',
    ],
    data: { organizationId: id, name, formerId, rows, ...sums, integrators, clientKeys, verification },
  };
}
