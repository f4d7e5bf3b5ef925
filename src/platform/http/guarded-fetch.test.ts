import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type FetchNetwork,
  guardedFetch,
  guardedFetcher,
  isPublicAddress,
  networkWith,
  PostConnections,
} from './guarded-fetch.ts';

const bounds = { bytesMax: 100_000, redirectsMax: 3, totalMsMax: 2_000, silenceMsMax: 1_000 };
const never = new AbortController().signal;
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a loopback server; resolves to its port and the requests it received. */
async function serve(answer: RequestListener) {
  const seen: { path: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer((request, response) => {
    seen.push({ path: request.url!, headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Starts a server that sends raw bytes on each connection. */
async function serveBytes(say: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createPlainServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => say(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A test network: hosts `*.test` are public and resolve to the loopback, on any port. */
const network: FetchNetwork = {
  resolve: async (hostname) => {
    if (hostname.endsWith('.test')) return ['127.0.0.1'];
    throw new Error('ENOTFOUND');
  },
  isAllowed: ({ hostname, address }) => hostname.endsWith('.test') || isPublicAddress(address),
};

const fetchAs = (address: string, changes: Partial<FetchNetwork> = {}, signal = never) =>
  guardedFetch(address, bounds, signal, { ...network, ...changes });

const outcome = (promise: Promise<Buffer>) =>
  promise.then(
    (bytes) => `${bytes.length} bytes`,
    (error) => `${error.name}: ${error.message}${error.isLasting ? ' (lasting)' : ''}`,
  );

const forbidden =
  'FetchRefused: The address is not public, or its port is not a standard web port. (lasting)';

test('a file is fetched, and the request does not identify the caller', async () => {
  const { port, seen } = await serve((_, response) => response.end('a picture'));
  expect(String(await fetchAs(`http://pictures.test:${port}/a.jpg?size=2`))).toBe('a picture');
  expect(seen).toEqual([
    {
      path: '/a.jpg?size=2',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'dispensary-commerce',
        host: `pictures.test:${port}`,
        connection: 'close',
      },
    },
  ]);
});

test('at most three redirects are followed, and cookies are dropped', async () => {
  const { port, seen } = await serve((request, response) => {
    const left = Number(request.url!.slice(1));
    if (left === 0) return response.end('there');
    const location = `//other.test:${port}/${left - 1}`;
    return response.writeHead(302, { location, 'set-cookie': 'a=b' }).end('moved');
  });
  expect(String(await fetchAs(`http://pictures.test:${port}/3`))).toBe('there');
  expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await outcome(fetchAs(`http://pictures.test:${port}/4`))).toBe(
    'FetchRefused: The host redirects more than 3 times. (lasting)',
  );
});

describe('only public addresses are requested', () => {
  const hosts = [
    ['127.0.0.1', '127.1', '127.0.0.2', '0.0.0.0', '0', 'localhost', '127.0.0.1.'],
    // The same in other spellings.
    ['2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '%31%32%37.0.0.1', '１２７.0.0.1', '①②⑦.0.0.1'],
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '192.0.0.1', '198.18.0.1'],
    [
      '169.254.169.254',
      '169.254.0.1',
      '2852039166',
      '0xa9fea9fe',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:169.254.169.254]', '[::127.0.0.1]'],
    ['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]', '[2001:db8::1]', '[3fff::1]'],
    // NAT64, 6to4, Teredo and ISATAP contain another address.
    ['[64:ff9b::7f00:1]', '[64:ff9b:1::a9fe:a9fe]', '[2002:7f00:1::]', '[2001:0:4136:e378::]', '[100::1]'],
    ['[::ffff:0:127.0.0.1]', '[4000::1]'],
    // Machines of clouds that tell or do what only their tenant may: as such, and inside of IPv6.
    [
      '168.63.129.16',
      '2822734096',
      '0xa83f8110',
      '0250.077.0201.020',
      '161.26.0.10',
      '166.9.1.1',
      '192.80.8.124',
    ],
    ['[::ffff:168.63.129.16]', '[64:ff9b::a83f:8110]', '[2002:a83f:8110::1]', '[2600:1::5efe:a83f:8110]'],
    [
      '100.100.100.200',
      '100.127.255.255',
      '169.254.170.2',
      '192.0.0.192',
      '[fd20:ce::254]',
      '[fe80::a9fe:a9fe]',
    ],
  ].flat();

  test.each(hosts)('%s', async (host) => {
    let asked = 0;
    const { port } = await serve((_, response) => {
      asked++;
      response.end('secret');
    });
    const resolve = async () => ['127.0.0.1'];
    // Directly, as the address of a name, beside a good address, and as the target of a redirect.
    const bare = host.replace(/^\[|\]$/g, '');
    const written = /^[ -~]+$/.test(host) ? host : encodeURIComponent(host);
    const redirecting = await serve((_, response) =>
      response.writeHead(302, { location: `http://${written}:${port}/` }).end(),
    );
    const isAllowed = ({ hostname, address }: { hostname: string; address: string }) =>
      (hostname === 'pictures.test' && address === '127.0.0.1') || isPublicAddress(address);
    const outcomes = await Promise.all([
      outcome(fetchAs(`http://${host}:${port}/`, { resolve, isAllowed })),
      outcome(fetchAs(`https://${host}/`, { resolve, isAllowed })),
      outcome(fetchAs(`http://pictures.test:${redirecting.port}/`, { resolve, isAllowed })),
      outcome(fetchAs(`http://bad.test/`, { resolve: async () => ['93.184.215.14', bare], isAllowed })),
    ]);
    expect(outcomes).toEqual([forbidden, forbidden, forbidden, forbidden]);
    expect(asked).toBe(0);
  });

  test('public addresses are allowed', () => {
    for (const address of [
      '93.184.215.14',
      '1.1.1.1',
      '172.32.0.1',
      '2606:4700:4700::1111',
      '2a00:1450::1',
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    }
    for (const word of [
      '',
      'localhost',
      '127.1',
      '93.184.215.14/32',
      ' 93.184.215.14',
      '2606:4700::1%eth0',
    ]) {
      expect([word, isPublicAddress(word)]).toEqual([word, false]);
    }
  });

  test('only web ports are allowed', async () => {
    for (const port of [22, 25, 5432, 6379, 8080]) {
      const given = guardedFetch(`http://93.184.215.14:${port}/`, bounds, never);
      expect(await outcome(given)).toBe(forbidden);
    }
  });

  test('other schemes and user names are refused', async () => {
    const scheme = 'FetchRefused: Only http and https addresses are fetched. (lasting)';
    for (const address of [
      'file:///etc/passwd',
      'ftp://pictures.test/',
      'data:text/plain,a',
      'gopher://a.test',
    ]) {
      expect(await outcome(fetchAs(address))).toBe(scheme);
    }
    for (const user of ['me@', 'me:secret@', ':secret@', '%00@']) {
      expect(await outcome(fetchAs(`http://${user}pictures.test/`))).toBe(
        'FetchRefused: An address with a user name or password is not fetched. (lasting)',
      );
    }
    expect(await outcome(fetchAs('not an address'))).toBe(
      'FetchRefused: The address is not a valid URL. (lasting)',
    );
    const { port } = await serve((request, response) => {
      const location = request.url === '/file' ? 'file:///etc/passwd' : 'http://me:secret@pictures.test/';
      response.writeHead(301, { location }).end();
    });
    expect(await outcome(fetchAs(`http://pictures.test:${port}/file`))).toBe(scheme);
    expect(await outcome(fetchAs(`http://pictures.test:${port}/user`))).toMatch(/user name or password/);
  });
});

test('the connection goes to the checked address, even if the name resolves to another one later', async () => {
  const { port, seen } = await serve((request, response) => {
    if (request.url === '/again') return response.writeHead(302, { location: '/secret' }).end();
    return response.end('a picture');
  });
  let asked = 0;
  // The first resolved address is allowed, later ones are not.
  const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']);
  const isAllowed = ({ address }: { address: string }) => address === '127.0.0.1';
  expect(String(await fetchAs(`http://rebinding.test:${port}/`, { resolve, isAllowed }))).toBe('a picture');
  expect(asked).toBe(1);
  // Each hop is checked again.
  asked = 0;
  expect(await outcome(fetchAs(`http://rebinding.test:${port}/again`, { resolve, isAllowed }))).toBe(
    forbidden,
  );
  expect(seen.map(({ path }) => path)).toEqual(['/', '/again']);
});

test('a body is cut at the limit, announced or not, endless or not', async () => {
  let sent = 0;
  const { port } = await serve((request, response) => {
    if (request.url === '/exact') return response.end(Buffer.alloc(bounds.bytesMax));
    if (request.url === '/announced')
      return response.writeHead(200, { 'content-length': 16 * 2 ** 20 }).write('a');
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      if (!response.destroyed) response.once('drain', more);
    };
    return more();
  });
  const tooLarge = 'FetchRefused: The file is larger than 100,000 bytes. (lasting)';
  expect(await outcome(fetchAs(`http://pictures.test:${port}/exact`))).toBe('100000 bytes');
  expect(await outcome(fetchAs(`http://pictures.test:${port}/announced`))).toBe(tooLarge);
  expect(await outcome(fetchAs(`http://pictures.test:${port}/endless`))).toBe(tooLarge);
  // The buffers between the two sides, and no more.
  expect(sent).toBeLessThan(16 * 2 ** 20);
});

test('a silent or endlessly slow host is given up', async () => {
  const quick = { ...bounds, totalMsMax: 900, silenceMsMax: 400 };
  const ask = (port: number, limits = quick) =>
    outcome(guardedFetch(`http://pictures.test:${port}/`, limits, never, network));
  const silent = await serveBytes(() => {});
  expect(await ask(silent)).toBe('FetchRefused: The host sent nothing for too long.');
  const stuck = await serveBytes((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
  expect(await ask(stuck)).toBe('FetchRefused: The host sent nothing for too long.');
  const dripping = (head: string) =>
    serveBytes((socket) => {
      socket.write(head);
      const drip = setInterval(() => socket.write('a'), 10);
      socket.on('close', () => clearInterval(drip));
    });
  const body = await dripping('HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n');
  expect(await ask(body)).toBe('FetchRefused: The transfer took too long.');
  const header = await dripping('HTTP/1.1 200 OK\r\nX-Long: ');
  expect(await ask(header)).toBe('FetchRefused: The transfer took too long.');
  const nameless = guardedFetch('http://slow.test/', quick, never, {
    ...network,
    resolve: () => new Promise(() => {}),
  });
  expect(await outcome(nameless)).toBe('FetchRefused: The transfer took too long.');
});

test('a compressed reply is refused before decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 2 ** 20));
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x-unknown']) {
    const { port } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    expect(await outcome(fetchAs(`http://pictures.test:${port}/`))).toBe(
      'FetchRefused: The host sent a compressed reply without being asked. (lasting)',
    );
  }
  // Transfer compression was not requested either, and is not decompressed.
  const { port } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/gzip' }).end(bomb);
  });
  expect(await outcome(fetchAs(`http://pictures.test:${port}/`))).toBe(`${bomb.length} bytes`);
});

test('an error status or an incomplete reply is a refusal that can be retried', async () => {
  for (const status of [204, 304, 400, 404, 410, 500, 503]) {
    const { port } = await serve((_, response) => response.writeHead(status).end());
    expect(await outcome(fetchAs(`http://pictures.test:${port}/`))).toBe(
      `FetchRefused: The host answered with status ${status}.`,
    );
  }
  const replies = [
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
    `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
    'SSH-2.0-OpenSSH_9.6\r\n',
    '',
  ];
  for (const text of replies) {
    const port = await serveBytes((socket) => socket.end(text));
    expect([text.slice(0, 60), await outcome(fetchAs(`http://pictures.test:${port}/`))]).toEqual([
      text.slice(0, 60),
      'FetchRefused: The host could not be reached, or the connection broke.',
    ]);
  }
  const nowhere = await serve(() => {});
  await closing.pop()!();
  for (const address of [`http://pictures.test:${nowhere.port}/`, `https://pictures.test:${nowhere.port}/`]) {
    expect(await outcome(fetchAs(address))).toBe(
      'FetchRefused: The host could not be reached, or the connection broke.',
    );
  }
  expect(await outcome(fetchAs('http://unknown.example/'))).toBe(
    'FetchRefused: The host name could not be resolved.',
  );
  expect(await outcome(fetchAs('http://empty.test/', { resolve: async () => [] }))).toBe(
    'FetchRefused: The host name could not be resolved.',
  );
});

test('the caller can abort it at any time, and gets the reason', async () => {
  const stopping = new AbortController();
  const { port } = await serve(() => stopping.abort(new Error('the process stops')));
  await expect(fetchAs(`http://pictures.test:${port}/`, {}, stopping.signal)).rejects.toThrow(
    'the process stops',
  );
  await expect(fetchAs(`http://pictures.test:${port}/`, {}, stopping.signal)).rejects.toThrow(
    'the process stops',
  );
});

test('TLS asks for a certificate of the name, and takes no other', async () => {
  let hello = '';
  const port = await serveBytes((socket) => socket.destroy());
  const seeing = createPlainServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      hello = bytes.toString('latin1');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => seeing.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => seeing.close(resolve)));
  const broke = 'FetchRefused: The host could not be reached, or the connection broke.';
  const secure = `https://pictures.test:${(seeing.address() as AddressInfo).port}/`;
  expect(await outcome(fetchAs(secure))).toBe(broke);
  expect(hello).toContain('pictures.test');
  expect(await outcome(fetchAs(`https://pictures.test:${port}/`))).toBe(broke);
});

describe('posts', () => {
  const limits = { answerBytesMax: 10, totalMsMax: 1_000 };
  const message = { headers: { 'content-type': 'application/json' }, body: '{"é":1}' };

  function connectionsOf(changes: Partial<FetchNetwork> = {}): PostConnections {
    const connections = new PostConnections({ ...network, ...changes });
    closing.push(async () => connections.close());
    return connections;
  }

  const result = (posted: ReturnType<PostConnections['post']>) =>
    posted.then(
      ({ status, beginning }) => `${status} ${beginning}`,
      (error) => `${error.name}: ${error.message}`,
    );

  test('share a connection, and the answer is cut', async () => {
    const ports = new Set<number | undefined>();
    const { port, seen } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(request.url === '/long' ? 500 : 302, { location: '/elsewhere' });
      response.end(request.url === '/long' ? 'a'.repeat(100_000) : 'moved');
    });
    const connections = connectionsOf();
    const post = (path: string) =>
      result(connections.post(`http://hooks.test:${port}${path}`, message, limits));
    expect(await post('/a')).toBe('302 moved');
    // The client waits a turn before it takes a connection again.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await post('/b?c=d')).toBe('302 moved');
    expect(ports.size).toBe(1);
    expect(await post('/long')).toBe('500 aaaaaaaaaa');
    expect(seen.map(({ path }) => path)).toEqual(['/a', '/b?c=d', '/long']);
    expect(seen[0]!.headers).toMatchObject({ 'content-length': '8', 'accept-encoding': 'identity' });
  });

  test('a kept connection that has ended is replaced; a new one that breaks is a failure', async () => {
    let answered = 0;
    const port = await serveBytes((socket) => {
      answered++;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      // The next message on the same connection is not answered.
      socket.once('data', () => socket.destroy());
    });
    const connections = connectionsOf();
    const post = () => result(connections.post(`http://hooks.test:${port}/`, message, limits));
    expect([await post(), await post(), await post()]).toEqual(['200 ok', '200 ok', '200 ok']);
    expect(answered).toBe(3);
    let opened = 0;
    const breaking = await serveBytes((socket) => {
      opened++;
      socket.destroy();
    });
    expect(await result(connections.post(`http://hooks.test:${breaking}/`, message, limits))).toBe(
      'FetchRefused: The host could not be reached, or the connection broke.',
    );
    expect(opened).toBe(1);
  });

  test('a status counts, also when the rest of the answer breaks off', async () => {
    const port = await serveBytes((socket) => socket.end('HTTP/1.1 202 OK\r\nContent-Length: 9\r\n\r\nabc'));
    expect(await result(connectionsOf().post(`http://hooks.test:${port}/`, message, limits))).toBe('202 abc');
  });

  test('go to public addresses and allowed hosts only, however the host is written', async () => {
    const { port, seen } = await serve((_, response) => response.end('ok'));
    const refused = 'FetchRefused: The address is not public, or its port is not a standard web port.';
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
      const connections = connectionsOf(networkWith([`127.0.0.1:${port + 1}`]));
      const address = `http://${host}:${port}/`;
      expect([host, await result(connections.post(address, message, limits))]).toEqual([host, refused]);
      const asked = guardedFetcher(networkWith([]), { bytesMax: 10, totalMsMax: 1_000 });
      await expect(asked(address, { method: 'GET', headers: {} })).rejects.toThrow(/not public/);
    }
    expect(seen).toEqual([]);
    const own = connectionsOf(networkWith([`127.0.0.1:${port}`]));
    expect(await result(own.post(`http://127.0.0.1:${port}/`, message, limits))).toBe('200 ok');
  });

  test('each new connection resolves the name again', async () => {
    const { port } = await serve((_, response) => response.writeHead(200, { connection: 'close' }).end('ok'));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const connections = connectionsOf({
      resolve: async () => answers.shift()!,
      isAllowed: ({ address }) => address === '127.0.0.1',
    });
    const post = () => result(connections.post(`http://hooks.test:${port}/`, message, limits));
    expect(await post()).toBe('200 ok');
    expect(await post()).toMatch(/not public/);
  });

  test('end at the limit and when the connections are closed, also while a name is resolved', async () => {
    let arrive = () => {};
    const silent = await serveBytes(() => arrive());
    const stuck = await serveBytes((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na'));
    const resolve = async (name: string) =>
      name === 'slow.test' ? new Promise<never>(() => {}) : ['127.0.0.1'];
    const postAll = (connections: PostConnections, totalMsMax: number, hosts: readonly string[]) =>
      hosts.map((host) => result(connections.post(`http://${host}/`, message, { ...limits, totalMsMax })));
    const late = 'FetchRefused: The host did not answer in time.';
    const given = postAll(connectionsOf({ resolve }), 300, [
      'slow.test',
      `hooks.test:${silent}`,
      `hooks.test:${stuck}`,
    ]);
    expect(await Promise.all(given)).toEqual([late, late, late]);
    const connections = connectionsOf({ resolve });
    const arrived = new Promise<void>((done) => {
      arrive = done;
    });
    const ended = postAll(connections, 60_000, ['slow.test', `hooks.test:${silent}`]);
    await arrived;
    connections.close();
    const closed = 'Error: the connections are closed';
    expect(await Promise.all(ended)).toEqual([closed, closed]);
    await expect(connections.post(`http://hooks.test:${silent}/`, message, limits)).rejects.toThrow(/closed/);
  });
});
