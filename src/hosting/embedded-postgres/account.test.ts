import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseAccount, findAccount } from './account.ts';

const passwordFile = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin
`;

test('the account exists on the machine; the least shared candidate comes first', () => {
  expect(findAccount(`${passwordFile}postgres:x:101:104::/var/lib/postgresql:/bin/bash\n`)).toEqual({
    uid: 101,
    gid: 104,
  });
  expect(findAccount(passwordFile)).toEqual({ uid: 65534, gid: 65533 });
});

test('an alias of root, or an account with a negative id, is never chosen', () => {
  expect(findAccount('postgres:x:0:0::/:/bin/sh\nnobody:*:-2:-2::/:/bin/false\n')).toBeUndefined();
});

test('an ordinary user runs PostgreSQL under its own account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-account-'));
  expect(chooseAccount(folder, 1000)).toBeUndefined();
  rmSync(folder, { recursive: true });
});
