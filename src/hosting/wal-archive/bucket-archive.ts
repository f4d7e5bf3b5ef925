import {
  type BucketSettings,
  connectBucket,
  type S3Connection,
  wordsOf,
} from '../../platform/storage/s3-blob-store.ts';
import { type ArchiveLock, ArchiveRefusal, type ArchiveStore, type StoredName } from './archive-store.ts';

/** The longest time for one request, to the last byte: a volume of 16 MB at 2 Mbit/s. */
const totalMs = 90_000;
const bounds = { attempts: 3, connectMs: 3_000, silenceMs: 10_000 };

/** An archive in a bucket of a store that speaks S3. */
export class BucketArchive implements ArchiveStore {
  readonly place: string;
  readonly lock: ArchiveLock | undefined;
  readonly #settings: BucketSettings;
  readonly #head: string;
  #connection: Promise<S3Connection> | undefined;

  constructor(settings: BucketSettings, lock?: ArchiveLock) {
    this.lock = lock;
    this.#settings = settings;
    this.#head = settings.prefix === '' ? '' : `${settings.prefix}/`;
    this.place = `s3://${settings.bucket}/${settings.prefix}`;
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    await this.#ask(({ commands, client }, abortSignal) =>
      client.send(new commands.PutObjectCommand({ ...this.#object(path), Body: bytes }), { abortSignal }),
    );
  }

  /** Not all stores know the condition, so it is looked up as well. */
  async putNew(path: string, bytes: Uint8Array): Promise<boolean> {
    const [taken] = await this.#page(path, undefined, 1);
    if (taken?.path === path) return false;
    return this.#ask(async ({ commands, client }, abortSignal) => {
      try {
        const put = { ...this.#object(path), Body: bytes, IfNoneMatch: '*' };
        await client.send(new commands.PutObjectCommand(put), { abortSignal });
        return true;
      } catch (error) {
        const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
        if (httpStatusCode === 412) return false;
        throw error;
      }
    });
  }

  async get(path: string): Promise<Buffer | null> {
    return this.#ask(async ({ commands, client }, abortSignal) => {
      try {
        const { Body } = await client.send(new commands.GetObjectCommand(this.#object(path)), {
          abortSignal,
        });
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      } catch (error) {
        if (error instanceof commands.NoSuchKey) return null;
        throw error;
      }
    });
  }

  async list(folder: string, after?: string): Promise<readonly StoredName[]> {
    const names: StoredName[] = [];
    for (let last = after; ; last = names.at(-1)!.path) {
      const page = await this.#page(`${folder}/`, last, 1_000);
      // Not every store begins after the name.
      names.push(...page.filter(({ path }) => last === undefined || path > last));
      if (page.length < 1_000) return names;
    }
  }

  async folders(folder: string): Promise<readonly string[]> {
    const prefix = `${this.#head}${folder === '' ? '' : `${folder}/`}`;
    return this.#ask(async ({ commands, client }, abortSignal) => {
      const names: string[] = [];
      let next: string | undefined;
      do {
        const list = {
          ...{ Bucket: this.#settings.bucket, Prefix: prefix, Delimiter: '/' },
          ...(next !== undefined && { ContinuationToken: next }),
        };
        const found = await client.send(new commands.ListObjectsV2Command(list), { abortSignal });
        for (const { Prefix } of found.CommonPrefixes ?? []) names.push(Prefix!.slice(prefix.length, -1));
        next = found.NextContinuationToken;
      } while (next !== undefined);
      return names.sort();
    });
  }

  async delete(path: string): Promise<void> {
    await this.#ask(({ commands, client }, abortSignal) =>
      client.send(new commands.DeleteObjectCommand(this.#object(path)), { abortSignal }),
    );
  }

  async #page(prefix: string, after: string | undefined, count: number): Promise<readonly StoredName[]> {
    return this.#ask(async ({ commands, client }, abortSignal) => {
      const list = {
        ...{ Bucket: this.#settings.bucket, Prefix: this.#head + prefix, MaxKeys: count },
        ...(after !== undefined && { StartAfter: this.#head + after }),
      };
      const { Contents } = await client.send(new commands.ListObjectsV2Command(list), { abortSignal });
      return (Contents ?? []).map(({ Key, Size, LastModified }) => ({
        path: Key!.slice(this.#head.length),
        bytes: Size ?? 0,
        modifiedAtMs: LastModified?.getTime() ?? 0,
      }));
    });
  }

  #object(path: string) {
    return { Bucket: this.#settings.bucket, Key: this.#head + path };
  }

  async #ask<Answer>(
    work: (connection: S3Connection, abortSignal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      this.#connection ??= connectBucket(this.#settings, bounds);
      return await work(await this.#connection, AbortSignal.timeout(totalMs));
    } catch (error) {
      const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode;
      throw new ArchiveRefusal(
        `${this.place} cannot be used: ${wordsOf(error as Error)}`,
        `the bucket answers ${name}${status === undefined ? '' : ` (${status})`}`,
        { cause: error },
      );
    }
  }
}
