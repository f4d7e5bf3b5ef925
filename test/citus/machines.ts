import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const bridge = 'dispensary0';
const periodUs = 20_000;
const groups = ['cpu', 'cpuacct'].map((kind) => `/sys/fs/cgroup/${kind}`);

/** What a server runs on: an address of its own, and a share of a processor. */
export interface Machine {
  readonly host: string;
  /** Runs a command there, as root. */
  readonly prefix: readonly string[];
  /** From now on the process, and those that it starts, have the machine's share of a processor. */
  own(pid: number): void;
  /** So much of one processor from now on: 0.25 is a quarter. */
  limit(share: number): void;
  /** Processor seconds that its processes have taken. */
  processorSeconds(): number;
}

/**
 * Machines, as far as one machine can play them: network namespaces on a bridge, whose processes have a share of the processors
 * (control groups of version 1). Needs root on Linux.
 */
export class Machines {
  readonly #names: string[] = [];

  constructor() {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', '10.77.0.1/24', 'dev', bridge);
    ip('link', 'set', bridge, 'up');
  }

  add(): Machine {
    const at = this.#names.length + 2;
    const name = `dispensary${at}`;
    this.#names.push(name);
    const host = `10.77.0.${at}`;
    ip('netns', 'add', name);
    ip('link', 'add', `${name}a`, 'type', 'veth', 'peer', 'name', `${name}b`);
    ip('link', 'set', `${name}a`, 'master', bridge, 'up');
    ip('link', 'set', `${name}b`, 'netns', name);
    ip('-n', name, 'addr', 'add', `${host}/24`, 'dev', `${name}b`);
    for (const link of [`${name}b`, 'lo']) ip('-n', name, 'link', 'set', link, 'up');
    for (const group of groups) mkdirSync(`${group}/${name}`, { recursive: true });
    return {
      host,
      prefix: ['ip', 'netns', 'exec', name],
      own: (pid) => {
        for (const group of groups) writeFileSync(`${group}/${name}/cgroup.procs`, String(pid));
      },
      limit: (share) => {
        writeFileSync(`${groups[0]}/${name}/cpu.cfs_period_us`, String(periodUs));
        writeFileSync(`${groups[0]}/${name}/cpu.cfs_quota_us`, String(Math.round(share * periodUs)));
      },
      processorSeconds: () => Number(readFileSync(`${groups[1]}/${name}/cpuacct.usage`, 'utf8')) / 1e9,
    };
  }

  /** After their processes ended. */
  remove(): void {
    for (const name of this.#names) {
      ip('netns', 'del', name);
      for (const group of groups) rmdirSync(`${group}/${name}`);
    }
    ip('link', 'del', bridge);
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args);
}
