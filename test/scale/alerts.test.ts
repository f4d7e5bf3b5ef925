import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { registerApiRequestMetrics } from '../../src/access/request-log/api-request-log.ts';
import { RetentionMetrics } from '../../src/hosting/retention/retention.ts';
import {
  registerDatabaseMetrics,
  registerRestartMetrics,
} from '../../src/hosting/startup/database-metrics.ts';
import { registerStandbyMetrics } from '../../src/hosting/startup/use-standby.ts';
import { registerServerMetrics } from '../../src/hosting/startup/watch-servers.ts';
import { newStatus, registerArchiveMetrics } from '../../src/hosting/wal-archive/wal-archive.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { registerJobMetrics } from '../../src/platform/jobs/job-metrics.ts';
import { isLongSuite } from '../harness/long-suite.ts';

const fileOf = (path: string) => readFileSync(join(projectFolder(), path), 'utf8');
const rulesPath = 'deploy/prometheus/alerts.yml';
const rules = fileOf(rulesPath);
const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
  fileOf('deploy/grafana/dispensary.json'),
);

/** The names that a process tells at METRICS_PORT. */
async function toldNames(): Promise<ReadonlySet<string>> {
  const { registry, requestDurations } = createMetrics();
  registerDatabaseMetrics(registry, { statements: 0, roundTrips: 0, retries: 0 });
  registerRestartMetrics(registry, { done: 0, failed: 0 });
  registerStandbyMetrics(registry, {
    state: { isInUse: false, trouble: 'it does not answer', lagBytes: null },
    statistics: { standby: 0, unused: 0, behind: 0, repeated: 0 },
  });
  registerServerMetrics(registry, { names: [] });
  registerApiRequestMetrics(registry, { written: 0, dropped: 0 });
  registerJobMetrics(registry, { global: async () => [] });
  new RetentionMetrics(() => 0, registry);
  registerArchiveMetrics(registry, newStatus(0), () => 0);
  requestDurations.observe('placeOrder', 201, 0.1);
  const text = `${await registry.metrics()}\n${requestDurations.toText()}`;
  expect(registry).toBeInstanceOf(Registry);
  const names = [...text.matchAll(/^(?:# TYPE )?([a-z_0-9]+)/gm)].map(([, name]) => name!);
  return new Set(names);
}

/** The names of metrics in an expression: whatever is no function, label, keyword or text. */
function namesIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['by', 'sum', 'max', 'e9'].includes(name));
}

test('every metric that an alert or the dashboard names is told by the program', async () => {
  const told = await toldNames();
  const alerts = [...rules.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*))/g)].map(
    ([, block, line]) => block ?? line!,
  );
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(alerts.length).toBeGreaterThan(8);
  expect(panels.length).toBeGreaterThan(12);
  for (const expression of [...alerts, ...panels]) {
    const names = namesIn(expression);
    expect(names, expression).not.toEqual([]);
    // Prometheus makes this one by itself.
    for (const name of names.filter((one) => one !== 'up')) expect([...told], expression).toContain(name);
  }
});

test('each alert has a paragraph that says what to do, and each paragraph its alert', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const section = /## Alerts\n([\s\S]*?)\n## /.exec(fileOf('docs/OBSERVABILITY.md'))![1]!;
  const paragraphs = [...section.matchAll(/^- \*\*(\w+)\*\*: (.*(?:\n {2}.*)*)/gm)];
  expect(paragraphs.map(([, name]) => name).toSorted()).toEqual(alerts.toSorted());
  for (const [, name, text] of paragraphs) expect(text!.length, name).toBeGreaterThan(80);
});

const promtool = '/usr/bin/promtool';
if (isLongSuite || existsSync(promtool)) {
  test('Prometheus accepts the rules', () => {
    if (!existsSync(promtool)) {
      spawnSync('apt-get', ['update']);
      spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'prometheus']);
    }
    const checked = spawnSync(promtool, ['check', 'rules', join(projectFolder(), rulesPath)], {
      encoding: 'utf8',
    });
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  });
}
