/** The samples of a metrics page, in the text format of Prometheus. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads a page; lines that are no samples are left out. */
export function readMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (match === null) return [];
    const [, name, labels = '', value] = match;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key, given]) => [key!, given!] as const,
    );
    return [{ name: name!, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The sum of the samples of a name that satisfy `wanted`. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  wanted: (labels: Sample['labels']) => boolean = () => true,
): number {
  return samples.reduce((sum, it) => (it.name === name && wanted(it.labels) ? sum + it.value : sum), 0);
}

/** The largest sample of a name; null: there is none. */
export function largestOf(samples: readonly Sample[], name: string): number | null {
  const values = samples.filter((it) => it.name === name).map(({ value }) => value);
  return values.length === 0 ? null : Math.max(...values);
}

/**
 * The samples of `later` less those of `earlier` with the same name and labels: what happened between two readings. For counters
 * and histograms only; a process that restarted meanwhile counts from 0.
 */
export function between(earlier: readonly Sample[], later: readonly Sample[]): Sample[] {
  const keyOf = ({ name, labels }: Sample) => JSON.stringify([name, Object.entries(labels).sort()]);
  const before = new Map(earlier.map((sample) => [keyOf(sample), sample.value]));
  return later.map((sample) => {
    const former = before.get(keyOf(sample)) ?? 0;
    return { ...sample, value: sample.value >= former ? sample.value - former : sample.value };
  });
}

/**
 * The upper bound of the bucket in which a share of a histogram's values ends, over all its labels; null without values;
 * Infinity above the last bound.
 */
export function quantileOf(
  samples: readonly Sample[],
  name: string,
  share: number,
  wanted: (labels: Sample['labels']) => boolean = () => true,
): number | null {
  const byBound = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket` || !wanted(sample.labels)) continue;
    const bound = sample.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(sample.labels.le);
    byBound.set(bound, (byBound.get(bound) ?? 0) + sample.value);
  }
  const all = byBound.get(Number.POSITIVE_INFINITY) ?? 0;
  if (all === 0) return null;
  const bounds = [...byBound].toSorted(([a], [b]) => a - b);
  return bounds.find(([, count]) => count >= all * share)![0];
}
