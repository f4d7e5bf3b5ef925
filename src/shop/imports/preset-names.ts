/** The shapes that menus are published in, by the place of their prices. */
export const presetNames = ['nested-options', 'weight-prices', 'flat-variants', 'nested-variants'] as const;

export type PresetName = (typeof presetNames)[number];
