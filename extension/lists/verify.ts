import { recoverTypedDataAddress } from 'viem';
import { documentHash } from '../../agents/canonical.ts';
import { type SignedSnapshot, snapshotTypedData } from '../../agents/registers/list-snapshot.ts';

/**
 * Whether the lists are the ones that this key signed.
 * @param signer the key that was pinned; null trusts whoever signed them, once
 * @throws Error that says what is wrong
 */
export async function verifySnapshot(signed: SignedSnapshot, signer: string | null): Promise<void> {
  const { snapshot, hash, signature } = signed;
  if (snapshot?.version !== 1 || !Array.isArray(snapshot.lists))
    throw new Error('the lists are in another form');
  if (documentHash(snapshot) !== hash) throw new Error('the lists were changed');
  const by = await recoverTypedDataAddress({ ...snapshotTypedData(snapshot), signature: signature.value });
  if (by.toLowerCase() !== signature.signer.toLowerCase())
    throw new Error('the lists are not signed by whom they name');
  if (signer !== null && by.toLowerCase() !== signer.toLowerCase())
    throw new Error(`the lists are signed by ${by}, and the key that is trusted is ${signer}`);
}

/** Why lists are not taken in place of those that are held: the same key, however it is written, signed later ones. */
export function olderThan(given: SignedSnapshot, held: SignedSnapshot | undefined): string | null {
  if (held === undefined || signerOf(held) !== signerOf(given)) return null;
  const later = held.snapshot.issuedAt;
  if (later <= given.snapshot.issuedAt) return null;
  return `lists of ${later} are held, and the service gave older ones`;
}

const signerOf = ({ signature }: SignedSnapshot): string => signature.signer.toLowerCase();
