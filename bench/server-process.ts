import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../src/kernel/project-folder.ts';

/** CPU seconds since the start, and current memory. */
interface ServerUsage {
  readonly serverCpuSeconds: number;
  /** The CPU time of all PostgreSQL processes, also of those that have ended; NaN without /proc. */
  readonly databaseCpuSeconds: number;
  readonly serverResidentBytes: number;
  /** Sent to the database, in batches. */
  readonly statements: number;
  readonly roundTrips: number;
}

/** The built program, started as `npm start` does, on a filled data directory. */
export class ServerProcess {
  readonly readyAfterMs: number;
  readonly basePort: number;
  readonly menuPort: number;
  readonly #metricsPort: number;
  readonly #child: ChildProcess;
  readonly #dataDir: string;

  private constructor(child: ChildProcess, dataDir: string, output: string, readyAfterMs: number) {
    const portOf = (name: string): number => Number(new RegExp(`${name}.*:(\\d+)\\b`).exec(output)![1]);
    this.#child = child;
    this.#dataDir = dataDir;
    this.readyAfterMs = readyAfterMs;
    this.basePort = portOf('Base address');
    this.menuPort = portOf('Menu address');
    this.#metricsPort = portOf('Metrics');
  }

  /** Resolves when the program reports that it is ready. */
  static start(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const startedAtMs = performance.now();
    const collect = join(projectFolder(), 'bench', 'collect-when-asked.mjs');
    const program = join(projectFolder(), 'dist', 'main.mjs');
    const child = spawn(process.execPath, ['--expose-gc', '--import', collect, program], {
      // A folder without a developer's .env.
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DEMO: 'off',
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        PORT: '0',
        MENU_PORT: '0',
        METRICS_PORT: '0',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    return new Promise((resolve, reject) => {
      let output = '';
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (!/Menu address .*\n/.test(output)) return;
        child.stdout!.removeAllListeners('data').resume();
        resolve(new ServerProcess(child, dataDir, output, performance.now() - startedAtMs));
      });
    });
  }

  async usage(): Promise<ServerUsage> {
    const metrics = await (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text();
    const figureOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)![1]);
    return {
      serverCpuSeconds: figureOf('process_cpu_seconds_total'),
      databaseCpuSeconds: this.#databaseCpuSeconds(),
      serverResidentBytes: figureOf('process_resident_memory_bytes'),
      statements: figureOf('database_statements_total'),
      roundTrips: figureOf('database_round_trips_total'),
    };
  }

  /** What is left after a forced collection, of the heap and of the buffers beside it. */
  heldBytes(): Promise<number> {
    return new Promise((resolve) => {
      this.#child.once('message', (bytes) => resolve(bytes as number)).send('collect');
    });
  }

  /** Figures of all processes of the program, without PostgreSQL; Linux only. */
  processes(): { readonly cpuSeconds: number; readonly residentBytes: readonly number[] } {
    const ids = [String(this.#child.pid), ...childrenOf(String(this.#child.pid))].filter(
      (id) => readFileSync(`/proc/${id}/comm`, 'utf8').trim() === 'node',
    );
    return {
      cpuSeconds: ids.reduce((sum, id) => sum + cpuSecondsOf(id), 0),
      residentBytes: ids.map(
        (id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]) * 1_024,
      ),
    };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.removeAllListeners('exit').once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }

  #databaseCpuSeconds(): number {
    if (process.platform !== 'linux') return Number.NaN;
    const parent = readFileSync(join(this.#dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]!;
    const running = [parent, ...childrenOf(parent)].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
    return running + cpuSecondsOf(parent, 'its ended children');
  }
}

function childrenOf(pid: string): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
}

/** User and system time, counted by Linux in hundredths of a second; 0 for an ended process. */
function cpuSecondsOf(pid: string, of: 'itself' | 'its ended children' = 'itself'): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    const first = of === 'itself' ? 11 : 13;
    return (Number(fields[first]) + Number(fields[first + 1])) / 100;
  } catch {
    return 0;
  }
}
