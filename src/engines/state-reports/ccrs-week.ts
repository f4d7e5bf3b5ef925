import { decimal, decimalText } from '../../kernel/decimal.ts';
import {
  type CcrsFileType,
  type CcrsRow,
  ccrsDay,
  ccrsFileTypes,
  ccrsKeys,
  ccrsTypes,
} from './ccrs-columns.ts';
import type { CcrsFiles, CcrsKnown } from './ccrs-files.ts';
import type { FileSettings } from './file-settings.ts';

/* The rows of Washington's files, made of what the shop has and did, and of what was filed before: only what is new or has changed. */

/** A package that the shop has, or had until lately. Amounts are decimal text in units of stock. */
export interface FiledPackage {
  readonly id: number;
  readonly label: string;
  /** The state's name of it, as it was filed first. */
  readonly externalId: string;
  readonly productId: number;
  /** Null: its stock is that of the product. */
  readonly optionId: number | null;
  readonly productName: string;
  readonly optionName: string | null;
  readonly strain: string | null;
  readonly strainType: string;
  readonly categoryId: number;
  readonly isByGram: boolean;
  /** Grams in one unit; null: not known. */
  readonly unitGrams: string | null;
  readonly initial: string;
  readonly onHand: string;
  readonly costPerUnit: string | null;
  readonly isTradeSample: boolean;
  /** ISO day. */
  readonly receivedOn: string;
  /** The transfer that brought it after the license was connected; null: none is filed. */
  readonly transfer: { readonly fromLicense: string; readonly fromExternalId: string } | null;
}

export interface FiledAdjustment {
  readonly number: string;
  readonly label: string;
  /** Signed decimal text. */
  readonly quantity: string;
  readonly on: string;
  /** Null: the shop has chosen none. */
  readonly reason: string | null;
}

export interface FiledSale {
  readonly orderNumber: number;
  readonly on: string;
  readonly isMedical: boolean;
  /** Goods came back, in place of a sale that never was. */
  readonly isReturn: boolean;
  readonly lines: readonly FiledLine[];
}

interface FiledLine {
  readonly label: string;
  readonly quantity: string;
  readonly amountCents: number;
  readonly priceCents: number;
  readonly salesTaxCents: number;
  readonly exciseTaxCents: number;
}

export interface CcrsWeek {
  readonly licenseNumber: string;
  readonly settings: FileSettings;
  /** The day of the upload, ISO. */
  readonly today: string;
  /** What the state has, by file and by the row's identifier. */
  readonly filed: ReadonlyMap<CcrsFileType, ReadonlyMap<string, CcrsRow>>;
  readonly packages: readonly FiledPackage[];
  readonly adjustments: readonly FiledAdjustment[];
  readonly sales: readonly FiledSale[];
}

/** Goods without a strain of their own are filed under this one. */
const mixedStrain = 'Mixed';

/** The rows of each file. */
export function ccrsWeek(week: CcrsWeek): CcrsFiles {
  const files = new WeekFiles(week);
  const area = week.settings.area ?? 'Sales Floor';
  files.put('Area', 'A1', { Area: area, IsQuarantine: 'FALSE' }, week.today);
  const sold = new Map(week.packages.map((it) => [it.label, it]));
  const medical = new Set(
    week.sales.flatMap((sale) => sale.lines.filter((line) => isExempt(sale, line)).map(({ label }) => label)),
  );
  for (const pack of week.packages) filePackage(files, week, pack, area, medical.has(pack.label));
  for (const it of week.adjustments) {
    const isUp = !it.quantity.startsWith('-');
    files.adjust(
      it.number,
      sold.get(it.label)?.externalId ?? it.label,
      {
        AdjustmentReason: it.reason ?? '',
        AdjustmentDetail: `${isUp ? 'Up' : 'Down'}, ${it.number}`,
        Quantity: it.quantity.replace('-', ''),
        AdjustmentDate: ccrsDay(it.on),
      },
      it.on,
    );
  }
  for (const sale of week.sales) fileSale(files, week, sale, sold);
  return files.rows;
}

/** What the state knows, as other files point to it. */
export function knownToState(filed: CcrsWeek['filed']): CcrsKnown {
  const names = (file: CcrsFileType, field: string) =>
    new Set(
      [...(filed.get(file) ?? new Map<string, CcrsRow>()).values()].flatMap((row: CcrsRow) =>
        row.Operation === 'Delete' ? [] : (row[field] ?? []),
      ),
    );
  return {
    ...{ strains: names('Strain', 'Strain'), areas: names('Area', 'Area') },
    ...{ products: names('Product', 'Name'), inventory: names('Inventory', 'ExternalIdentifier') },
  };
}

/** The columns that every change has besides what it says. */
const stamps = new Set(['CreatedBy', 'CreatedDate', 'UpdatedBy', 'UpdatedDate', 'Operation']);

class WeekFiles {
  readonly rows: Record<CcrsFileType, CcrsRow[]>;
  readonly #week: CcrsWeek;
  readonly #by: string;

  constructor(week: CcrsWeek) {
    this.#week = week;
    this.#by = week.settings.submittedBy ?? '';
    this.rows = Object.fromEntries(ccrsFileTypes.map((type) => [type, []])) as never;
  }

  /** What the state has of a row; undefined: nothing. */
  before(file: CcrsFileType, id: string): CcrsRow | undefined {
    const row = this.#week.filed.get(file)?.get(id);
    return row?.Operation === 'Delete' ? undefined : row;
  }

  /** A row that has to be as it is given here: made, changed, or left where the state has it so. */
  put(file: CcrsFileType, id: string, said: CcrsRow, madeOn: string): void {
    const before = this.before(file, id);
    const license = file === 'InventoryTransfer' ? {} : { LicenseNumber: this.#week.licenseNumber };
    const row: CcrsRow = { ...license, [ccrsKeys[file]]: id, ...said };
    if (before === undefined) {
      const operation = file === 'Strain' ? {} : { Operation: 'Insert' };
      this.rows[file].push({ ...row, CreatedBy: this.#by, CreatedDate: ccrsDay(madeOn), ...operation });
      return;
    }
    const isSame = Object.entries(row).every(([name, value]) => (before[name] ?? '') === value);
    // A strain can be neither changed nor deleted.
    if (isSame || file === 'Strain') return;
    this.rows[file].push({ ...row, ...this.#changed(before, 'Update') });
  }

  /** A row that the state should no longer have. */
  remove(file: CcrsFileType, id: string): void {
    const before = this.before(file, id);
    if (before === undefined) return;
    const said = Object.fromEntries(Object.entries(before).filter(([name]) => !stamps.has(name)));
    this.rows[file].push({ ...said, ...this.#changed(before, 'Delete') });
  }

  adjust(id: string, inventoryId: string, said: CcrsRow, on: string): void {
    this.put('InventoryAdjustment', id, { InventoryExternalIdentifier: inventoryId, ...said }, on);
  }

  #changed({ CreatedBy = '', CreatedDate = '' }: CcrsRow, Operation: 'Update' | 'Delete'): CcrsRow {
    return { CreatedBy, CreatedDate, UpdatedBy: this.#by, UpdatedDate: ccrsDay(this.#week.today), Operation };
  }
}

function filePackage(
  files: WeekFiles,
  { settings, licenseNumber, today }: CcrsWeek,
  pack: FiledPackage,
  area: string,
  isMedical: boolean,
): void {
  const strain = pack.strain ?? mixedStrain;
  const type = settings.types?.[pack.categoryId] ?? '';
  const category =
    Object.entries(ccrsTypes).findLast(([, types]) => types.includes(type))?.[0] ?? 'EndProduct';
  const name = [pack.productName, pack.optionName].filter(Boolean).join(' ');
  const key = `P${pack.productId}${pack.optionId === null ? '' : `-${pack.optionId}`}`;
  if (files.rows.Strain.every((row) => row.Strain !== strain)) {
    files.put('Strain', strain, { StrainType: strainTypeOf(pack) }, today);
  }
  if (files.rows.Product.every((row) => row.ExternalIdentifier !== key)) {
    const grams = pack.isByGram ? '1' : pack.unitGrams;
    files.put(
      'Product',
      key,
      {
        ...{ InventoryCategory: category, InventoryType: type, Name: name, Description: name },
        UnitWeightGrams: grams === null ? '0' : decimal(grams).round(2, 1).toFixed(),
      },
      today,
    );
  }
  const before = files.before('Inventory', pack.externalId);
  const cost = decimal(pack.costPerUnit ?? '0').times(pack.initial);
  files.put(
    'Inventory',
    pack.externalId,
    {
      ...{ Strain: strain, Area: area, Product: name },
      InitialQuantity: rounded(pack.initial),
      QuantityOnHand: rounded(pack.onHand),
      TotalCost: pack.isTradeSample ? '0.01' : cost.toFixed(2),
      IsMedical: isMedical || before?.IsMedical === 'TRUE' ? 'TRUE' : 'FALSE',
    },
    pack.receivedOn,
  );
  if (pack.transfer === null) return;
  files.put(
    'InventoryTransfer',
    `T${pack.id}`,
    {
      ...{ FromLicenseNumber: pack.transfer.fromLicense, ToLicenseNumber: licenseNumber },
      FromInventoryExternalIdentifier: pack.transfer.fromExternalId,
      ToInventoryExternalIdentifier: pack.externalId,
      ...{ Quantity: rounded(pack.initial), TransferDate: ccrsDay(pack.receivedOn) },
    },
    pack.receivedOn,
  );
}

function strainTypeOf({ strain, strainType }: FiledPackage): string {
  if (strain === null) return 'Hybrid';
  return { sativa: 'Sativa', indica: 'Indica' }[strainType] ?? 'Hybrid';
}

/** What is sold to a patient without the excise tax. */
function isExempt({ isMedical }: FiledSale, { exciseTaxCents, amountCents }: FiledLine): boolean {
  return isMedical && exciseTaxCents === 0 && amountCents > 0;
}

/** A ticket has one type: what is exempt is a ticket of its own. */
function fileSale(
  files: WeekFiles,
  { filed }: CcrsWeek,
  sale: FiledSale,
  packages: ReadonlyMap<string, FiledPackage>,
): void {
  const kept = new Set<string>();
  for (const line of sale.lines) {
    const inventoryId = packages.get(line.label)?.externalId ?? line.label;
    const exempt = isExempt(sale, line);
    const ticket = `${sale.orderNumber}${exempt ? '-M' : ''}`;
    const id = `${ticket}-${inventoryId}`;
    kept.add(id);
    const before = files.before('Sale', id);
    if (sale.isReturn) fileReturn(files, sale, id, before, line.quantity);
    files.put(
      'Sale',
      id,
      {
        ...{ SoldToLicenseNumber: '', InventoryExternalIdentifier: inventoryId, PlantExternalIdentifier: '' },
        SaleType: exempt ? 'RecreationalMedical' : 'RecreationalRetail',
        SaleDate: ccrsDay(sale.on),
        ...pricesOf(line),
        SaleExternalIdentifier: ticket,
      },
      sale.on,
    );
  }
  for (const [id, row] of filed.get('Sale') ?? []) {
    const of = row.SaleExternalIdentifier;
    const isOfIt = of === String(sale.orderNumber) || of === `${sale.orderNumber}-M`;
    if (!isOfIt || kept.has(id) || row.Operation === 'Delete') continue;
    if (sale.isReturn) fileReturn(files, sale, id, row, '0');
    files.remove('Sale', id);
  }
}

/** Goods that came back, besides the changed sale. */
function fileReturn(
  files: WeekFiles,
  sale: FiledSale,
  id: string,
  before: CcrsRow | undefined,
  left: string,
): void {
  const back = decimal(before?.Quantity ?? '0').minus(left);
  if (before === undefined || back.lte(0)) return;
  files.adjust(
    `R${id}-${decimalText(back)}`,
    before.InventoryExternalIdentifier ?? '',
    {
      AdjustmentReason: 'Other',
      AdjustmentDetail: `Up, customer return of sale ${sale.orderNumber}`,
      ...{ Quantity: decimalText(back), AdjustmentDate: ccrsDay(sale.on) },
    },
    sale.on,
  );
}

/**
 * The price of one unit is rounded up to a cent, and the discount takes the rest, so that quantity, price and discount make the amount
 * of the sale to the cent.
 */
function pricesOf({ quantity, priceCents, amountCents, salesTaxCents, exciseTaxCents }: FiledLine): CcrsRow {
  const units = decimal(quantity);
  const unitCents = decimal(Math.max(priceCents, amountCents)).div(units).round(0, 3);
  const discount = units.times(unitCents).round(0, 1).minus(amountCents);
  const dollars = (cents: ReturnType<typeof decimal>) => cents.div(100).toFixed(2);
  return {
    ...{ Quantity: rounded(quantity), UnitPrice: dollars(unitCents), Discount: dollars(discount) },
    RetailSalesTax: dollars(decimal(salesTaxCents)),
    CannabisExciseTax: dollars(decimal(exciseTaxCents)),
  };
}

function rounded(amount: string): string {
  return decimalText(decimal(amount).round(4, 1));
}
