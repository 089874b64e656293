import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutantsIn, readSources } from './campaign.ts';
import { apply, mutantsOf } from './mutants.ts';
import { ROLES } from './permissions.ts';
import { parse } from './syntax.ts';

const ROOT = join(import.meta.dirname, '../..');

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

contract Safe is AccessControl {
    bytes32 public constant KEEPER_ROLE = keccak256("KEEPER_ROLE");
    address public immutable GUARDIAN = address(1);
    IERC721 public nft;
    mapping(uint256 agentId => mapping(address key => Key)) public keys;
    struct Key {
        uint32 epoch;
        uint48 validUntil;
    }
    function open(uint256 agentId) external view returns (bool) {
        if (msg.sender != nft.ownerOf(agentId)) revert();
        return msg.sender == GUARDIAN && agentId != 0;
    }
    function by(uint256 agentId, bytes32 digest, bytes calldata signature) external view returns (bool) {
        return SignatureChecker.isValidSignatureNow(nft.ownerOf(agentId), digest, signature);
    }
    function keep() external onlyRole(KEEPER_ROLE) {}
}
`;

const source = parse(ROOT, new Map([['Safe.sol', Buffer.from(SOURCE)]]))[0]!;
const adding = mutantsOf(source).filter(({ operator }) => /^another-|^one-term$/.test(operator));
const of = (operator: string, scope: string) =>
  adding.filter((mutant) => mutant.operator === operator && mutant.scope === `Safe.${scope}`);

describe('the faults that add a permission', () => {
  test('open an owner’s door for everyone else who is near: origin, guardian, approved, operator, any live key', () => {
    const owner = 'msg.sender != nft.ownerOf(agentId)';
    expect(of('another-caller', 'open').map(({ after }) => after)).toEqual([
      `(${owner} && !(tx.origin == nft.ownerOf(agentId)))`,
      `(${owner} && !(msg.sender == GUARDIAN))`,
      `(${owner} && !(msg.sender == address(nft)))`,
      `(${owner} && !(msg.sender == mutantApproved(address(nft), agentId)))`,
      `(${owner} && !(mutantIsOperator(address(nft), agentId, msg.sender)))`,
      `(${owner} && !(keys[agentId][msg.sender].validUntil > block.timestamp))`,
      '(msg.sender == GUARDIAN || tx.origin == GUARDIAN)',
      '(msg.sender == GUARDIAN || msg.sender == address(nft))',
      '(msg.sender == GUARDIAN || keys[agentId][msg.sender].validUntil > block.timestamp)',
    ]);
  });

  test('let one condition do for two', () => {
    expect(of('one-term', 'open').map(({ after }) => after)).toEqual([
      'msg.sender == GUARDIAN',
      'agentId != 0',
    ]);
  });

  test('take a signature of the sender, of a principal and of whoever is approved', () => {
    const signers = of('another-signer', 'by').map(
      ({ after }) =>
        /isValidSignatureNow\(([^;]*?), digest, signature\)\)$/.exec(after.split(' || ')[1]!)?.[1],
    );
    expect(signers).toEqual([
      'msg.sender',
      'GUARDIAN',
      'address(nft)',
      'mutantApproved(address(nft), agentId)',
    ]);
  });

  test('let another role do', () => {
    expect(of('another-role', 'keep').map(({ after }) => after)).toEqual(['DEFAULT_ADMIN_ROLE']);
  });

  test('compile, with the questions they ask at the end of the file', () => {
    const all = adding.map((mutant, i) => [`Safe${i}.sol`, apply(source.bytes, mutant)] as const);
    expect(parse(ROOT, new Map(all))).toHaveLength(adding.length);
  });

  test('reach every door of the contracts that asks who calls', () => {
    const sources = readSources(ROOT);
    const files = [...sources.keys()].filter((file) => !file.startsWith('interfaces/'));
    const mutants = mutantsIn(ROOT, sources, files).filter(({ operator }) => operator === 'another-caller');
    const scopes = new Set(mutants.map(({ scope }) => scope));
    for (const scope of [
      'AgentAccount.execute',
      'Mandates._requireOwner',
      'Mandates.revokeKey',
      'SpendPolicy._checkDealing',
      'Managed.onlyRole',
    ]) {
      expect([...scopes]).toContain(scope);
    }
  });

  test('let another role do at every door that a role opens', () => {
    const sources = readSources(ROOT);
    const roles = sources.get('access/Roles.sol')!.toString('utf8');
    expect([...roles.matchAll(/constant (\w+) =/g)].map(([, name]) => `Roles.${name}`)).toEqual(ROLES);
    const files = [...sources.keys()].filter((file) => !file.startsWith('interfaces/'));
    const mutants = mutantsIn(ROOT, sources, files).filter(({ operator }) => operator === 'another-role');
    const asked = files.flatMap((file) => [
      ...sources
        .get(file)!
        .toString('utf8')
        .matchAll(/(?:onlyRole|_hasRole)\(Roles\./g),
    ]);
    expect(asked.length).toBeGreaterThan(10);
    expect(mutants).toHaveLength(asked.length * (ROLES.length - 1));
  });

  test('reach every place of the contracts that asks who signed', () => {
    const sources = readSources(ROOT);
    const files = [...sources.keys()].filter((file) => !file.startsWith('interfaces/'));
    const mutants = mutantsIn(ROOT, sources, files).filter(({ operator }) => operator === 'another-signer');
    const scopes = new Set(mutants.map(({ scope }) => scope));
    expect([...scopes]).toEqual(
      expect.arrayContaining([
        'AgentNFT.bindPolicyBySig',
        'Certificates.transferBySig',
        'Mandates._useOwnerSignature',
        'OwnerWords.listByMessage',
        'TestUSDC.permit',
        'TestUSDC._checkSignature',
      ]),
    );
    const approved = mutants.filter(({ after }) => after.includes('mutantApproved'));
    expect(new Set(approved.map(({ scope }) => scope))).toEqual(
      new Set(['Mandates._useOwnerSignature', 'OwnerWords.listByMessage']),
    );
  });
});
