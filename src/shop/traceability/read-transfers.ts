import {
  readShippedPackage,
  readStateTransfer,
  readWholesale,
  type ShippedPackage,
  type StateTransfer,
} from '../../engines/state-reports/state-transfer.ts';
import { Failure } from '../../kernel/failure.ts';
import { applyStateFacts, importComplianceTransfers, selectLabelledPackages } from '../inventory/stock.ts';
import { orderTransfer } from '../purchasing/purchasing.ts';
import type { LaneParts } from './lane-parts.ts';
import { type StateWindow, windowQuery } from './read-windows.ts';
import { stateOrigin } from './state-origin.ts';

/** A transfer with its packages. */
export interface IncomingGoods {
  readonly transfer: StateTransfer;
  readonly packages: readonly ShippedPackage[];
  /** Prices of all of a package in cents, by label: those that the user may see. */
  readonly prices: ReadonlyMap<string, number>;
}

/** The incoming transfers that changed in a window; without the right to see transfers none. Null: they could not be read. */
export async function readIncoming(
  { client }: Pick<LaneParts, 'client'>,
  window: StateWindow,
): Promise<IncomingGoods[] | null> {
  const listed = await client.list('/transfers/v2/incoming', windowQuery(window));
  if (listed.kind === 'absent') return [];
  if (listed.kind !== 'rows') return null;
  const found: IncomingGoods[] = [];
  const transfers = listed.rows
    .flatMap((row) => readStateTransfer(row) ?? [])
    .toSorted((a, b) => a.id - b.id);
  for (const transfer of transfers) {
    const path = `/transfers/v2/deliveries/${transfer.deliveryId}/packages`;
    const [packages, wholesale] = await Promise.all([client.list(path), client.list(`${path}/wholesale`)]);
    if (packages.kind === 'failed' || wholesale.kind === 'failed') return null;
    const rows = packages.kind === 'rows' ? packages.rows : [];
    const prices = wholesale.kind === 'rows' ? wholesale.rows.flatMap((row) => readWholesale(row) ?? []) : [];
    found.push({
      ...{ transfer, packages: rows.flatMap((row) => readShippedPackage(row) ?? []) },
      prices: new Map(prices.map(({ label, cents }) => [label, cents])),
    });
  }
  return found;
}

/** Transfers with what comes become transfers here; what is known here keeps its packages, with amounts and prices as they are now. */
export async function keepIncoming(
  { context, organization }: LaneParts,
  incoming: readonly IncomingGoods[],
): Promise<void> {
  for (const { transfer, packages, prices } of incoming) {
    const coming = transfer.isVoided
      ? []
      : packages.filter(({ state }) => state === 'Shipped' || state === 'Accepted');
    const [known] = await context.database.read(
      organization,
      selectLabelledPackages({ labels: coming.map(({ label }) => label) }),
    );
    const labels = new Set(known.map(({ label }) => label));
    const fresh = coming.filter(({ label }) => !labels.has(label));
    const imported: { readonly id: number }[] = [];
    if (fresh.length > 0) {
      const rows = fresh.map((it) => ({
        ...{ manifestNumber: transfer.manifestNumber, transferExternalId: String(transfer.id) },
        ...{ shipperName: transfer.shipperName, shipperLicenseNumber: transfer.shipperLicense },
        ...{ label: it.label, externalId: it.id === null ? null : String(it.id) },
        ...{ externalProductName: it.item, initialAmount: it.quantity, unit: it.unit },
        ...{ expirationDate: it.expirationDate, tradeSample: String(it.isTradeSample) },
      }));
      try {
        const sent = { rows, onlyGood: true };
        const { transfers } = await importComplianceTransfers(context, stateOrigin, organization, sent);
        imported.push(...transfers);
      } catch (error) {
        // Such as a unit that is in no list: the packages stay in what is compared.
        if (!(error instanceof Failure)) throw error;
      }
    }
    const facts = coming.flatMap(({ label, quantity, state }) =>
      state === 'Shipped' || prices.has(label)
        ? [
            {
              ...{ label, wholesaleCents: prices.get(label) ?? null, announced: quantity },
              block: state === 'Shipped' ? ('not-accepted' as const) : ('keep' as const),
            },
          ]
        : [],
    );
    await context.database.write(organization, (tx) => applyStateFacts(tx, context, stateOrigin, facts), {
      countsAsChange: false,
    });
    for (const { id } of imported) await orderKnownGoods(context, organization, id);
  }
}

/** A transfer of goods that were all received before, with prices, is a purchase order at once; of others a person says what they are. */
async function orderKnownGoods(
  context: LaneParts['context'],
  organization: LaneParts['organization'],
  transferId: number,
): Promise<void> {
  try {
    await orderTransfer(context, stateOrigin, organization, transferId, { needsPrices: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
