import { expect, test } from 'vitest';
import { manifestCsv } from './manifest-csv.ts';

const goods = { productName: 'Blue Dream', optionName: '3.5 g', packageLabel: '1A4FF0000000000000000001' };
const manifest = {
  ...{ tripId: 6901, day: '2026-03-10', departureAt: '2026-03-10T18:05:09.123Z', value: 3500 },
  shop: { name: 'Alder Street', licenseNumber: 'C10-0000001-LIC', phone: '+15105550100' },
  driver: {
    ...{ name: 'Tomas Reyes', licenseNumber: 'D1234417', employeeNumber: 'E-1183', phone: '+15105550142' },
  },
  vehicle: { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit Connect' },
  stops: [
    {
      ...{ position: 1, orderNumber: 1042, recipient: 'Marisol Okafor', value: 3500 },
      address: '418 Alder Street, Oakland, CA, 94607',
      goods: [{ ...goods, amount: '1', unit: 'item', value: 3500 }],
    },
  ],
};

test('a manifest as CSV has a row for each package, with driver, vehicle and stop', () => {
  expect(manifestCsv(manifest)).toBe(
    'tripId,day,shop,shopLicense,driver,driverLicense,employeeNumber,phone,vehicle,licensePlate,departureAt,stop,orderNumber,' +
      'recipient,address,product,option,package,amount,unit,value\r\n' +
      "6901,2026-03-10,Alder Street,C10-0000001-LIC,Tomas Reyes,D1234417,E-1183,'+15105550142,Ford Transit Connect,8ABC123," +
      '2026-03-10T18:05:09.123Z,1,1042,Marisol Okafor,"418 Alder Street, Oakland, CA, 94607",Blue Dream,3.5 g,' +
      '1A4FF0000000000000000001,1,item,35.00\r\n',
  );
});
