import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { assert } from '../../src/kernel/assert.ts';
import { type BuiltProgram, buildProgram, layBuilt } from '../simulation/built-program.ts';
import type { UnansweringSettings } from './unanswering-process.ts';

/** A service in a separate process, which executes requests with a key and is killed before it answers. */
export class KilledBeforeReply {
  readonly #built: BuiltProgram;
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #baseUrl: string;

  private constructor(built: BuiltProgram, process: ChildProcess, lines: Interface, baseUrl: string) {
    this.#built = built;
    this.#process = process;
    this.#lines = lines;
    this.#baseUrl = baseUrl;
  }

  static async start(settings: UnansweringSettings): Promise<KilledBeforeReply> {
    const built = await buildProgram();
    const program = await layBuilt(built, 'test/contract/unanswering-process.ts', 'unanswering.mjs');
    const started = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH, UNANSWERING_SETTINGS: JSON.stringify(settings) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(started.stdout!);
    const [line] = (await once(lines, 'line')) as [string];
    const port = /^listening (\d+)$/.exec(line)?.[1];
    assert(port !== undefined, `the service says: ${line}`);
    return new KilledBeforeReply(built, started, lines, `http://127.0.0.1:${port}`);
  }

  /** Sends a request, and resolves after its commit; the reply never comes. */
  async leaveUnanswered(path: string, request: RequestInit): Promise<void> {
    const replied = fetch(this.#baseUrl + path, request).then(
      async (reply) => `${reply.status} ${await reply.text()}`,
      () => 'nothing: it was killed',
    );
    const done = once(this.#lines, 'line').then(([line]) => String(line));
    const first = await Promise.race([replied, done]);
    assert(first === 'done', () => `a request for ${path} is answered: ${first}`);
  }

  /** SIGKILL: only its data in the database remains. */
  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await this.#built.remove();
  }
}
