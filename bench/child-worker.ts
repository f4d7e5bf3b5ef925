import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Answer<Reply> = { readonly reply: Reply } | { readonly failure: string };

/** A script of this folder as a separate process; takes one request at a time. */
export class ChildWorker<Request, Reply> {
  readonly #child: ChildProcess;

  constructor(file: string) {
    this.#child = fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: 'advanced' });
  }

  ask(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('a worker of the bench ended early'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (answer: Answer<Reply>) => {
        this.#child.off('exit', onExit);
        if ('failure' in answer) reject(new Error(answer.failure));
        else resolve(answer.reply);
      });
      this.#child.send(request as object);
    });
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** The child's side: answers each request of the parent, and ends when the parent ends. */
export function answerParent<Request, Reply>(answer: (request: Request) => Promise<Reply>): void {
  process.on('message', async (request: Request) => {
    const send = (message: Answer<Reply>): unknown => process.send!(message);
    try {
      send({ reply: await answer(request) });
    } catch (error) {
      send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
}
