import { connectEmbedded } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { Rounds } from './bench-row.ts';
import { BenchRows } from './bench-rows.ts';
import { BenchDatabase, makeBenchShops } from './bench-shop.ts';
import { median } from './closed-loop.ts';
import { RecordedProgram } from './recorded-program.ts';
import { ServerProcess } from './server-process.ts';

const processCounts = [1, 2];
const concurrency = 64;
const warmUpMs = 6_000;

interface Rate {
  readonly opsPerSecond: number;
  readonly cpuMs: number;
}

/** Rates of one and of two processes behind one port, at 64 connections, as a Markdown table. Needs Linux. */
export async function measureProcesses(dataDir: string, rounds: Rounds): Promise<string> {
  const [organization] = await makeBenchShops(dataDir, 1);
  const rates = new Map<string, Rate[]>();
  const memory: string[] = [];
  for (const count of processCounts) {
    const server = await ServerProcess.start(dataDir, { WORKERS: String(count) });
    const { adminConnection, ownerConnection, servingConnection } = connectEmbedded({ dataDir })!;
    const admin = { ...adminConnection, database: ownerConnection.database };
    const program = await RecordedProgram.open(servingConnection, organization!);
    const shop = await BenchDatabase.open(admin, organization!.id);
    const rows = new BenchRows(server, shop, program, servingConnection, admin, organization!);
    for (const prepare of [
      rows.price('no', 0),
      rows.price('known', 0),
      rows.menu('revalidated'),
      rows.place('draft'),
    ]) {
      const { work, ours } = await prepare();
      await ours(concurrency, warmUpMs);
      const measured: Rate[] = [];
      for (let round = 0; round < rounds.count; round += 1) {
        const before = server.processes().cpuSeconds;
        const { opsPerSecond, count: done } = await ours(concurrency, rounds.durationMs);
        measured.push({ opsPerSecond, cpuMs: ((server.processes().cpuSeconds - before) * 1_000) / done });
      }
      const rate = {
        opsPerSecond: median(measured.map((it) => it.opsPerSecond)),
        cpuMs: median(measured.map((it) => it.cpuMs)),
      };
      rates.set(work, [...(rates.get(work) ?? []), rate]);
    }
    const sizes = server.processes().residentBytes.map((bytes) => Math.round(bytes / 1_048_576));
    memory.push(`${count}: ${sizes.join(' + ')} MB`);
    rows.stop();
    await Promise.all([program.close(), shop.close()]);
    await server.stop();
  }
  const lines = [...rates].map(([work, [one, two]]) => {
    const perSecond = [one!, two!].map((it) => Math.round(it.opsPerSecond).toLocaleString('en-US'));
    const cpu = [one!, two!].map((it) => it.cpuMs.toFixed(3));
    return `| ${[work, ...perSecond, (two!.opsPerSecond / one!.opsPerSecond).toFixed(2), ...cpu].join(' | ')} |`;
  });
  return [
    '| work, 64 connections | 1 process/s | 2 processes/s | ratio | 1: CPU ms | 2: CPU ms |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
    '',
    `Memory after it, the start and its processes: ${memory.join('; ')}`,
  ].join('\n');
}
