import { isEvmAddress } from '../../agents/ids.ts';

/**
 * What the service signs with a key of its own:
 * - `operator`: certificates, listings taken back, owners' acts that are relayed; the guardian and issuer on chain
 * - `minter`: the mint of a paid agent
 * - `recorder`: the anchors of records and of the operators' log
 * - `settlement`: settlements of deals
 * - `records`: the signatures of records; sends no transaction, and needs no coin
 * - `facilitator`: settlements of x402 payments
 */
export const KEY_ROLES = ['operator', 'minter', 'recorder', 'settlement', 'records', 'facilitator'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** Where a key is: in the environment, in an encrypted file, or on another server. */
export type KeySource =
  | { readonly form: 'private'; readonly privateKey: `0x${string}` }
  | { readonly form: 'keystore'; readonly file: string }
  | { readonly form: 'remote'; readonly url: string; readonly address: `0x${string}` };

export type RoleKeys = Readonly<Record<KeyRole, KeySource | null>>;

export const privateKeySetting = (role: KeyRole): string => `${role.toUpperCase()}_PRIVATE_KEY`;
export const signerSetting = (role: KeyRole): string => `${role.toUpperCase()}_SIGNER`;

/** The private key of a role, where the environment holds it. */
export function privateKeyOf({ keys }: { readonly keys: RoleKeys }, role: KeyRole): `0x${string}` | null {
  const source = keys[role];
  return source?.form === 'private' ? source.privateKey : null;
}

/**
 * Reads `<ROLE>_PRIVATE_KEY` and `<ROLE>_SIGNER` of every role.
 * @param wrong makes the error that names a setting and says what would be right
 */
export function readRoleKeys(
  setting: (name: string) => string | null,
  wrong: (name: string, remedy: string) => Error,
): RoleKeys {
  const read = (role: KeyRole): KeySource | null => {
    const [held, elsewhere] = [setting(privateKeySetting(role)), setting(signerSetting(role))];
    if (held !== null && elsewhere !== null)
      throw wrong(signerSetting(role), `set it or ${privateKeySetting(role)}, not both`);
    if (elsewhere !== null) return sourceOf(signerSetting(role), elsewhere, wrong);
    if (held === null) return null;
    if (!/^0x[0-9a-fA-F]{64}$/.test(held))
      throw wrong(privateKeySetting(role), 'it must be 0x and 64 hex digits');
    return { form: 'private', privateKey: held as `0x${string}` };
  };
  return Object.fromEntries(KEY_ROLES.map((role) => [role, read(role)])) as unknown as RoleKeys;
}

function sourceOf(name: string, text: string, wrong: (name: string, remedy: string) => Error): KeySource {
  const [, file] = /^keystore:(.+)$/.exec(text) ?? [];
  if (file !== undefined) return { form: 'keystore', file };
  if (URL.canParse(text)) {
    const { protocol, pathname, origin } = new URL(text);
    const address = pathname.slice(1);
    if ((protocol === 'https:' || protocol === 'http:') && isEvmAddress(address))
      return { form: 'remote', url: origin, address: address as `0x${string}` };
  }
  throw wrong(
    name,
    'it must be keystore:<file>, or the URL of a signer with the address of its key, such as https://signer.example:9000/0x…',
  );
}
