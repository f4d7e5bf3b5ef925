import type { Schema } from '../../api.ts';
import { dollarsInput } from '../../parts/dollars.ts';

const columns = [
  ...([
    'tripId',
    'day',
    'shop',
    'shopLicense',
    'driver',
    'driverLicense',
    'employeeNumber',
    'phone',
  ] as const),
  ...(['vehicle', 'licensePlate', 'departureAt', 'stop', 'orderNumber', 'recipient', 'address'] as const),
  ...(['product', 'option', 'package', 'amount', 'unit', 'value'] as const),
];

/** A manifest as CSV: a row for each package at each stop. Values are dollars. */
export function manifestCsv({ shop, driver, vehicle, stops, ...trip }: Schema['TripManifest']): string {
  const head = {
    ...{ tripId: trip.tripId, day: trip.day, shop: shop.name, shopLicense: shop.licenseNumber },
    ...{ driver: driver.name, driverLicense: driver.licenseNumber, employeeNumber: driver.employeeNumber },
    ...{ phone: driver.phone ?? shop.phone, vehicle: `${vehicle.make} ${vehicle.model}` },
    ...{ licensePlate: vehicle.licensePlate, departureAt: trip.departureAt },
  };
  const rows = stops.flatMap(({ position, orderNumber, recipient, address, goods }) =>
    goods.map(({ productName, optionName, packageLabel, amount, unit, value }) => ({
      ...{ ...head, stop: position, orderNumber, recipient, address, product: productName },
      ...{ option: optionName, package: packageLabel, amount, unit, value: dollarsInput(value) },
    })),
  );
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((cells) => `${cells.map(cellText).join(',')}\r\n`)
    .join('');
}

/** A spreadsheet treats text that begins like this as a formula. */
const formulaStart = /^[=+\-@\t\r]/;

function cellText(value: string | number | null): string {
  const text = `${value ?? ''}`.replace(formulaStart, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
