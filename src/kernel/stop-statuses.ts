/** What becomes of a stop of a trip. */
export const stopStatuses = ['waiting', 'arrived', 'delivered', 'partly', 'refused', 'notHome'] as const;
export type StopStatus = (typeof stopStatuses)[number];
