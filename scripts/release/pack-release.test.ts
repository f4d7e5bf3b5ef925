import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signSums, writeSums } from './pack-release.ts';

test('the signature of the checksums holds until they are changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-signed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'archive'), 'content');
  writeSums(folder, ['archive']);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'release.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  signSums(folder, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const holds = () => {
    const read = (name: string) => readFileSync(join(folder, name));
    return verify(null, read('SHA256SUMS'), publicKey, read('SHA256SUMS.sig'));
  };
  // As docs/DEPLOYMENT.md says, where there is an openssl.
  const names = ['-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig', '-inkey', 'release.pub'];
  const checked = () =>
    spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...names], { cwd: folder });
  const hasProgram = checked().error === undefined;
  expect(holds()).toBe(true);
  if (hasProgram) expect(checked().status).toBe(0);
  writeFileSync(join(folder, 'SHA256SUMS'), 'others');
  expect(holds()).toBe(false);
  if (hasProgram) expect(checked().status).not.toBe(0);
});

test('a key of another kind signs nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-signed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeSums(folder, []);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => signSums(folder, pem)).toThrow('ed25519');
  expect(existsSync(join(folder, 'SHA256SUMS.sig'))).toBe(false);
});
