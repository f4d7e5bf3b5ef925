import { isStrainWord } from '../catalog/products.ts';
import type { ColumnMapping } from './column-mapping.ts';
import { profileHeadings } from './export-profiles.ts';
import type { ImportFields } from './import-kind.ts';
import { plainHeading } from './table-heading.ts';

/** What other systems call the columns of their files. Pure. */

type Samples = readonly string[];
const isStrainColumn = (samples: Samples) => samples.length > 0 && samples.every(isStrainWord);

/** The names that other systems have for a field, the likeliest first. */
export const namesOf: readonly (readonly [
  field: string,
  names: readonly string[],
  fits?: (samples: Samples) => boolean,
])[] = [
  ['name', ['productname', 'product', 'itemname', 'item', 'title', 'displayname', 'name']],
  ['brandName', ['brandname', 'brand', 'maker', 'producer', 'manufacturer']],
  ['category', ['primarycategory', 'categoryname', 'category', 'producttype', 'type', 'kind', 'department']],
  ['subCategories', ['subcategory', 'subcategories', 'subcategoryname', 'subtype']],
  ['description', ['description', 'desc', 'about', 'details', 'body']],
  ['strainType', ['straintype', 'classification', 'lineage', 'strainclass', 'dominance']],
  ['strainType', ['strain', 'species'], isStrainColumn],
  ['strain', ['strainname', 'strain', 'cultivar'], (samples) => !isStrainColumn(samples)],
  ['thcAmount', ['thccontent', 'thc', 'totalthc', 'percentthc', 'thcpercent', 'thcpotency', 'potencythc']],
  ['cbdAmount', ['cbdcontent', 'cbd', 'totalcbd', 'percentcbd', 'cbdpercent', 'cbdpotency', 'potencycbd']],
  [
    'optionPhotoAltTexts',
    [
      ...['variantsimagesalt', 'variantimagealt', 'variantimagealttext', 'variantimagealttexts'],
      ...[
        'optionimagesalt',
        'optionimagealt',
        'optionimagealttext',
        'optionimagealttexts',
        'optionimagealts',
      ],
    ],
  ],
  [
    'optionPhotos',
    [
      ...['variantsimages', 'variantimages', 'variantimage', 'variantimageurls', 'variantimageurl'],
      ...['optionimages', 'optionimage', 'optionimageurls', 'optionimageurl', 'optionphoto'],
    ],
  ],
  [
    'photoAltTexts',
    [
      ...['imagesalt', 'imagealt', 'imagealts', 'imagealttext', 'imagealttexts', 'alttext', 'alttexts'],
      ...['photosalt', 'photoalt', 'photoalttext', 'imagedescription'],
    ],
  ],
  ['photos', ['images', 'photos', 'pictures', 'image', 'photo', 'imageurl', 'imageurls', 'photourl']],
  ['sku', ['sku', 'productsku', 'itemnumber']],
  ['effects', ['effects', 'feelings']],
  ['flavours', ['flavours', 'flavors', 'tastes']],
  ['terpenes', ['terpenes', 'terpeneprofile']],
  ['labResults', ['labresults', 'labs']],
  ['price', ['pricecents', 'price', 'prices', 'retailprice', 'unitprice', 'optionprice', 'recprices']],
  [
    'salesPrice',
    [
      ...[
        'salepricecents',
        'salespricecents',
        'specialpricecents',
        'saleprice',
        'salesprice',
        'specialprice',
      ],
      ...['optionsaleprice', 'discountprice', 'specialprices', 'saleprices', 'recspecialprices'],
    ],
  ],
  ['upc', ['upc', 'barcode', 'barcodes', 'upcs', 'gtin', 'ean', 'upccode']],
];

/** Columns of sizes: one of them says name, amount and content of an option. */
export const sizeNames = [
  'optionweight',
  'weight',
  'size',
  'options',
  'option',
  'weights',
  'sizes',
  'netweight',
  'weightperunit',
  'packagesize',
  'label',
];
export const optionNameNames = ['variantname', 'variant', 'optionname', 'label'];

/** Further headings of products and of customers, by which the line of headings is found. */
const otherNames = [
  ...[
    'id',
    'productid',
    'itemid',
    'externalid',
    'quantity',
    'onhand',
    'available',
    'cost',
    'unitcost',
    'vendor',
  ],
  ...[
    'distributor',
    'packageid',
    'packagetag',
    'batch',
    'room',
    'location',
    'store',
    'shop',
    'active',
    'tags',
  ],
  ...[
    'pricegram',
    'priceeighth',
    'pricequarter',
    'pricehalfounce',
    'priceounce',
    'priceeach',
    'handle',
    'token',
  ],
  ...['customerid', 'firstname', 'lastname', 'customername', 'emailaddress', 'phonenumber', 'mobile', 'cell'],
  ...['cellphone', 'dateofbirth', 'dob', 'gender', 'zipcode', 'postalcode', 'city', 'state', 'address'],
  ...['customersince', 'joindate', 'loyaltypoints', 'points', 'notes', 'smsoptin', 'emailoptin', 'optin'],
];
const foreignNames: readonly string[] = [
  ...namesOf.flatMap(([, names]) => names),
  ...sizeNames,
  ...optionNameNames,
  ...otherNames,
  ...profileHeadings,
];

/** The plain names of columns that a file may have: our fields, those of a mapping, those of other systems. */
export function knownHeadings(fields: ImportFields, mapping: ColumnMapping | null): ReadonlySet<string> {
  return new Set([
    ...Object.keys(fields).map(plainHeading),
    ...(mapping?.columns ?? []).map(({ column }) => plainHeading(column)),
    ...foreignNames,
  ]);
}
