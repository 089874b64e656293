/** An EIP-712 document. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: string;
  readonly message: object;
}

const DOMAIN_TYPES = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' };

/** Adds the domain's own type, which wallets require. EIP-712 derives it from the members that are present. */
export function withDomainType(data: TypedData): TypedData {
  const members = Object.entries(DOMAIN_TYPES).filter(([name]) => name in data.domain);
  return {
    ...data,
    types: { EIP712Domain: members.map(([name, type]) => ({ name, type })), ...data.types },
  };
}
