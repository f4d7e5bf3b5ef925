import type { S3Client } from '@aws-sdk/client-s3';
import { failure } from '../../kernel/failure.ts';
import { assertBlobName, type BlobStore, isBlobName } from './blob-store.ts';

/** A bucket of an S3-compatible store, and the credentials. */
export interface BucketSettings {
  readonly bucket: string;
  /** The prefix of all object keys, without slashes at its ends; '' for none. */
  readonly prefix: string;
  /** Undefined: the public one of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined: those of the role of the machine or container. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether the bucket is part of the path instead of the host name. */
  readonly isPathStyle: boolean;
}

/** A problem found by the startup check. */
interface BucketTrouble {
  /** The settings that look wrong; null: the problem may be temporary. */
  readonly settings: string | null;
  readonly words: string;
}

/** Time limits for a caller. */
interface Bounds {
  readonly attempts: number;
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** All attempts, to the last byte. */
  readonly totalMs: number;
}

/** A minute is enough for 15 MB at 2 Mbit/s. */
const boundsByDefault: Bounds = { attempts: 3, connectMs: 3_000, silenceMs: 5_000, totalMs: 60_000 };

export interface S3Options {
  /** Gets the reason of a failure, without secrets; the caller gets only the failure. */
  readonly report: (problem: string) => void;
  readonly bounds?: Bounds;
}

export interface S3Connection {
  readonly commands: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

/** A store whose files can be listed, page by page. */
export interface ListedStore extends BlobStore {
  /** Some files, with the time of their last change by the clock of the store; `after`: the `next` of the page before. */
  page(after?: string): Promise<{
    readonly files: readonly { readonly name: string; readonly changedAtMs: number }[];
    readonly next: string | undefined;
  }>;
}

/** Keeps blobs as objects of a bucket, in a separate folder below its prefix. */
export class S3BlobStore implements ListedStore {
  readonly #settings: BucketSettings;
  readonly #keyHead: string;
  readonly #report: S3Options['report'];
  readonly #bounds: Bounds;
  #connection: Promise<S3Connection> | undefined;

  constructor(settings: BucketSettings, folder: string, { report, bounds = boundsByDefault }: S3Options) {
    this.#settings = settings;
    this.#keyHead = settings.prefix === '' ? `${folder}/` : `${settings.prefix}/${folder}/`;
    this.#report = report;
    this.#bounds = bounds;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    assertBlobName(name);
    await this.#ask('put', ({ commands, client }, object, abortSignal) =>
      client.send(new commands.PutObjectCommand({ ...object(name), Body: bytes }), { abortSignal }),
    );
  }

  async get(name: string): Promise<Buffer | null> {
    if (!isBlobName(name)) return null;
    return this.#ask('get', async ({ commands, client }, object, abortSignal) => {
      try {
        const { Body } = await client.send(new commands.GetObjectCommand(object(name)), { abortSignal });
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      } catch (error) {
        if (error instanceof commands.NoSuchKey) return null;
        throw error;
      }
    });
  }

  async delete(name: string): Promise<void> {
    assertBlobName(name);
    await this.#ask('delete', ({ commands, client }, object, abortSignal) =>
      client.send(new commands.DeleteObjectCommand(object(name)), { abortSignal }),
    );
  }

  /** The names of all files that begin so, in their order. */
  async list(start: string): Promise<string[]> {
    return this.#ask('list', async ({ commands, client }, object, abortSignal) => {
      const { Bucket, Key: Prefix } = object(start);
      const names: string[] = [];
      for (let token: string | undefined; ; ) {
        const { Contents = [], NextContinuationToken } = await client.send(
          new commands.ListObjectsV2Command({ Bucket, Prefix, ...(token && { ContinuationToken: token }) }),
          { abortSignal },
        );
        for (const { Key } of Contents) if (Key !== undefined) names.push(Key.slice(this.#keyHead.length));
        token = NextContinuationToken;
        if (token === undefined) return names.sort();
      }
    });
  }

  async page(after?: string): ReturnType<ListedStore['page']> {
    return this.#ask('list', async ({ commands, client }, object, abortSignal) => {
      const { Bucket, Key: Prefix } = object('');
      const { Contents = [], NextContinuationToken: next } = await client.send(
        new commands.ListObjectsV2Command({ Bucket, Prefix, ...(after && { ContinuationToken: after }) }),
        { abortSignal },
      );
      const files = Contents.flatMap(({ Key, LastModified }) =>
        Key === undefined || LastModified === undefined
          ? []
          : [{ name: Key.slice(this.#keyHead.length), changedAtMs: LastModified.getTime() }],
      );
      return { files, next };
    });
  }

  /** Puts, deletes and then gets a file; null if all of that works. */
  async tryOut(name: string): Promise<BucketTrouble | null> {
    const steps = {
      'keep a file': () => this.put(name, Buffer.from('start')),
      'delete a file': () => this.delete(name),
      'report a missing file': () => this.get(name),
    };
    for (const [step, ask] of Object.entries(steps)) {
      try {
        await ask();
      } catch (error) {
        const cause = (error as Error).cause as BucketError;
        const words = `the bucket ${this.#settings.bucket} does not ${step}: ${wordsOf(cause)}`;
        return { settings: wrongSettings(cause), words };
      }
    }
    return null;
  }

  async #ask<Answer>(
    operation: string,
    work: (
      connection: S3Connection,
      object: (name: string) => { readonly Bucket: string; readonly Key: string },
      abortSignal: AbortSignal,
    ) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      this.#connection ??= connectBucket(this.#settings, this.#bounds);
      return await work(
        await this.#connection,
        (name) => ({ Bucket: this.#settings.bucket, Key: this.#keyHead + name }),
        AbortSignal.timeout(this.#bounds.totalMs),
      );
    } catch (error) {
      this.#report(
        `${this.#settings.bucket}/${this.#keyHead} ${operation}: ${wordsOf(error as BucketError)}`,
      );
      const refusal =
        (error as BucketError).$metadata?.httpStatusCode === insufficientStorage
          ? failure('STORAGE_FULL', 'The file store is full; nothing was changed.')
          : failure('SERVICE_UNAVAILABLE', 'The file store cannot be reached; try again.');
      refusal.cause = error;
      throw refusal;
    }
  }
}

/**
 * A client of the bucket's store. It is large, and most deployments keep their files on disk, so it is loaded at the first use.
 */
export async function connectBucket(
  { endpoint, region, credentials, isPathStyle }: BucketSettings,
  { attempts, connectMs, silenceMs }: Omit<Bounds, 'totalMs'>,
): Promise<S3Connection> {
  const commands = await import('@aws-sdk/client-s3');
  const client = new commands.S3Client({
    ...(endpoint !== undefined && { endpoint }),
    // A copy: the client modifies it.
    ...(credentials && { credentials: { ...credentials } }),
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    // Not all S3-compatible stores support the newer checksums. Sealed files carry their own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { commands, client };
}

/** The status of self-hosted stores with full disks. */
const insufficientStorage = 507;

/** The errors of the client: a reply of the store, or none. */
type BucketError = Error & { readonly $metadata?: { readonly httpStatusCode?: number } };

/** A failure of the client, in words without secrets. */
export function wordsOf({ name, message, $metadata }: BucketError): string {
  const status = $metadata?.httpStatusCode;
  return `${name}${status === undefined ? '' : ` (${status})`}: ${message}`;
}

const settingsOfErrors: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY',
  CredentialsProviderError: 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'S3_REGION',
  IllegalLocationConstraintException: 'S3_REGION',
  PermanentRedirect: 'S3_REGION or S3_ENDPOINT',
};

/** Null: unknown, as without a reply, or when requests are throttled. */
function wrongSettings({ name, $metadata }: BucketError): string | null {
  const status = $metadata?.httpStatusCode ?? 0;
  const isRefusal = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return settingsOfErrors[name] ?? (isRefusal ? 'BLOB_STORE' : null);
}
