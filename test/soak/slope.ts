/** Whether a series of samples stays level. */
export interface Slope {
  /** How much the line through the samples rises from the first to the last, as a share of their mean. */
  readonly rise: number;
  /** How many times the rise is its own standard error: chance alone gives less than three. */
  readonly certainty: number;
  readonly isFlat: boolean;
}

const riseMax = 0.15;
const certaintyMin = 3;

/** The line of least squares through samples at equal distances. A rise counts if it is large and no chance. */
export function slopeOf(samples: readonly number[]): Slope {
  const count = samples.length;
  const mean = samples.reduce((sum, value) => sum + value, 0) / count;
  if (count < 3 || mean === 0) return { rise: 0, certainty: 0, isFlat: true };
  const middle = (count - 1) / 2;
  let [products, squares] = [0, 0];
  for (const [at, value] of samples.entries()) {
    products += (at - middle) * (value - mean);
    squares += (at - middle) ** 2;
  }
  const slope = products / squares;
  const rest = samples.reduce((sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / squares);
  const rise = (slope * (count - 1)) / mean;
  const certainty = error === 0 ? (slope === 0 ? 0 : Number.POSITIVE_INFINITY) : slope / error;
  return { rise, certainty, isFlat: rise <= riseMax || certainty < certaintyMin };
}
