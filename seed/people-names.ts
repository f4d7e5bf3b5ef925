/** Name parts of invented customers. */
export const femaleNames =
  'Abigail Adele Alma Amara Anika Beatriz Bianca Camille Carmen Celeste Clara Daphne Delia Elena Elise Esther Farah Fiona Gemma Greta Hana Helena Imani Ines Iris Ivy Jada Josephine Kaya Keiko Lena Leticia Lila Lucia Maeve Marta Maya Mei Mira Naomi Nia Nora Odette Paloma Petra Phoebe Rosa Ruth Sabine Selma Simone Tess Thalia Uma Vera Willa Xiomara Yara Zadie Zora'.split(
    ' ',
  );

export const maleNames =
  'Abel Adrian Alonzo Amir Andre Arlo Basil Boris Caleb Cedric Cyrus Damian Darius Desmond Diego Dominic Elias Emil Enzo Felix Gideon Grant Hector Hugo Idris Isaac Ivan Jamal Jasper Joaquin Kenji Kofi Lamar Leon Linus Lorenzo Malik Marcus Mateo Miles Nathan Nico Omar Otis Pavel Quentin Ramon Rashid Ruben Silas Soren Stefan Tariq Tomas Ulysses Victor Walter Xavier Yusuf Zane'.split(
    ' ',
  );

export const neutralNames =
  'Ash Bellamy Blair Cameron Casey Dakota Ellis Emerson Finley Harper Indigo Jules Kai Lane Marlowe Noel Onyx Parker Quinn Reese River Rowan Sage Shiloh Tatum Wynn'.split(
    ' ',
  );

export const lastNames =
  'Abara Abernathy Acosta Ahlgren Alvarado Amsel Ashby Baptista Barlow Beaumont Becerra Bhatt Birch Blackwood Bouchard Calloway Cardenas Castellanos Chaudhary Cheung Chopra Clarke Corrigan Dalton Danso Delacroix Demir Desai Dorsey Drummond Duarte Eastman Eklund Escobar Everly Faraday Farrow Ferreira Fitzgerald Fontaine Fujimoto Galvan Garrison Ghosh Gupta Haddad Halvorsen Hargrove Hashimoto Hawthorne Hidalgo Holloway Ibarra Ingram Iversen Jankowski Jefferson Jimenez Kaplan Kariuki Keller Khoury Kimura Kovac Lachance Landry Langley Larkin Ledesma Lindgren Lockhart Machado Maddox Mahmoud Marchetti Mbeki Mercado Montoya Moriarty Nakamura Navarro Ndiaye Nguyen Nordstrom Obrien Ochoa Odom Oduya Olsen Ortega Osborne Pacheco Palomo Park Pelletier Pham Pineda Prescott Quiroga Ramsey Rasmussen Redmond Reyes Rinaldi Rosen Rutherford Saito Salazar Sandoval Santana Sawyer Schreiber Serrano Shah Sinclair Solano Sterling Stokes Strand Sullivan Tanaka Tavares Thorne Tran Trujillo Underwood Valdez Vance Vasquez Villanueva Vu Wakefield Walden Warner Weaver Whitaker Winslow Wong Yamada Yates Yoon Zapata Zhang Zimmer'.split(
    ' ',
  );

export const streetNames =
  'Alder Bayberry Bellflower Birchwood Buckeye Canyon Cedar Chestnut Clover Cypress Dogwood Elderberry Fernwood Foothill Garnet Harbor Hawthorn Hazel Heather Hillcrest Juniper Lakeview Larkspur Laurel Linden Madrone Magnolia Manzanita Marigold Meadow Mulberry Myrtle Orchard Poplar Prospect Redwood Ridgeview Sagebrush Spruce Sumac Sycamore Tamarack Thistle Vineyard Walnut Willow Yarrow'.split(
    ' ',
  );

export const streetKinds = ['Street', 'Avenue', 'Lane', 'Court', 'Way', 'Place', 'Road', 'Terrace'];

/** Domains reserved for examples: mail to them reaches no one. */
export const mailDomains = [
  'mail.example.com',
  'inbox.example.com',
  'post.example.org',
  'letters.example.org',
  'home.example.net',
  'box.example.net',
];
