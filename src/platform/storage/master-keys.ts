import { createHmac } from 'node:crypto';
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvariantError } from '../../kernel/assert.ts';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import { keyBytes, type MasterKey, masterKey, unwrapKey, wrapKey } from './envelope.ts';

const fileName = 'document-master-key';

interface Settings {
  readonly dataDir: string;
  /** The keys of DOCUMENT_MASTER_KEY, the current one first. */
  readonly documentMasterKeys: readonly Uint8Array[];
}

/**
 * The keys that wrap the keys of files: those of the setting, then those of a file in DATA_DIR, one per line in Base64,
 * the current one first. The file is read each time: the operator may rotate it while the service runs.
 */
export class MasterKeys {
  readonly #settings: Settings;
  #read: readonly MasterKey[] | undefined;
  readonly #dataDir: string;
  readonly #path: string;
  #hasLoaded = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#dataDir = settings.dataDir;
    this.#path = join(settings.dataDir, fileName);
  }

  /** Read when they are needed: a key service may have to be asked. */
  get #configured(): readonly MasterKey[] {
    this.#read ??= this.#settings.documentMasterKeys.map(masterKey);
    return this.#read;
  }

  /** Whether the current key is stored in DATA_DIR. */
  get isKeptInFile(): boolean {
    return this.#configured.length === 0;
  }

  /** The places of the keys, for messages. */
  get places(): string {
    return this.isKeptInFile ? this.#path : `DOCUMENT_MASTER_KEY, nor in ${this.#path}`;
  }

  /** All keys, the current one first; creates none. Throws if the file cannot be read or is damaged. */
  async known(): Promise<readonly MasterKey[]> {
    return [...this.#configured, ...(await this.#readFile())];
  }

  /**
   * All keys, the current one first. Creates one if there is none, unless there was one before: a key that disappears
   * while the service runs is an error and is not replaced.
   */
  async load(randomBytes: (count: number) => Uint8Array): Promise<readonly [MasterKey, ...MasterKey[]]> {
    const before = await this.known();
    if (before.length === 0 && this.#hasLoaded) throw this.#unreadable('it does not exist any more');
    if (before.length === 0) await this.#make(randomBytes);
    const [first, ...others] = before.length === 0 ? await this.known() : before;
    if (first === undefined) throw this.#unreadable('it is a link to a missing file');
    this.#hasLoaded = true;
    return [first, ...others];
  }

  /** Seals texts with the keys as they are now; see `Sealing` of the context. */
  async sealer(randomBytes: (count: number) => Uint8Array) {
    const masters = await this.load(randomBytes);
    return {
      masterKeyId: masters[0].id,
      seal: (text: string, label: string) => {
        const { masterKeyId, wrapped } = wrapKey(masters[0], Buffer.from(text), label, randomBytes);
        return { masterKeyId, sealed: wrapped };
      },
      digests: (text: string, label: string) => {
        const digestBy = ({ key }: MasterKey) =>
          createHmac('sha256', key).update(`${label}:${text}`).digest('hex');
        const [present, ...former] = masters;
        return [digestBy(present), ...former.map(digestBy)] as const;
      },
      open: ({ masterKeyId, sealed }: { masterKeyId: string; sealed: Uint8Array }, label: string) => {
        try {
          return unwrapKey(masters, { masterKeyId, wrapped: sealed }, label).toString();
        } catch (error) {
          if (error instanceof InvariantError) return null;
          throw error;
        }
      },
    };
  }

  async #make(randomBytes: (count: number) => Uint8Array): Promise<void> {
    const draft = await this.#writeDraft([randomBytes(keyBytes)]);
    // The first of two processes that start together to link determines the key of both. Without links, the first to
    // copy.
    await link(draft, this.#path)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') return copyFile(draft, this.#path, constants.COPYFILE_EXCL);
      })
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    await rm(draft);
  }

  /** Adds a new key before those of the file; former ones stay if `keep` returns true. */
  async addToFile(key: Uint8Array, keep: (former: MasterKey) => boolean): Promise<MasterKey> {
    const former = (await this.#readFile()).filter(keep);
    await rename(await this.#writeDraft([key, ...former.map((it) => it.key)]), this.#path);
    return masterKey(key);
  }

  async #writeDraft(keys: readonly [Uint8Array, ...Uint8Array[]]): Promise<string> {
    await mkdir(this.#dataDir, { recursive: true });
    // Named after the new key, so that no other process uses the same draft.
    const draft = `${this.#path}.${masterKey(keys[0]).id}`;
    const text = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join('');
    await writeFile(draft, text, { mode: 0o600, flush: true });
    return draft;
  }

  async #readFile(): Promise<MasterKey[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw this.#unreadable(reasonOfFileFailure(error));
    });
    if (text === null) return [];
    const keys = text.split('\n').flatMap((line, index) => {
      if (line === '') return [];
      const key = Buffer.from(line, 'base64');
      if (key.length !== keyBytes)
        throw this.#unreadable(`line ${index + 1} is not ${keyBytes} bytes in Base64`);
      return [masterKey(key)];
    });
    // Creating a key would hide that one was lost. With keys in the setting, none is missing.
    if (keys.length === 0 && this.isKeptInFile) throw this.#unreadable('it is empty');
    return keys;
  }

  #unreadable(reason: string): Error {
    return new Error(
      `The master key of documents in ${this.#path} cannot be read: ${reason}. Restore the file from a backup: documents ` +
        'are lost without their key. If no document was ever stored, remove the file: the next start creates one.',
    );
  }
}
