import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unlinkMissing } from './assemble-release.ts';
import { withoutOutsideLinks } from './integrator-packages.ts';
import { signSums, writeSums } from './pack-release.ts';
import { writeProvenance } from './provenance.ts';

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

test('a release has no link to what it lacks, and the packages none that leave them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'docs'));
  const text =
    'See [the test](../test/x.ts), [this](page.md#part), [there](https://example.com) and [above](#top).';
  writeFileSync(join(folder, 'docs', 'page.md'), text);
  unlinkMissing(folder);
  const linked = 'See the test, [this](page.md#part), [there](https://example.com) and [above](#top).';
  expect(readFileSync(join(folder, 'docs', 'page.md'), 'utf8')).toBe(linked);
  expect(
    withoutOutsideLinks('[Errors](../../docs/guides/errors.md#retries), [code](../x.ts), [here](#a)'),
  ).toBe('Errors (`/docs/guides/errors#retries` of your service), code, [here](#a)');
});

test('the provenance names the digest of each file and the commit, the same each time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-provenance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'archive'), 'content');
  writeProvenance(folder, 'provenance.json', ['archive'], { commit: 'abc', madeAt: 1_772_000_000 });
  const statement = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8'));
  const sha256 = createHash('sha256').update('content').digest('hex');
  expect(statement.subject).toEqual([{ name: 'archive', digest: { sha256 } }]);
  expect(statement.predicate.buildDefinition.externalParameters.commit).toBe('abc');
  expect(statement.predicate.runDetails.metadata.finishedOn).toBe('2026-02-25T06:13:20.000Z');
});
