/** Seeds of years that went wrong once, with what was wrong: they are run every time. */
export const keptSeeds: readonly number[] = [];
