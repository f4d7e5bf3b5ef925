import { expect, test } from 'vitest';
import { organizationId } from '../../kernel/ids.ts';
import { AwayServers } from './away-servers.ts';
import { unavailable } from './database-refusals.ts';

const [one, two, three] = [organizationId(1), organizationId(2), organizationId(3)];
const gone = unavailable(new Error('The server is gone.'));
const place = (organization: typeof one) => (organization === three ? 'b:5432' : 'a:5432');

/** Two servers; `a` answers when the returned function is called. */
function withSilentServer() {
  let answer = (_isThere: boolean) => {};
  let looks = 0;
  const servers = new AwayServers({
    serverOf: async (organization) => {
      looks += 1;
      return place(organization);
    },
    answers: () => new Promise<boolean>((resolve) => (answer = resolve)),
  });
  return { servers, says: (isThere: boolean) => answer(isThere), looks: () => looks };
}

test('the organizations of a server that does not answer are refused at once until it does, and no others', async () => {
  const { servers, says, looks } = withSilentServer();
  await expect(servers.watch(three, async () => 'done')).resolves.toBe('done');
  // While all answer, where an organization is does not matter.
  expect(looks()).toBe(0);
  const cuts: string[] = [];
  const held = (name: string) => ({ cut: () => void cuts.push(name) });
  let endWork = () => {};
  const underWay = new Promise<void>((resolve) => (endWork = resolve));
  const working = [
    servers.hold(one, held('of a'), () => underWay),
    servers.hold(three, held('of b'), () => underWay),
  ];
  await expect(servers.watch(one, () => Promise.reject(gone))).rejects.toThrow(gone);
  expect(servers.names).toEqual([]);
  says(false);
  await expect.poll(() => servers.names).toEqual(['a:5432']);
  await expect.poll(() => cuts).toEqual(['of a']);
  const refused = { code: 'SERVICE_UNAVAILABLE' };
  await expect(servers.watch(two, async () => 'done')).rejects.toMatchObject(refused);
  await expect(servers.watch(three, async () => 'done')).resolves.toBe('done');
  await expect
    .poll(() => {
      says(true);
      return servers.names;
    })
    .toEqual([]);
  await expect(servers.watch(two, async () => 'done')).resolves.toBe('done');
  endWork();
  await Promise.all(working);
});

test('a fault of one organization, or a database without its coordinator, makes no server suspect', async () => {
  const { servers } = withSilentServer();
  await expect(servers.watch(one, () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  const alone = new AwayServers({
    serverOf: () => Promise.reject(gone),
    answers: async () => false,
  });
  await expect(alone.watch(one, () => Promise.reject(gone))).rejects.toThrow(gone);
  expect([...servers.names, ...alone.names]).toEqual([]);
});
