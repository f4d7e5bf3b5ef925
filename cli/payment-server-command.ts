import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../src/hosting/payment-servers/payment-server.ts';
import { type Command, optional } from './command.ts';
import type { Screen } from './progress-bar.ts';
import { countOf, playUntilStopped, switchesOf } from './stand-in-server.ts';

const portByDefault = 8096;

/** Runs a stand-in for card terminals and a bank. */
export const paymentServerCommands: Readonly<Record<string, Command>> = {
  'payment-server': {
    summary: 'run a stand-in for card terminals and a bank, for demos and trials (docs/product/payments.md)',
    options: {
      port: optional(`its port, by default ${portByDefault}`),
      host: optional('the address to listen on, by default 127.0.0.1: who reaches it controls it'),
      seed: optional('any text: the same seed draws the same codes'),
      switches: optional('switches to turn, such as "customer=waits; debit-void=allow"'),
    },
    runRemote: (_config, options, { stderr, stop }) =>
      playUntilStopped(
        () => started(options),
        (server) => tell(stderr, server),
        stop,
      ),
  },
};

async function started({ port, host, seed, switches }: Readonly<Record<string, string>>) {
  return startPaymentServer({
    ...(seed !== undefined && { seed }),
    ...(host !== undefined && { host }),
    port: port === undefined ? portByDefault : countOf('port', port),
    switches: switchesOf(switches ?? ''),
    runs: true,
  });
}

function tell(screen: Screen, { url }: PaymentServer): void {
  const { terminals, bank } = paymentAccounts;
  const lines = [
    `Terminals and a bank are played at ${url}; stop with Ctrl+C. Allow the service to ask it: PAYMENT_HOSTS_ALLOWED=127.0.0.1`,
    ...terminals.map(({ tpn, authkey }) => `Terminal: tpn ${tpn}, authkey ${authkey}`),
    `Bank: merchant ${bank.merchantId}, apiKey ${bank.apiKey}, apiSecret ${bank.apiSecret}, signingKey bank-signing-key`,
    `What customers do: POST ${url}/control/customer {"tpn", "does": "tap" | "decline" | "cancel"}`,
  ];
  screen.write(`${lines.join('\n')}\n`);
}
