import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import { type Death, pictureOf } from './mortal-workers.ts';
import { soldOptions } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

const products = [...new Set(soldOptions.map(({ product }) => product))];

/** An integrator gives a product other pictures: some that it has, some new ones. */
export async function changePhotos(world: TradingWorld): Promise<void> {
  const { random } = world;
  const product = random.pick(products);
  const kept = (world.photos.get(product) ?? []).filter(() => random.chance(0.6));
  const added = Array.from({ length: random.integer(1, 3) }, () => world.nextPhoto++);
  await sendPhotos(world, product, random.shuffle([...kept, ...added]));
}

/** A worker runs the jobs, and is usually killed meanwhile. Later another one continues. */
export async function runJobs(world: TradingWorld): Promise<void> {
  const { random } = world;
  const death: Death = random.chance(0.4)
    ? { on: 'picture', count: random.integer(1, 3) }
    : { on: 'batch', count: random.integer(1, 14), side: random.pick(['before', 'after'] as const) };
  const isKilled = random.chance(0.75);
  if (world.photosAreWaiting) await work(world, isKilled ? death : null);
}

/** A worker is killed in the middle of a job, another finishes, and all pictures are stored, each fetched once. */
export async function finishJobs(world: TradingWorld): Promise<void> {
  await changePhotos(world);
  await work(world, { on: 'picture', count: 1 });
  expect(world.workers.leftBehind).toBeGreaterThan(0);
  await work(world, null);
  await expectPhotos(world);
}

async function sendPhotos(world: TradingWorld, product: string, photos: readonly number[]): Promise<void> {
  world.story.push(`photos of ${product}: ${photos}`);
  const path = `/api/v1/products/${world.shop.productId(product)}`;
  const body = { photos: photos.map((number) => world.workers.addressOf(number)) };
  const reply = await world.surely(() => world.askIntegrator(0, 'PUT', path, body));
  expect(reply.status, reply.text).toBe(201);
  world.photos.set(product, photos);
  world.photosAreWaiting = true;
  await expectPhotos(world);
}

async function work(world: TradingWorld, death: Death | null): Promise<void> {
  world.story.push(`a worker runs jobs, killed: ${JSON.stringify(death)}`);
  const isDone = await world.workers.work(world.nowMs, death);
  if (death === null) expect(isDone).toBe(true);
  if (isDone) world.photosAreWaiting = false;
  await expectPhotos(world);
}

/**
 * Every product shows its given pictures in order. Once the jobs are done they are stored here, each fetched once as
 * far as clients can see.
 */
async function expectPhotos(world: TradingWorld): Promise<void> {
  const stored = new Map<number, string>();
  for (const [product, numbers] of world.photos) {
    const path = `/staff/v1/products/${world.shop.productId(product)}/photos`;
    const { data }: TestReply = await world.askStaff('GET', path);
    expect(data.map((it: TestReply['data']) => it.submittedUrl)).toEqual(
      numbers.map((number) => world.workers.addressOf(number)),
    );
    for (const [at, { status, tries, url }] of data.entries()) {
      if (!world.photosAreWaiting) expect(status).toBe('stored');
      expect(tries).toBe(status === 'stored' ? 1 : 0);
      if (status === 'stored') stored.set(numbers[at]!, url);
    }
  }
  await expectPictures(world, stored);
}

/** The files exist, and are the sent pictures: equal pictures have equal files. */
async function expectPictures(world: TradingWorld, stored: ReadonlyMap<number, string>): Promise<void> {
  const urlOf = new Map<number, string>();
  for (const [number, url] of stored) {
    const picture = pictureOf(number);
    expect(urlOf.get(picture) ?? url).toBe(url);
    urlOf.set(picture, url);
  }
  expect(new Set(urlOf.values()).size).toBe(urlOf.size);
  for (const url of urlOf.values()) expect((await world.service.call('GET', url)).status).toBe(200);
}
