import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientLanguage } from '../../scripts/release/language-clients.ts';
import { describeInterface } from '../../src/app/app.ts';
import { errorCatalog } from '../../src/kernel/error-catalog.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { startTestService } from '../harness/test-service.ts';
import { type ContractRequest, createTenant, makeRoom, pathOf, validRequest } from './contract-world.ts';
import {
  buyInLanguage,
  checkTypes,
  generateClients,
  installTools,
  languageNames,
  loadClient,
  runTool,
  speaks,
  startMock,
} from './description-tools.ts';
import { replyFaults } from './reply-schema.ts';

/* What tools make of the description of the interface. */

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  readonly components: { readonly schemas: object; readonly responses: object };
}

describe.each(['v1', 'staff'])('the names in the description %s', (name) => {
  const text = readFileSync(join(projectFolder(), 'contract', `${name}.json`), 'utf8');
  const { paths, components } = JSON.parse(text) as Described;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const ids = operations.flatMap(({ operationId }) => operationId ?? []);

  test('of operations are words, each used once', () => {
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('of schemas and responses are words, and hide no class of a language', () => {
    const names = [...Object.keys(components.schemas), ...Object.keys(components.responses)];
    expect(names.filter((it) => !/^([A-Z][a-z]*)+$/.test(it))).toEqual([]);
    const taken = [
      'Error',
      'Object',
      'Date',
      'Function',
      'Map',
      'Set',
      'Array',
      'Promise',
      'Request',
      'Response',
    ];
    expect(names.filter((it) => taken.includes(it))).toEqual([]);
  });
});

// Minutes, and the tools from npm: see CONTRIBUTING.md.
if (isLongSuite) {
  const service = await startTestService();
  const addresses = await service.listen();
  const tenant = await createTenant(service);
  const { shop } = tenant;
  const headers = { 'X-Consumer-Key': shop.keys.consumerKey!, 'X-Client-Key': shop.keys.clientKey! };
  const folder = mkdtempSync(join(tmpdir(), 'description-'));
  const description = join(folder, 'v1.json');
  writeFileSync(description, JSON.stringify(describeInterface(service.endpoints, addresses)));
  const tools = await installTools();
  const clients = await generateClients(tools, description);
  afterAll(async () => {
    rmSync(clients, { recursive: true });
    await service.close();
  });

  /** Calls an operation by a client; resolves to the status. */
  type Caller = (endpoint: Endpoint, request: ContractRequest) => Promise<number>;

  interface FetchClient {
    clientOf(
      baseUrl: string,
      headers: object,
    ): Record<string, (path: string, options: object) => Promise<{ response: Response }>>;
  }
  type Functions = Record<string, (...args: unknown[]) => Promise<{ response: Response; status: number }>>;

  const callers: Record<string, () => Promise<Caller>> = {
    'openapi-typescript': async () => {
      const { clientOf } = await loadClient<FetchClient>(clients, 'fetch-client.ts');
      const client = clientOf(addresses.baseUrl, headers);
      return async ({ method, path: name }, { params: path, query, body }) =>
        (await client[method]!(name, { params: { path, query }, body })).response.status;
    },
    'hey-api': async () => {
      const functions = await loadClient<Functions>(clients, 'hey-api/index.ts');
      return async ({ id }, { params: path, query, body }) =>
        (await functions[id]!({ path, query, body, headers })).response.status;
    },
    orval: async () => {
      const functions = await loadClient<Functions>(clients, 'orval.ts');
      return async ({ id, path, body: takesBody, query: takesQuery }, { params, query, body }) => {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
        const args = [
          ...names.map((name) => params[name]),
          ...(takesBody ? [body] : []),
          ...(takesQuery ? [query] : []),
        ];
        return (await functions[id]!(...args, { headers })).status;
      };
    },
  };

  test('the generated clients have types that compile', () => checkTypes(tools, clients), 300_000);

  test.for(Object.keys(callers))(
    'a client by %s reaches every operation at one address',
    { timeout: 300_000 },
    async (name) => {
      const call = await callers[name]!();
      for (const endpoint of service.endpoints) {
        await makeRoom(service, endpoint, tenant);
        const status = await call(endpoint, validRequest(endpoint, tenant));
        expect([endpoint.id, status]).toEqual([endpoint.id, endpoint.success.status]);
      }
      expect(service.faults).toEqual([]);
    },
  );

  const spoken = new Set<ClientLanguage>();
  for (const language of languageNames) if (await speaks(language)) spoken.add(language);
  for (const language of languageNames) {
    test.runIf(spoken.has(language))(
      `a generated client for ${language} buys something, at the served description in OpenAPI 3.0`,
      { timeout: 300_000 },
      async () => {
        const served = await fetch(`${addresses.baseUrl}/openapi-3.0.json`);
        const older = join(folder, `v1-3.0-${language}.json`);
        writeFileSync(older, await served.text());
        const printed = await buyInLanguage(language, tools, older, {
          DISPENSARY_URL: addresses.baseUrl,
          CONSUMER_KEY: shop.keys.consumerKey!,
          CLIENT_KEY: shop.keys.clientKey!,
        });
        expect(JSON.parse(printed)).toEqual({
          isOneOrder: true,
          isAtPreview: true,
          isListed: true,
          shop: 'Test Shop',
          refusal: 'PRICE_CHANGED',
        });
      },
    );
  }

  test('the description has no warnings of a linter', async () => {
    writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n');
    const documents = [description, join(projectFolder(), 'contract', 'staff.json')];
    const rules = ['--ruleset', join(folder, 'rules.yaml'), '--fail-severity', 'hint'];
    expect(await runTool(tools, '@stoplight/spectral-cli', ['lint', ...documents, ...rules])).toContain(
      'No results',
    );
  }, 600_000);

  describe('a mock made of the description', () => {
    let mock: Awaited<ReturnType<typeof startMock>>;
    beforeAll(async () => {
      mock = await startMock(tools, description);
    });
    afterAll(() => mock.close());

    const ask = async (
      { method, path, body: takesBody }: Endpoint,
      request: ContractRequest,
      prefer: string,
    ) => {
      const { params, query, body } = request;
      const search = new URLSearchParams(query as Record<string, string>);
      const response = await fetch(`${mock.url}${pathOf({ path } as Endpoint, params)}?${search}`, {
        method,
        headers: { ...headers, Prefer: prefer, ...(takesBody && { 'content-type': 'application/json' }) },
        ...(takesBody && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    };

    test('takes the requests that the service takes, and answers in the shape in which it answers', async () => {
      for (const endpoint of service.endpoints) {
        await makeRoom(service, endpoint, tenant);
        const request = validRequest(endpoint, tenant);
        const { status } = endpoint.success;
        const mocked = await ask(endpoint, request, `code=${status}`);
        expect([endpoint.id, mocked.status, mocked.json?.detail]).toEqual([endpoint.id, status, undefined]);
        const live = await service.call(endpoint.method, pathOf(endpoint, request.params), {
          ...{ keys: shop.keys, query: request.query, body: request.body, address: 'base' },
        });
        const faultsOf = replyFaults(endpoint);
        const answered = live.text === '' ? undefined : JSON.parse(live.text);
        expect([endpoint.id, faultsOf(mocked.json), faultsOf(answered)]).toEqual([endpoint.id, [], []]);
      }
    }, 300_000);

    test('refuses with the codes of the catalog and their facts', async () => {
      const statuses = [...new Set(Object.values(errorCatalog).map(({ status }) => status))];
      const place = service.endpoints.find(({ id }) => id === 'placeOrder')!;
      const codes: string[] = [];
      for (const status of statuses) {
        const { json, status: answered } = await ask(place, validRequest(place, tenant), `code=${status}`);
        if (answered !== status) continue;
        expect(json.error).toMatchObject({ message: expect.any(String), code: expect.any(String) });
        const { meta } = errorCatalog[json.error.code as keyof typeof errorCatalog];
        expect(Object.keys(json.error.meta ?? {}).sort()).toEqual(Object.keys(meta?.example ?? {}).sort());
        codes.push(json.error.code);
      }
      expect(codes).toEqual(expect.arrayContaining(['INVALID_API_CREDENTIALS', 'RATE_LIMITED']));
    });
  });
}
