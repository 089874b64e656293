/** An EIP-712 document. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: string;
  readonly message: object;
}

const DOMAIN_TYPES = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' };

/** Wallets want the domain's own type spelled out; EIP-712 fixes it by which members are there. */
export function withDomainType(data: TypedData): TypedData {
  const members = Object.entries(DOMAIN_TYPES).filter(([name]) => name in data.domain);
  return {
    ...data,
    types: { EIP712Domain: members.map(([name, type]) => ({ name, type })), ...data.types },
  };
}
