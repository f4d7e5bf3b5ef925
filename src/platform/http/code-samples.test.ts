import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../../sdk/integrator/src/operations.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import {
  curlSample,
  operationsOf,
  phpSample,
  pythonSample,
  type SampleRequest,
  sampleRequest,
  typescriptSample,
} from './code-samples.ts';
import { postmanCollection } from './postman-collection.ts';

/* Every sample of every operation is run in its language against a stand-in that notes the request. */

const contract = JSON.parse(readFileSync(join(projectFolder(), 'contract', 'v1.json'), 'utf8'));
const requests: SampleRequest[] = operationsOf(contract).map(({ method, path, operation }) =>
  sampleRequest(contract, { method, path }, operation, { minimal: false }),
);

/** What a sample asks for, as all languages must. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const address = ({ path, query }: SampleRequest) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
};
const wanted: Asked[] = requests.map((request) => ({
  method: request.method,
  url: `http://shop${address(request)}`,
  body: request.fileType === null ? (request.body ?? null) : 'file',
}));
const env = { ...process.env, BASE: 'http://shop', CONSUMER_KEY: 'consumer', CLIENT_KEY: 'client' };

test('there is a request for each operation, without a hole', () => {
  expect(requests.map(({ operationId }) => operationId).toSorted()).toEqual(
    Object.keys(operations).toSorted(),
  );
  expect(JSON.stringify(requests)).not.toMatch(/undefined|\{\w+\}"/);
});

test('curl sends each request', () => {
  const script = requests.map((request) => `${curlSample(request)}\n`).join('');
  // A `curl` that prints its arguments, each ended by NUL, and a line after each call.
  const shell = `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${script}`;
  const { stdout, status } = spawnSync('sh', ['-eu', '-c', shell], { env, encoding: 'utf8' });
  expect(status).toBe(0);
  const calls = stdout.split('\n\0').slice(0, -1);
  const asked = calls.map((call): Asked => {
    const words = call.split('\0').slice(0, -1);
    const after = (word: string) => words[words.indexOf(word) + 1]!;
    const has = (word: string) => words.includes(word);
    expect(words).toEqual(expect.arrayContaining(['X-Consumer-Key: consumer', 'X-Client-Key: client']));
    const hasBody = has('-d') || has('--data-binary');
    return {
      method: has('-X') ? after('-X') : hasBody ? 'POST' : 'GET',
      url: words.find((word) => word.startsWith('http'))!,
      body: has('-d') ? JSON.parse(after('-d')) : has('--data-binary') ? 'file' : null,
    };
  });
  expect(asked).toEqual(wanted);
});

test('Python sends each request', () => {
  const stub = [
    'import sys, types, json, builtins, urllib.parse',
    'class Reply:',
    '  def raise_for_status(self): pass',
    'asked = []',
    'def request(method, url, params=None, headers=None, json=None, data=None):',
    '  assert headers["X-Consumer-Key"] == "consumer" and headers["X-Client-Key"] == "client"',
    '  query = "?" + urllib.parse.urlencode(params) if params else ""',
    '  asked.append({"method": method, "url": url + query, "body": "file" if data else json})',
    '  return Reply()',
    'module = types.ModuleType("requests"); module.request = request; sys.modules["requests"] = module',
    'builtins.open = lambda name, mode: name',
  ].join('\n');
  const samples = requests.map(pythonSample).join('\n');
  const ran = spawnSync('python3', ['-c', `${stub}\n${samples}\nprint(json.dumps(asked))`], {
    env,
    encoding: 'utf8',
  });
  if (ran.error !== undefined) return;
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual(wanted);
});

test('the TypeScript client and fetch send each request', async () => {
  const asked: Asked[] = [];
  const byId = operations as Readonly<Record<string, { readonly method: string; readonly path: string }>>;
  const client = {
    call: async (id: string, options: Partial<SampleRequest> = {}) => {
      const { method, path } = byId[id]!;
      const { params = {}, query = {}, body = null } = options;
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
      const url = `http://shop${address({ path: filled, query } as SampleRequest)}`;
      asked.push({ method, url, body });
      return { data: null };
    },
  };
  const fetch = async (url: string, { method }: { method: string }) =>
    asked.push({ method, url, body: 'file' });
  const program = requests.map((request) => `{ ${typescriptSample(request)} }`).join('\n');
  const Program = Object.getPrototypeOf(async () => {}).constructor;
  await new Program('client', 'fetch', 'process', 'bytes', program)(client, fetch, { env }, '');
  expect(asked).toEqual(wanted);
});

const php = spawnSync('php', ['--version']);
test.runIf(php.error === undefined)('PHP sends each request', () => {
  const stub = `function file_get_contents($name) { return $name; }
    $asked = [];
    function curl_init($url) { return $url; }
    function curl_setopt_array($url, $options) { global $asked; $asked[] = ['method' => $options['m'], 'url' => $url,
      'body' => !isset($options['b']) ? null : ($options['b'] === 'file' ? 'file' : json_decode($options['b']))]; }
    function curl_exec($url) { return '{}'; }
    const CURLOPT_CUSTOMREQUEST = 'm'; const CURLOPT_RETURNTRANSFER = 'r'; const CURLOPT_HTTPHEADER = 'h';
    const CURLOPT_POSTFIELDS = 'b';`;
  const program = `<?php namespace samples; ${stub}\n${requests.map(phpSample).join('\n')}\necho \\json_encode($asked);`;
  const ran = spawnSync('php', [], { env, input: program, encoding: 'utf8' });
  expect(JSON.parse(ran.stdout)).toEqual(wanted);
});

test('the minimal request of an order has what an order must have, and no more', () => {
  const minimal = operationsOf(contract).map(({ method, path, operation }) =>
    sampleRequest(contract, { method, path }, operation, { minimal: true }),
  );
  const of = (id: string) => minimal.find(({ operationId }) => operationId === id)!;
  const { required } = contract.components.schemas.PlaceOrderRequest;
  expect(Object.keys(of('placeOrder').body as object).toSorted()).toEqual([...required].toSorted());
  expect(of('getMenu').query).toEqual({});
});

test('the Postman collection has every operation once, below its tag', () => {
  const { item: folders } = postmanCollection(contract) as {
    item: { name: string; item: { request: { method: string; url: { path: string[] } } }[] }[];
  };
  const collected = folders.flatMap(({ item }) => item.map(({ request }) => request));
  expect(collected.map(({ method, url }) => `${method} /${url.path.join('/')}`).toSorted()).toEqual(
    requests.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  expect(folders.map(({ name }) => name)).toContain('Orders');
});
