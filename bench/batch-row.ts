import type { DemoOrganization } from '../seed/load-shop.ts';
import { table } from './result-tables.ts';
import type { ServerProcess } from './server-process.ts';

const productsPerBatch = 500;
/** Products a minute, on two cores. */
const targetPerMinute = 5_000;

/** A part of a catalog that was sent. */
interface MeasuredBatches {
  readonly name: string;
  readonly products: number;
  readonly perMinute: number;
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
}

const words = [
  'Amber',
  'Cedar',
  'Dusk',
  'Fern',
  'Harbor',
  'Lumen',
  'Meadow',
  'Opal',
  'Quartz',
  'River',
  'Sage',
  'Tundra',
];

/** A product as an integrator sends it; the cent of its price follows from the edition. */
function product(n: number, edition: number): object {
  const word = (salt: number): string => words[(n * salt + Math.floor(n / 7)) % words.length]!;
  return {
    externalId: `bench-${n}`,
    name: `${word(1)} ${word(5)} ${n}`,
    description: 'Grown indoors and cured slowly.',
    unit: 'gram',
    strainType: 'hybrid',
    category: 'Flower',
    subCategories: [],
    brandName: `${word(7)} Gardens ${n % 20}`,
    photos: [],
    sku: `BENCH-${n}`,
    options: [
      {
        externalId: `bench-${n}-1`,
        amount: 1,
        price: 1_000 + edition,
        content: '1',
        upc: String(860_000_000_000 + n * 10),
      },
      {
        externalId: `bench-${n}-2`,
        amount: 3.5,
        price: 3_000,
        content: '3.5',
        upc: String(860_000_000_001 + n * 10),
      },
    ],
  };
}

/**
 * Sends a catalog by batches, one after the other: new products in `parts` parts, all of them again as they are, and a tenth of
 * them changed. Fails if a product is refused, or if what is sent again changes anything.
 */
export async function measureBatches(
  server: ServerProcess,
  { consumerKey, clientKey }: DemoOrganization,
  count: number,
  parts: number,
  note: (message: string) => void,
): Promise<readonly MeasuredBatches[]> {
  const headers = {
    'x-consumer-key': consumerKey,
    'x-client-key': clientKey,
    'content-type': 'application/json',
  };
  const base = `http://127.0.0.1:${server.basePort}/api/v1`;
  const send = async (from: number, to: number, edition: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let at = from; at < to; at += productsPerBatch) {
      const length = Math.min(productsPerBatch, to - at);
      const products = Array.from({ length }, (_, index) => product(at + index, edition));
      const body = JSON.stringify({ products });
      const response = await fetch(`${base}/products/batch`, { method: 'POST', headers, body });
      const { data, error } = (await response.json()) as {
        data: { results: { id?: number; error?: object }[] } | null;
        error: object | null;
      };
      if (data === null) throw new Error(`A batch was refused: ${JSON.stringify(error)}`);
      for (const result of data.results) {
        if (result.id === undefined)
          throw new Error(`A product was refused: ${JSON.stringify(result.error)}`);
        ids.push(result.id);
      }
    }
    return ids;
  };
  const measured: MeasuredBatches[] = [];
  const measure = async (name: string, from: number, to: number, edition: number): Promise<number[]> => {
    note(`${name} …`);
    const before = await server.usage();
    const startedAtMs = performance.now();
    const ids = await send(from, to, edition);
    const minutes = (performance.now() - startedAtMs) / 60_000;
    const after = await server.usage();
    const products = to - from;
    measured.push({
      name,
      products,
      perMinute: products / minutes,
      serverCpuMs: ((after.serverCpuSeconds - before.serverCpuSeconds) * 1_000) / products,
      databaseCpuMs: ((after.databaseCpuSeconds - before.databaseCpuSeconds) * 1_000) / products,
    });
    note(`${Math.round(products / minutes)} a minute`);
    return ids;
  };
  const ids: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    const [from, to] = [part, part + 1].map((at) => Math.round((at * count) / parts)) as [number, number];
    ids.push(...(await measure(`new, ${from} there`, from, to, 0)));
  }
  const again = await measure('the same again', 0, count, 0);
  if (again.join() !== ids.join()) throw new Error('The same products again got other ids.');
  if (new Set(again).size !== count) throw new Error('Two products got one id.');
  await measure('each with another price', 0, Math.ceil(count / 10), 1);
  return measured;
}

/** The parts, as Markdown. */
export function batchTable(measured: readonly MeasuredBatches[]): string {
  return `${table(
    ['products by batches of 500', 'products', 'a minute', 'server CPU ms', 'database CPU ms'],
    measured.map(({ name, products, perMinute, serverCpuMs, databaseCpuMs }) => [
      `${name}${perMinute < targetPerMinute ? ' −' : ''}`,
      products.toLocaleString('en'),
      Math.round(perMinute).toLocaleString('en'),
      ...[serverCpuMs, databaseCpuMs].map((ms) => ms.toFixed(2)),
    ]),
  )}

Target: ${targetPerMinute.toLocaleString('en')} a minute; − misses it.`;
}
