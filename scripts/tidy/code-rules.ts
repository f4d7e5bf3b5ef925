import { type Finding, findAll, finding, type ProjectFile, type Rule } from './project-files.ts';

/** A banned pattern, what to do instead, and the exceptions. */
interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly applies: (file: ProjectFile) => boolean;
  /** File → reason. */
  readonly except: Readonly<Record<string, string>>;
}

const isProgram = (file: ProjectFile): boolean => /^(src|seed|cli)\//.test(file.path) && !file.isTest;
const isPricing = (file: ProjectFile): boolean =>
  file.path.startsWith('src/engines/pricing/') && !file.isTest;

const isConsole = (file: ProjectFile): boolean => file.path.startsWith('console/src/') && !file.isTest;

const isLimits = (file: ProjectFile): boolean =>
  file.path.startsWith('src/engines/purchase-limits/') && !file.isTest;

const bans: readonly Ban[] = [
  {
    pattern: /\bMath\.(?!min\b|max\b|abs\b)\w+|\bparseFloat\b|\.toFixed\(|(?<![\w.])\d+\.\d/g,
    instead: 'Amounts are whole cents and exact fractions: use exact-amounts.ts.',
    applies: isPricing,
    except: {},
  },
  {
    pattern: /(?<=[\w)\]] )\/(?= )|\bNumber\(/g,
    instead: 'Divide in exact-amounts.ts, on bigint.',
    applies: isPricing,
    except: {
      'src/engines/pricing/allocate.ts': 'bigint shares that become whole cents',
      'src/engines/pricing/exact-amounts.ts': 'bigint that becomes whole cents',
      'src/engines/pricing/taxes.ts': 'bigint',
    },
  },
  {
    pattern:
      /\bMath\.(?!min\b|max\b|abs\b)\w+|\bparseFloat\b|\bNumber\(|\.toNumber\(|\.toFixed\(|(?<![\w.])\d+\.\d|(?<=[\w)\]] )\/(?= )/g,
    instead: 'Amounts that a law limits are exact: calculate with kernel/decimal.ts, on text.',
    applies: isLimits,
    except: {},
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\)/g,
    instead: 'Use the clock of the context.',
    applies: isProgram,
    except: {
      'src/kernel/clock.ts': 'is the clock',
      'src/platform/http/logging.ts': 'log lines have the time of the machine',
    },
  },
  {
    pattern:
      /\bMath\.random\b|\bimport \{[^}]*\b(randomBytes|randomUUID|randomInt)\b[^}]*\} from 'node:crypto'/g,
    instead: 'Use the randomness of the context.',
    applies: isProgram,
    except: {
      'src/app/app.ts': 'makes the context',
      'src/hosting/embedded-postgres/cluster.ts': 'passwords of the embedded server',
      'src/platform/http/request-context.ts': 'request ids only identify log lines',
      'src/hosting/wal-archive/archive-store.ts': 'names of unfinished files',
      'src/hosting/wal-archive/wal-timeline.ts':
        'names of lines, which must differ between copies of a database',
      'src/platform/storage/blob-store.ts': 'names of unfinished files',
      'seed/seed-demo.ts': 'names of unfinished files',
    },
  },
  {
    pattern: /\bparseFloat\b|\.toFixed\(|(?<=ents\)? )[/*] 100\b/g,
    instead:
      'Amounts are whole cents and decimals as text: show them with dollars.ts, calculate on the server.',
    applies: isConsole,
    except: {},
  },
  {
    pattern: /\bdangerouslySetInnerHTML\b|\bfetch\(|https?:\/\//g,
    instead: 'The console sends requests with api.ts only, and shows text as text.',
    applies: isConsole,
    except: {
      'console/src/parts/watched-fetch.ts': 'api.ts uses it',
      'console/src/parts/connection.ts': 'probes whether the service answers',
    },
  },
  {
    pattern: /\bprocess\.env\b/g,
    instead: 'Read it in src/hosting/startup/config.ts and pass the value on.',
    applies: isProgram,
    except: {
      'src/main.ts': 'hands it to config.ts',
      'cli/main.ts': 'hands it to config.ts',
      'src/hosting/startup/telemetry.ts': 'hands the variables of config.ts to packages that read them there',
    },
  },
  {
    pattern: /\b(test|it|describe)\.(only|skip|todo)\b/g,
    instead: 'Every test runs, always: fix it or delete it.',
    applies: (file) => file.isTest,
    except: {},
  },
  {
    pattern: /\bsetTimeout\((resolve|done)\b|\bsetTimeout\b[^;]*'node:timers\/promises'/g,
    instead: 'Tests do not sleep: wait for the event itself, or move a ManualClock.',
    applies: (file) => file.path.endsWith('.test.ts'),
    except: {
      'scripts/tidy.test.ts': 'shows what is refused',
      'test/simulation/crash.test.ts': 'kills a process at a random moment',
    },
  },
  {
    pattern: /from '\.[^']*(?<!\.tsx?|\.mjs|\.json|\.css|\.svg)'/g,
    instead: 'Write the extension of the file.',
    applies: () => true,
    except: { 'scripts/tidy.test.ts': 'shows what is refused' },
  },
];

/** Whether a ban's pattern needs string literals, such as import paths. */
const readsTexts = (pattern: RegExp): boolean => pattern.source.includes("'");

export const noBannedCode: Rule = (files) =>
  bans.flatMap(({ pattern, instead, applies, except }) =>
    files
      .filter((file) => applies(file) && !Object.hasOwn(except, file.path))
      .flatMap((file) =>
        findAll(
          file,
          readsTexts(pattern) || file.path.endsWith('.tsx') ? file.code : file.bareCode,
          pattern,
          ([match]) => `${match.trim()}: ${instead}`,
        ),
      ),
  );

/** An exception for a missing file would silently apply to the next file with its name. */
export const exceptionsNameFiles: Rule = (files) => {
  const paths = new Set(files.map((file) => file.path));
  const message = 'scripts/tidy/code-rules.ts excepts this file, but there is none: remove the exception.';
  return bans
    .flatMap(({ except }) => Object.keys(except))
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, line: 1, message }));
};

/** The doc comment of an exported function states its contract: units and errors. */
export const exportedFunctionsAreDocumented: Rule = (files) =>
  files
    .filter((file) => file.path.startsWith('src/') && !file.isTest)
    .flatMap((file) =>
      [...file.code.matchAll(/^export (?:async )?function (\w+)/gm)]
        .filter(({ index }) => !/\*\/\s*$/.test(file.text.slice(0, index)))
        .map(
          (match): Finding =>
            finding(file, match.index, `${match[1]} is exported: document its contract in a doc comment.`),
        ),
    );
