import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** What a provider tells of the person who types in their password there. */
interface ProviderPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
}

export const providerClient = { client_id: 'console', client_secret: 'a secret of sixteen or more' } as const;

/** A provider of npm on the loopback, and who is at it. */
interface TestProvider {
  readonly issuer: string;
  person: ProviderPerson;
  /** How and when the person proved who they are; undefined: nothing is said of it. */
  told: { readonly amr?: readonly string[]; readonly authTime?: number };
  isDown: boolean;
  close(): void;
}

/** Starts it for the console at an address. The person is signed in without being asked anything. */
export async function startProvider(redirectUrl: string): Promise<TestProvider> {
  let handle: ReturnType<Provider['callback']> | undefined;
  let provider: Provider;
  const server = createServer(async (request, response) => {
    if (shown.isDown) return void response.writeHead(503).end();
    if (!request.url!.startsWith('/login/')) return void handle!(request, response);
    const { amr, authTime } = shown.told;
    await provider.interactionFinished(request, response, {
      login: {
        accountId: shown.person.sub,
        ...(amr && { amr: [...amr] }),
        ...(authTime && { ts: authTime }),
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shown: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'no-one', email: '', email_verified: true },
    told: {},
    isDown: false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  provider = new Provider(shown.issuer, {
    clients: [{ ...providerClient, redirect_uris: [redirectUrl] }],
    cookies: { keys: ['for tests'] },
    claims: { email: ['email', 'email_verified'], openid: ['sub', 'amr', 'auth_time'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ ...shown.person, sub }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  handle = provider.callback();
  return shown;
}
