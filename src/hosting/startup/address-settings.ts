/** What reads settings here. */
interface SettingReader {
  isSet(name: string): boolean;
  text(name: string, fallback: string): string;
  refuse(name: string, expected: string): void;
}

/** `SECURITY_CONTACT`: where weaknesses are told. Everybody can read it in security.txt. */
export function readSecurityContact(read: SettingReader): string | undefined {
  const contact = read.text('SECURITY_CONTACT', '');
  if (contact !== '' && !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(contact)) {
    read.refuse('SECURITY_CONTACT', 'an address such as mailto:security@shop.example.com, or https://…');
  }
  return contact || undefined;
}

/** Refuses two equal ports; names the one that was set, because a default is not an error of the operator. */
export function refuseEqualPorts(
  read: SettingReader,
  ports: readonly (readonly [name: string, port: number | undefined])[],
): void {
  for (const [index, [name, port]] of ports.entries()) {
    const other = ports.slice(0, index).find((earlier) => port && earlier[1] === port);
    if (other === undefined) continue;
    const [wrong, right] = read.isSet(name) ? [name, other[0]] : [other[0], name];
    read.refuse(wrong, `a port other than ${right}, which is ${port}`);
  }
}
