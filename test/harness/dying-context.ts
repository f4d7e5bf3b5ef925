import type { Context } from '../../src/platform/database/context.ts';

/** A context whose process dies at a write: nothing after it happens. */
export function dyingAt(context: Context, write: number): Context {
  let left = write;
  const database = new Proxy(context.database, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'write') return member.bind(target);
      return (...given: unknown[]) => {
        if (left-- <= 0) throw new Error('the process is gone');
        return member.apply(target, given);
      };
    },
  });
  return { ...context, database };
}
