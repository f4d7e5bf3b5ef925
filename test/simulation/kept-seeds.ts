/** Seeds of years that failed once, with the fault: they run every time. */
export const keptSeeds: readonly number[] = [];
