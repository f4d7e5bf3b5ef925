import type { Configuration } from 'openid-client';
import { failure } from '../../kernel/failure.ts';
import {
  FetchRefused,
  type GuardedFetcher,
  guardedFetcher,
  networkWith,
} from '../../platform/http/guarded-fetch.ts';
import { whyUnreachable } from '../../platform/http/public-address.ts';

/*
 * What is asked of an identity provider (OpenID Connect Core 1.0, authorization code with PKCE). Its address is entered by an owner:
 * every request to it goes through the guarded fetcher. The library is loaded with the first sign-in.
 */

const bounds = { bytesMax: 262_144, totalMsMax: 10_000 };

export interface ProviderClient {
  readonly issuer: string;
  readonly client: string;
  readonly clientSecret: string;
}

/** What binds the answer of the provider to the request of this browser. */
export interface SignInBinding {
  readonly redirectUrl: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What the provider vouches for. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Null: the provider names none, or does not vouch for it. */
  readonly verifiedEmail: string | null;
  /** Ways in which the person proved themself (RFC 8176). */
  readonly methods: readonly string[];
  /** Milliseconds between the person's proof and the answer, by the provider's clock. */
  readonly ageMs: number;
}

/** Older proofs at the provider are asked for again; then its answer says when the person proved who they are. */
const proofAgeSecondsMax = 12 * 3600;

/** Asks identity providers, at public addresses and at the own hosts that the operator allows. */
export class IdentityProviders {
  readonly #hosts: ReadonlySet<string>;
  readonly #fetch: GuardedFetcher;

  constructor(hostsAllowed: readonly string[]) {
    this.#hosts = new Set(hostsAllowed);
    this.#fetch = guardedFetcher(networkWith(hostsAllowed), bounds);
  }

  /** Whether an issuer may be asked: by TLS, and without it at an own host only. */
  allows(issuer: string): boolean {
    if (!URL.canParse(issuer)) return false;
    const { protocol, hostname, host, username, password, search, hash } = new URL(issuer);
    if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
    if (protocol === 'http:') return this.#hosts.has(hostname) || this.#hosts.has(host);
    return protocol === 'https:' && whyUnreachable(issuer, { hostsAllowed: [...this.#hosts] }) === null;
  }

  /** Where the browser goes. Fails with IDENTITY_PROVIDER_UNAVAILABLE. */
  async signInUrl(provider: ProviderClient, binding: SignInBinding, isFresh: boolean): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const configuration = await this.#configurationOf(provider);
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: binding.redirectUrl,
      scope: 'openid email',
      state: binding.state,
      nonce: binding.nonce,
      code_challenge: await calculatePKCECodeChallenge(binding.codeVerifier),
      code_challenge_method: 'S256',
      max_age: String(isFresh ? 0 : proofAgeSecondsMax),
      ...(isFresh && { prompt: 'login' }),
    });
    return url.href;
  }

  /**
   * Takes the provider's answer; null if it is none to this request: another state, nonce or issuer, a used code, a wrong
   * signature. Fails with IDENTITY_PROVIDER_UNAVAILABLE.
   */
  async identityOf(
    provider: ProviderClient,
    binding: SignInBinding,
    parameters: URLSearchParams,
  ): Promise<ProvenIdentity | null> {
    const { authorizationCodeGrant, enableNonRepudiationChecks, fetchUserInfo } = await import(
      'openid-client'
    );
    const configuration = await this.#configurationOf(provider);
    // The library trusts TLS instead of the signature otherwise.
    enableNonRepudiationChecks(configuration);
    const url = new URL(binding.redirectUrl);
    url.search = parameters.toString();
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: binding.state,
        expectedNonce: binding.nonce,
        pkceCodeVerifier: binding.codeVerifier,
        idTokenExpected: true,
        maxAge: proofAgeSecondsMax,
      });
      const claims = tokens.claims();
      if (claims === undefined) return null;
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const told =
        claims.email === undefined && hasUserInfo
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      const email = told.email_verified === true && typeof told.email === 'string' ? told.email : null;
      const provenAt = typeof claims.auth_time === 'number' ? claims.auth_time : claims.iat;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail: email,
        methods: Array.isArray(claims.amr) ? claims.amr.filter((it) => typeof it === 'string') : [],
        ageMs: Math.max(0, claims.iat - provenAt) * 1000,
      };
    } catch (error) {
      if (isUnreachable(error)) throw unavailable();
      return null;
    }
  }

  async #configurationOf({ issuer, client, clientSecret }: ProviderClient): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery } = await import('openid-client');
    if (!this.allows(issuer)) throw unavailable();
    try {
      return await discovery(new URL(issuer), client, clientSecret, undefined, {
        [customFetch]: this.#fetch,
        execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
        timeout: bounds.totalMsMax / 1000,
      });
    } catch {
      throw unavailable();
    }
  }
}

/** The provider could not be asked, as opposed to: it has answered, and not as it should. */
function isUnreachable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof FetchRefused) return true;
    const { status } = at as { status?: unknown };
    if (typeof status === 'number' && status >= 500) return true;
    if (at.cause instanceof Response) return at.cause.status >= 500;
  }
  return false;
}

function unavailable() {
  return failure(
    'IDENTITY_PROVIDER_UNAVAILABLE',
    'The identity provider of the organization cannot be reached, or does not answer as one. Sign in with the password.',
  );
}
