import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import { allEventTypes } from '../../app/app.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { announce } from '../../platform/events/announce.ts';
import { networkWith } from '../../platform/http/guarded-fetch.ts';
import { WebhookWorker } from './webhook-worker.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** A request that a receiver got. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly id: string;
      readonly type: string;
      readonly resource: { readonly type: string; readonly id: string };
      readonly facts: Readonly<Record<string, unknown>>;
    };
  };
}

type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** A receiver of webhooks on the loopback; by default it answers 204. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (_, response) => void response.writeHead(204).end();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const got = { headers: request.headers as Record<string, string>, text, body: JSON.parse(text) };
      this.received.push(got);
      this.#told();
      this.answer(got, response, request);
    });
  });
  #waiting: (() => void)[] = [];

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** One that always answers with this status, and a text. */
  static async answering(status: number): Promise<Receiver> {
    const receiver = await Receiver.start();
    receiver.answer = (_, response) =>
      void response.writeHead(status).end(status === 204 ? '' : 'Not today.');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** Resolves when this many requests have come. */
  async count(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #told(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** A worker of the service that may send to the loopback. */
export function testWorker(
  { context, documentFiles, faults }: Pick<TestService<Clock>, 'context' | 'documentFiles' | 'faults'>,
  options: Partial<WebhookWorkerOptions> = {},
): WebhookWorker {
  return new WebhookWorker({
    context,
    eventTypes: allEventTypes,
    keys: documentFiles.keys,
    network: networkWith(['127.0.0.1']),
    logger: {
      error: (fields: object, message?: string) => {
        const { err } = fields as { err?: unknown };
        (faults as string[]).push(`${message}: ${err} ${(err as Error)?.cause ?? ''}`);
      },
    } as WebhookWorkerOptions['logger'],
    ...options,
  });
}

/** Events of products, without their products; `at` counts them. */
export function announceProducts(
  { context }: Pick<TestService, 'context'>,
  organization: OrganizationId,
  productIds: readonly number[],
  firstAt = 0,
): Promise<void> {
  return context.database.write(organization, (tx) =>
    announce(
      tx,
      context,
      testOrigin,
      context.clock.now(),
      ...productIds.map((productId, at) => ({
        event: 'product.updated' as const,
        subjectType: 'product' as const,
        subjectId: productId,
        payload: { productId, at: firstAt + at },
      })),
    ),
  );
}

/** Like `placesByProduct`, of each event its first arrival. */
export function firstArrivals(received: readonly Received[]): Readonly<Record<string, number[]>> {
  const seen = new Set<string>();
  const first = received.filter(({ headers }) => {
    const id = headers['webhook-id']!;
    return !seen.has(id) && seen.add(id);
  });
  return placesByProduct(first);
}

/** What a receiver got, by resource, as the places of the events in their announcement. */
export function placesByProduct(received: readonly Received[]): Readonly<Record<string, number[]>> {
  const places: Record<string, number[]> = {};
  for (const { body } of received) {
    const { resource, facts } = body.data;
    places[resource.id] = [...(places[resource.id] ?? []), facts.at as number];
  }
  return places;
}
