import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';

/*
 * `COPY … TO STDOUT` of one server into `COPY … FROM STDIN` of another one, without keeping the rows. It rests on the submittable
 * protocol of `pg`, like the pipeline: what `pg` calls for the messages of COPY. Both versions are pinned.
 */

/** The part of `pg`'s Connection that is used here. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Rows are sent on in pieces of about this size: one message for each row takes twice the time. */
const pieceBytes = 65_536;

/** What both directions have in common: a statement that ends with a result or an error. */
abstract class Copying {
  readonly done: Promise<void>;
  readonly #text: string;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  protected connection: CopyConnection | null = null;

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Who awaits it gets the error; the other side may fail first.
    this.done.catch(() => {});
  }

  submit(connection: CopyConnection): null {
    this.connection = connection;
    connection.query(this.#text);
    return null;
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
}

class CopyIn extends Copying {
  #accept: () => void = () => {};
  /** Resolves when the server takes rows. */
  readonly accepted = new Promise<void>((resolve) => {
    this.#accept = resolve;
  });

  handleCopyInResponse(): void {
    this.#accept();
  }

  /** False: the socket is full until it drains. */
  send(chunk: Buffer): boolean {
    this.connection!.sendCopyFromChunk(chunk);
    return !this.connection!.stream.writableNeedDrain;
  }

  drained(): Promise<unknown> {
    return once(this.connection!.stream, 'drain');
  }

  end(): void {
    this.connection!.endCopyFrom();
  }

  fail(reason: string): void {
    this.connection?.sendCopyFail(reason);
  }
}

class CopyOut extends Copying {
  readonly #target: CopyIn;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  bytes = 0;

  constructor(text: string, target: CopyIn) {
    super(text);
    this.#target = target;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // A copy: the buffer is the socket's own, which it fills again.
    this.#kept.push(Buffer.from(chunk));
    this.#keptBytes += chunk.length;
    this.bytes += chunk.length;
    if (this.#keptBytes >= pieceBytes) this.flush();
  }

  flush(): void {
    if (this.#keptBytes === 0) return;
    const piece = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    if (this.#target.send(piece)) return;
    const { stream } = this.connection!;
    stream.pause();
    const goOn = () => stream.resume();
    // A target that fails drains no more; then the rest is read and thrown away.
    this.#target.drained().then(goOn, goOn);
    this.#target.done.then(goOn, goOn);
  }
}

/** Copies what the first statement gives to the second one. Resolves to the bytes; rejects with the error of either side. */
export async function relayCopy(
  source: Client,
  target: Client,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<number> {
  const copyIn = new CopyIn(into);
  target.query(copyIn as never);
  await Promise.race([copyIn.accepted, copyIn.done]);
  const copyOut = new CopyOut(from, copyIn);
  source.query(copyOut as never);
  try {
    await copyOut.done;
  } catch (error) {
    copyIn.fail('the other side failed');
    await copyIn.done.catch(() => {});
    throw error;
  }
  copyOut.flush();
  copyIn.end();
  await copyIn.done;
  return copyOut.bytes;
}
