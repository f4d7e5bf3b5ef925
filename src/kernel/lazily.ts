/** Calls `make` at the first use and caches the result. An error is not cached. */
export function lazily<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** Computes a value for an object once, and returns it for as long as the object exists. */
export function memoizeByObject<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}
