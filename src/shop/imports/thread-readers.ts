import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Guess } from './guess-mapping.ts';
import type { ImportItem } from './import-items.ts';
import type { ItemsAsked, MenuOutline, MenuReader } from './menu-reader.ts';
import type { PresetName } from './preset-names.ts';
import type { SentMapping } from './sent-mapping.ts';
import type { Answer, Message, Question } from './thread-messages.ts';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * Reads files of shops in threads: a file that takes long, needs much memory or overflows a stack ends its thread and nothing
 * else. Each reading has a deadline.
 */

interface Bounds {
  /** Threads at a time; an organization has one of them. */
  readonly threadsMax: number;
  /** Readings of an organization that may wait. */
  readonly waitingOfOneMax: number;
  /** The time of all answers of one reading together; what is done between them does not count. */
  readonly readingMsMax: number;
}

const memoryMbMax = 320;
const stackMbMax = 4;
/** A thread that has nothing to do ends after this time: the next file is often another step of the same import. */
const idleMs = 20_000;

interface UploadedText {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The turns of organizations, and the thread that is left from the last one. */
export class ThreadReaders {
  readonly #bounds: Bounds;
  readonly #reading = new Set<OrganizationId>();
  readonly #waiting: { readonly organization: OrganizationId; readonly begin: () => void }[] = [];
  #idle: { readonly thread: ReadingThread; readonly timer: NodeJS.Timeout } | null = null;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Reads a file, as `use` asks. Fails as `use` does; with an UnreadableFile, too, when the file takes too long or too much memory,
   * with the reason of the signal, and with RATE_LIMITED when too many files of the organization wait.
   */
  async read<Result>(
    organization: OrganizationId,
    { name, content }: UploadedText,
    use: (reader: MenuReader) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.#turn(organization);
    let thread: ReadingThread | null = null;
    try {
      signal?.throwIfAborted();
      thread = this.#thread();
      const asked = new AskedReader(thread, this.#bounds.readingMsMax, signal);
      await asked.ask({ ask: 'open', name, content });
      return await use(asked);
    } finally {
      thread?.close();
      this.#handOn(organization, thread);
    }
  }

  async #turn(organization: OrganizationId): Promise<void> {
    if (this.#mayBegin(organization)) {
      this.#reading.add(organization);
      return;
    }
    const waitingOfOne = this.#waiting.filter((one) => one.organization === organization).length;
    if (waitingOfOne >= this.#bounds.waitingOfOneMax) {
      throw failure('RATE_LIMITED', 'Other files of this shop are being read: send this one again later.');
    }
    await new Promise<void>((begin) => this.#waiting.push({ organization, begin }));
  }

  #mayBegin(organization: OrganizationId): boolean {
    return this.#reading.size < this.#bounds.threadsMax && !this.#reading.has(organization);
  }

  #handOn(organization: OrganizationId, thread: ReadingThread | null): void {
    if (thread?.isUsable) this.#keep(thread);
    this.#reading.delete(organization);
    const next = this.#waiting.findIndex((one) => this.#mayBegin(one.organization));
    if (next < 0) return;
    const { organization: other, begin } = this.#waiting[next]!;
    this.#waiting.splice(next, 1);
    this.#reading.add(other);
    begin();
  }

  #keep(thread: ReadingThread): void {
    if (this.#idle !== null) {
      thread.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = null;
      thread.end();
    }, idleMs).unref();
    this.#idle = { thread, timer };
  }

  #thread(): ReadingThread {
    const idle = this.#idle;
    this.#idle = null;
    if (idle === null) return new ReadingThread();
    clearTimeout(idle.timer);
    return idle.thread.isUsable ? idle.thread : new ReadingThread();
  }
}

/** For requests, whose callers wait: an upload, a look. */
export const requestReaders = new ThreadReaders({ threadsMax: 2, waitingOfOneMax: 4, readingMsMax: 30_000 });
/** For checks and imports in the background, of which an organization has one at a time. */
export const runReaders = new ThreadReaders({ threadsMax: 2, waitingOfOneMax: 4, readingMsMax: 90_000 });

/** Asks a thread, until the time for the file is used up. */
class AskedReader implements MenuReader {
  readonly #thread: ReadingThread;
  readonly #readingMsMax: number;
  readonly #signal: AbortSignal | undefined;
  #msLeft: number;

  constructor(thread: ReadingThread, readingMsMax: number, signal: AbortSignal | undefined) {
    this.#thread = thread;
    this.#readingMsMax = readingMsMax;
    this.#msLeft = readingMsMax;
    this.#signal = signal;
  }

  outline(): Promise<MenuOutline> {
    return this.ask({ ask: 'outline' }) as Promise<MenuOutline>;
  }

  guess(preset: PresetName | null): Promise<Guess> {
    return this.ask({ ask: 'guess', preset }) as Promise<Guess>;
  }

  async *items(mapping: SentMapping | null, asked: ItemsAsked): AsyncGenerator<ImportItem> {
    await this.ask({ ask: 'begin', mapping, asked });
    for (;;) {
      const part = (await this.ask({ ask: 'next' })) as readonly ImportItem[];
      if (part.length === 0) return;
      for (const item of part) {
        yield item;
        // Its reader checks it once more; other requests have their turn in between.
        await new Promise(setImmediate);
      }
    }
  }

  async ask(question: Question): Promise<unknown> {
    const startedMs = performance.now();
    const timer = setTimeout(() => {
      const seconds = Math.round(this.#readingMsMax / 1000);
      this.#thread.end(
        new UnreadableFile(
          `Reading the file took longer than ${seconds} seconds, so it was ended. Split the file into smaller ones, and leave out columns with long texts.`,
        ),
      );
    }, this.#msLeft);
    const stop = () => this.#thread.end(this.#signal!.reason as Error);
    this.#signal?.addEventListener('abort', stop, { once: true });
    try {
      this.#signal?.throwIfAborted();
      return await this.#thread.answer(question);
    } finally {
      clearTimeout(timer);
      this.#signal?.removeEventListener('abort', stop);
      this.#msLeft = Math.max(1, this.#msLeft - (performance.now() - startedMs));
    }
  }
}

/** A thread, and the question that it works on. */
class ReadingThread {
  readonly #worker: Worker;
  #asked: { readonly resolve: (value: unknown) => void; readonly reject: (problem: Error) => void } | null =
    null;
  #ended: Error | null = null;

  constructor() {
    this.#worker = startWorker();
    // A thread without work keeps no process from ending.
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (problem: Error & { readonly code?: string }) =>
      this.end(problem.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : problem),
    );
    this.#worker.on('exit', () => this.end(new Error('the thread that read the file has ended')));
  }

  get isUsable(): boolean {
    return this.#ended === null;
  }

  answer(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) {
        reject(this.#ended);
        return;
      }
      this.#asked = { resolve, reject };
      this.#worker.postMessage(question satisfies Message);
    });
  }

  /** Forgets the file. A thread that is still at work on it ends. */
  close(): void {
    if (this.#asked === null) this.#worker.postMessage('close' satisfies Message);
    else this.end();
  }

  /** The reason is what the question under way fails with. */
  end(reason: Error = new Error('the thread was ended')): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#asked?.reject(reason);
    this.#asked = null;
    void this.#worker.terminate();
  }

  #take(answer: Answer): void {
    const asked = this.#asked;
    this.#asked = null;
    if ('value' in answer) asked?.resolve(answer.value);
    else asked?.reject(problemFrom(answer.problem));
  }
}

function problemFrom(problem: Extract<Answer, { readonly problem: unknown }>['problem']): Error {
  const { isUnreadable, isTooDeep, name, message, stack } = problem;
  if (isUnreadable) return new UnreadableFile(message);
  if (isTooDeep)
    return new UnreadableFile('The file has texts or lists that are too long or too deep to be read.');
  return Object.assign(new Error(message), { name, stack });
}

function tooMuchMemory(): UnreadableFile {
  return new UnreadableFile(
    `Reading the file takes more than ${memoryMbMax} MB of memory, so it was ended. Split the file into smaller ones.`,
  );
}

/** The program beside the bundle; in development and in tests its source, which tsx reads. */
function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMbMax, stackSizeMb: stackMbMax };
  // What this process was started with, such as a loader, is not for it.
  const options = { resourceLimits, execArgv: [], name: 'import-reader' };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./import-reader.mjs', import.meta.url), options);
  }
  const tsx = join(
    dirname(createRequire(import.meta.url).resolve('tsx/package.json')),
    'dist/esm/api/index.mjs',
  );
  const program = new URL('./reading-thread.ts', import.meta.url).href;
  const start = `import(${JSON.stringify(pathToFileURL(tsx).href)}).then(({ register }) => { register(); return import(${JSON.stringify(program)}); });`;
  return new Worker(start, { ...options, eval: true });
}
