import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOfFileFailure } from '../kernel/file-failure.ts';
import { keyBytes, type MasterKey, masterKey } from './envelope.ts';

const fileName = 'document-master-key';

interface Settings {
  readonly dataDir: string;
  /** Those of DOCUMENT_MASTER_KEY, the present one first. */
  readonly documentMasterKeys: readonly Uint8Array[];
}

/**
 * The keys that wrap the keys of files: those of the settings, then those of a file in DATA_DIR, one a line in Base64,
 * the present one first. The file is read anew each time: the operator may have rotated it beside a running service.
 */
export class MasterKeys {
  readonly #configured: readonly MasterKey[];
  readonly #dataDir: string;
  readonly #path: string;
  #hasLoaded = false;

  constructor({ dataDir, documentMasterKeys }: Settings) {
    this.#configured = documentMasterKeys.map(masterKey);
    this.#dataDir = dataDir;
    this.#path = join(dataDir, fileName);
  }

  /** Whether the present key is kept in DATA_DIR. */
  get isKeptInFile(): boolean {
    return this.#configured.length === 0;
  }

  /** Where the keys come from, for messages. */
  get places(): string {
    return this.isKeptInFile ? this.#path : `DOCUMENT_MASTER_KEY, nor in ${this.#path}`;
  }

  /** All of them, the present one first; makes none. Throws where the file cannot be read, or is damaged. */
  async known(): Promise<readonly MasterKey[]> {
    return [...this.#configured, ...(await this.#readFile())];
  }

  /**
   * All of them, the present one first. Makes one when there is none at all, unless there was one before: a key that is
   * lost while the service runs is told, not replaced.
   */
  async load(randomBytes: (count: number) => Uint8Array): Promise<readonly [MasterKey, ...MasterKey[]]> {
    const before = await this.known();
    if (before.length === 0 && this.#hasLoaded) throw this.#unreadable('it is not there any more');
    if (before.length === 0) await this.#make(randomBytes);
    const [first, ...others] = before.length === 0 ? await this.known() : before;
    if (first === undefined) throw this.#unreadable('it is a link to a file that is not there');
    this.#hasLoaded = true;
    return [first, ...others];
  }

  async #make(randomBytes: (count: number) => Uint8Array): Promise<void> {
    const draft = await this.#writeDraft([randomBytes(keyBytes)]);
    // Of two processes that start at once, the first to link has made the key of both. Where there are no links, it is
    // the first to copy.
    await link(draft, this.#path)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') return copyFile(draft, this.#path, constants.COPYFILE_EXCL);
      })
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    await rm(draft);
  }

  /** Puts a new key before those of the file; of the former ones, those for which `keep` says so stay. */
  async addToFile(key: Uint8Array, keep: (former: MasterKey) => boolean): Promise<MasterKey> {
    const former = (await this.#readFile()).filter(keep);
    await rename(await this.#writeDraft([key, ...former.map((it) => it.key)]), this.#path);
    return masterKey(key);
  }

  async #writeDraft(keys: readonly [Uint8Array, ...Uint8Array[]]): Promise<string> {
    await mkdir(this.#dataDir, { recursive: true });
    // Named by the new key, so that nobody else writes a draft of that name.
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
    // To make a key then would hide that one was lost. With keys in the setting, none is missing.
    if (keys.length === 0 && this.isKeptInFile) throw this.#unreadable('it is empty');
    return keys;
  }

  #unreadable(reason: string): Error {
    return new Error(
      `The master key of documents in ${this.#path} cannot be read: ${reason}. Restore the file from a backup: documents ` +
        'are lost without their key. If no document was ever stored, take the file away: the start makes one.',
    );
  }
}
