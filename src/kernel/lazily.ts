/** Calls `make` at the first use and caches the result. An error is not cached. */
export function lazily<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}
