import type { Change, Operator, Place } from './operators.ts';
import { isNode, type Node, range, type Source, textOf, typeOf } from './syntax.ts';

/**
 * Faults that ADD a permission: a door that opens for one caller more, a signature of one signer more that counts.
 * Tests of what is allowed notice none of them; only a test of what is refused does.
 */

/** What the widened checks ask a token or an account, appended to the source as free functions. */
const QUESTIONS = `
function mutantApproved(address token, uint256 id) view returns (address approved) {
    (bool ok, bytes memory answer) = token.staticcall(abi.encodeWithSignature("getApproved(uint256)", id));
    if (ok && answer.length == 32) approved = abi.decode(answer, (address));
}
function mutantIsOperator(address token, uint256 id, address caller) view returns (bool) {
    (bool ok, bytes memory answer) = token.staticcall(abi.encodeWithSignature("ownerOf(uint256)", id));
    if (!ok || answer.length != 32) return false;
    address holder = abi.decode(answer, (address));
    (ok, answer) = token.staticcall(abi.encodeWithSignature("isApprovedForAll(address,address)", holder, caller));
    return ok && answer.length == 32 && abi.decode(answer, (bool));
}
function mutantBound(address account) view returns (address token, uint256 id) {
    (bool ok, bytes memory answer) = account.staticcall(abi.encodeWithSignature("token()"));
    if (ok && answer.length == 96) (, token, id) = abi.decode(answer, (uint256, address, uint256));
}
function mutantBoundApproved(address account) view returns (address) {
    (address token, uint256 id) = mutantBound(account);
    return token.code.length == 0 ? address(0) : mutantApproved(token, id);
}
function mutantBoundOperator(address account, address caller) view returns (bool) {
    (address token, uint256 id) = mutantBound(account);
    return token.code.length != 0 && mutantIsOperator(token, id, caller);
}
`;

/** Whoever stands for the one asked about: the sender, or the signer that was recovered. */
const isSomebody = (source: Source, node: Node): boolean =>
  ['msg.sender', 'signer', '_msgSender()'].includes(textOf(source, node)) &&
  typeOf(node).startsWith('address');

/** `X == msg.sender` and its kin, also turned round. */
const comparison: Operator = (source, node, _parent, place) => {
  if (node.nodeType !== 'BinaryOperation' || !['==', '!='].includes(node.operator as string)) return [];
  const sides = [node.leftExpression as Node, node.rightExpression as Node];
  const somebody = sides.find((side) => isSomebody(source, side));
  const expected = sides.find((side) => side !== somebody);
  if (somebody === undefined || expected === undefined || !typeOf(expected).startsWith('address')) return [];
  if (textOf(source, expected) === 'address(0)') return [];
  const [caller, whole] = [textOf(source, somebody), textOf(source, node)];
  const widened = (also: string) =>
    node.operator === '==' ? `(${whole} || ${also})` : `(${whole} && !(${also}))`;
  return othersThan(source, expected, caller, place).map((also) =>
    put('another-caller', node, widened(also)),
  );
};

/** What is kept of whoever calls: looked up for the agent's own account instead, whoever calls, or for the origin. */
const lookup: Operator = (source, node, _parent, place) => {
  if (node.nodeType !== 'IndexAccess' || textOf(source, node.indexExpression as Node) !== 'msg.sender')
    return [];
  const agent = agentIn(place);
  const account = agent === undefined ? [] : [`${/\w+(?=\)$)/.exec(agent[0])![0]}.accountOf(${agent[1]})`];
  return ['tx.origin', ...account].map((who) => put('another-caller', node.indexExpression as Node, who));
};

/** Functions that ask whether a wallet, their first argument, has signed a digest. */
const SIGNATURE_CHECKS = new Set(['isValidSignatureNow', 'isBy', 'isSigned']);

/** A signature check that takes another signer's word too. */
const signature: Operator = (source, node, _parent, place) => {
  if (node.nodeType !== 'FunctionCall') return [];
  const called = node.expression as Node;
  if (called.nodeType !== 'MemberAccess' || !SIGNATURE_CHECKS.has(called.memberName as string)) return [];
  const [signer, digest, signed] = node.arguments as readonly Node[];
  if (signer === undefined || digest === undefined || signed === undefined) return [];
  const check = (who: string) =>
    `${textOf(source, called)}(${who}, ${textOf(source, digest)}, ${textOf(source, signed)})`;
  const signers = ['msg.sender', ...principals(source, place), ...approved(place)];
  return signers
    .filter((who) => who !== textOf(source, signer))
    .map((who) => put('another-signer', node, `(${textOf(source, node)} || ${check(who)})`));
};

/** The roles that the platform's manager keeps, as the contracts name them. */
export const ROLES: readonly string[] = ['ADMIN', 'MINTER', 'RECORDER', 'ISSUER', 'GUARDIAN', 'TREASURY'].map(
  (name) => `Roles.${name}`,
);

/** A role whose part another role plays, and a holder for whom the origin is taken. */
const role: Operator = (source, node, _parent, place) => {
  const [asked, somebody] = roleIn(node);
  if (asked === undefined) return [];
  const given = textOf(source, asked);
  const others = ROLES.includes(given) ? ROLES : rolesOf(place);
  const origin =
    somebody !== undefined && textOf(source, somebody) === 'msg.sender'
      ? [put('another-caller', somebody, 'tx.origin')]
      : [];
  return [
    ...others.filter((name) => name !== given).map((name) => put('another-role', asked, name)),
    ...origin,
  ];
};

/** The role that a modifier or a question asks for, and of whom. */
function roleIn(node: Node): readonly (Node | undefined)[] {
  const name =
    node.nodeType === 'ModifierInvocation'
      ? (node.modifierName as Node).name
      : node.nodeType === 'FunctionCall' && isNode(node.expression)
        ? node.expression.name
        : undefined;
  return name === 'onlyRole' || name === '_hasRole' ? ((node.arguments as readonly Node[]) ?? []) : [];
}

/** Roles that a contract names itself. */
function rolesOf(place: Place): readonly string[] {
  return place.members
    .filter(({ nodeType, name }) => nodeType === 'VariableDeclaration' && /_ROLE$/.test(name as string))
    .map(({ name }) => name as string);
}

/** One of two conditions alone: of `a && b` what lets more through, of `a || b` what refuses less, and the reverse. */
const term: Operator = (source, node) => {
  if (node.nodeType !== 'BinaryOperation' || !['&&', '||'].includes(node.operator as string)) return [];
  return [node.leftExpression as Node, node.rightExpression as Node].map((side) => ({
    ...put('one-term', node, textOf(source, side)),
    appendix: '',
  }));
};

function put(operator: string, node: Node, replacement: string): Change {
  const [start, end] = range(node);
  return { operator, start, end, replacement, appendix: replacement.includes('mutant') ? QUESTIONS : '' };
}

/** Conditions that hold for somebody who is not the one expected. */
function othersThan(source: Source, expected: Node, caller: string, place: Place): readonly string[] {
  const wanted = textOf(source, expected);
  const others = principals(source, place)
    .filter((principal) => principal !== wanted)
    .map((principal) => `${caller} == ${principal}`);
  const origin = caller === 'msg.sender' ? [`tx.origin == ${wanted}`] : [];
  const holders = /owner/i.test(wanted)
    ? [...approved(place).map((who) => `${caller} == ${who}`), ...operators(place, caller)]
    : [];
  return [...origin, ...others, ...holders, ...liveKeys(place, caller)];
}

const named = (place: Place, name: string): boolean => place.members.some((member) => member.name === name);
const local = (place: Place, name: string): boolean => place.locals.has(name);

/** State variables of the contract, its own and inherited ones, that hold an address or a contract. */
function principals(_source: Source, { members }: Place): readonly string[] {
  return members
    .filter(({ nodeType, stateVariable }) => nodeType === 'VariableDeclaration' && stateVariable === true)
    .flatMap((node) => {
      const [type, name] = [typeOf(node), node.name as string];
      if (/^address/.test(type)) return [name];
      return /^contract /.test(type) ? [`address(${name})`] : [];
    });
}

/** The agents' token as this contract knows it or is told, and the id of the agent in question. */
function agentIn(place: Place): readonly [token: string, id: string] | undefined {
  const told = local(place, 'place') ? 'place.nft' : undefined;
  const token = ['nft', 'NFT'].find((name) => named(place, name)) ?? told;
  const id = ['agentId', 'sellerId'].find((name) => local(place, name)) ?? lotIn(place);
  return token === undefined || id === undefined ? undefined : [`address(${token})`, id];
}

/** An agent that a struct in the calldata names. */
const lotIn = (place: Place): string | undefined => (local(place, 'lot') ? 'lot.agentId' : undefined);

const isAccount = (place: Place): boolean => named(place, 'owner') && named(place, 'token');

function approved(place: Place): readonly string[] {
  const agent = agentIn(place);
  return [
    ...(agent === undefined ? [] : [`mutantApproved(${agent[0]}, ${agent[1]})`]),
    ...(isAccount(place) ? ['mutantBoundApproved(address(this))'] : []),
    ...(named(place, 'getApproved') && local(place, 'tokenId') ? ['getApproved(tokenId)'] : []),
  ];
}

function operators(place: Place, caller: string): readonly string[] {
  const agent = agentIn(place);
  return [
    ...(agent === undefined ? [] : [`mutantIsOperator(${agent[0]}, ${agent[1]}, ${caller})`]),
    ...(isAccount(place) ? [`mutantBoundOperator(address(this), ${caller})`] : []),
    ...(named(place, 'isApprovedForAll') && local(place, 'tokenId')
      ? [`isApprovedForAll(ownerOf(tokenId), ${caller})`]
      : []),
  ];
}

/** Any session key of the agent that lives, or that ever was granted. */
function liveKeys(place: Place, caller: string): readonly string[] {
  return [
    ...(named(place, 'keys') && local(place, 'agentId')
      ? [`keys[agentId][${caller}].validUntil > block.timestamp`]
      : []),
    ...(named(place, 'POLICY') && named(place, '_agentId')
      ? [`POLICY.keyIsLive(_agentId(), ${caller})`]
      : []),
  ];
}

/** What a place in the code can name: members of its contract and its bases, and its function's own variables. */
export function placeOf(source: Source, contract: Node | undefined, callable: Node | undefined): Place {
  const locals = new Set<string>();
  const collect = (node: Node): void => {
    if (node.nodeType === 'VariableDeclaration') locals.add(node.name as string);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(child)) collect(child);
    }
  };
  if (callable !== undefined) collect(callable);
  return { members: (contract && source.members.get(contract.id as number)) ?? [], locals };
}

export const PERMISSION_OPERATORS: readonly Operator[] = [comparison, lookup, signature, role, term];
