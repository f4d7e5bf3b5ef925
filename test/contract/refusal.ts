import type { Endpoint } from '../../src/http/endpoint.ts';
import type { ErrorCode } from '../../src/kernel/error-catalogue.ts';
import { startTestService, type TestRequest, type TestService } from '../harness/test-service.ts';
import { openWitness, type Witness } from '../harness/witness.ts';
import { type ContractRequest, createTenant, type Tenant } from './contract-world.ts';

/** Where refusals are provoked. */
export interface Stage {
  readonly service: TestService;
  /** The same, with requests counted. */
  readonly limited: TestService;
  readonly home: Tenant;
  readonly witness: Witness;
}

export interface Provocation {
  /** By default the stage's own. */
  readonly service?: TestService;
  readonly request: ContractRequest;
  /** By default the home's keys. */
  readonly options?: TestRequest;
}

/** One way to be refused, and how the refusal reads (D12). */
export interface Refusal {
  readonly endpointId: string;
  readonly code: ErrorCode;
  /** What is wrong. */
  readonly when: string;
  /** Brings about the facts; the request itself is sent by the test. */
  arrange(stage: Stage, endpoint: Endpoint): Promise<Provocation> | Provocation;
  /** Names the field. */
  readonly message: RegExp;
  /** Exactly; a function where it depends on ids. By default there is none. */
  readonly meta?: object | ((stage: Stage, sent: ContractRequest) => object);
  readonly headers?: Readonly<Record<string, RegExp>>;
}

export async function createStage(): Promise<Stage> {
  const service = await startTestService();
  const limited = await startTestService({ database: service.database, rateLimits: 'on' });
  return {
    service,
    limited,
    home: await createTenant(service),
    witness: await openWitness(service.database),
  };
}

export async function endStage({ service, limited, witness }: Stage): Promise<void> {
  await witness.end();
  await limited.close();
  await service.close();
}
