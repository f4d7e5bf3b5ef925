import { expect, test } from 'vitest';
import { manifestExample } from '../../../../src/shop/deliveries/trip-manifest.ts';
import { manifestCsv } from './manifest-csv.ts';

test('a manifest as CSV has a row for each package, with driver, vehicle and stop', () => {
  expect(manifestCsv(manifestExample)).toBe(
    'tripId,day,shop,shopLicense,driver,driverLicense,employeeNumber,phone,vehicle,licensePlate,departureAt,stop,orderNumber,' +
      'recipient,address,product,option,package,amount,unit,value\r\n' +
      "6901,2026-03-10,Alder Street,C10-0000001-LIC,Tomas Reyes,D1234417,E-1183,'+15105550142,Ford Transit Connect,8ABC123," +
      '2026-03-10T18:05:09.123Z,1,1042,Marisol Okafor,"418 Alder Street, Oakland, CA, 94607",Blue Dream,3.5 g,' +
      '1A4FF0000000000000000001,1,item,35.00\r\n',
  );
});
