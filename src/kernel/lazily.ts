/** What `make` makes, made when it is first asked for and kept. What throws is made anew the next time. */
export function lazily<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}
