/** The maximum number of photos of a product, and of each of its options. */
export const photosMax = 20;

/** The most characters of an alternative text. */
export const altTextMax = 500;
