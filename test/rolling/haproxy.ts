import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FleetProcess } from './fleet-process.ts';
import type { Balancer } from './tcp-balancer.ts';

const program = '/usr/sbin/haproxy';

/** HAProxy as a deployment would set it up: it checks `/readyz`, keeps connections, and repeats no request that was sent. */
export async function haproxy(
  folder: string,
  processes: readonly Pick<FleetProcess, 'port' | 'menuPort'>[],
): Promise<Balancer> {
  install();
  const [base, menu, stats] = await freePorts();
  const section = (kind: 'port' | 'menuPort', at: number) => `
listen ${kind}
  bind 127.0.0.1:${at}
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 300ms fastinter 150ms fall 2 rise 1
${processes.map((process) => `  server ${process.port} 127.0.0.1:${process[kind]} check\n`).join('')}`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
${section('port', base!)}${section('menuPort', menu!)}
listen stats
  bind 127.0.0.1:${stats}
  stats enable
  stats uri /
`,
  );
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  const state = async (port: number): Promise<readonly string[]> => {
    const table = await (await fetch(`http://127.0.0.1:${stats}/;csv`)).text();
    const lines = table.split('\n').map((line) => line.split(','));
    return lines.filter((fields) => fields[1] === String(port)).map((fields) => fields[17]!);
  };
  const isUsed = async (process: Pick<FleetProcess, 'port'>) => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${complaints}`);
    const states = await state(process.port).catch(() => []);
    return states.length === 2 && states.every((each) => each === 'UP');
  };
  const untilUsed = async (process: Pick<FleetProcess, 'port'>) => {
    while (!(await isUsed(process))) await delay(100);
  };
  for (const process of processes) await untilUsed(process);
  return {
    baseUrl: `http://127.0.0.1:${base}`,
    menuUrl: `http://127.0.0.1:${menu}`,
    untilUsed,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function install(): void {
  if (existsSync(program)) return;
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'haproxy']]) {
    const { status, stderr } = spawnSync('apt-get', step, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`HAProxy cannot be installed: ${stderr}`);
  }
}

async function freePorts(): Promise<readonly number[]> {
  const servers = Array.from({ length: 3 }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
