/** Remembers what is made of an object, so that it is made once. */
export function memoizedBy<Key extends object>() {
  return <Result>(make: (key: Key) => Result): ((key: Key) => Result) => {
    const made = new WeakMap<Key, Result>();
    return (key) => {
      const result = made.get(key) ?? make(key);
      made.set(key, result);
      return result;
    };
  };
}
