import { RECORD_KINDS } from '../../agents/records/record.ts';
import { type Column, document, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';

export const VERIFICATION_RECORD_VERSION = '2026-09-06.1';

const EXAMPLE = {
  recordId: 'rec_01k6n5example',
  kind: 'determination',
  issuedAt: '2026-09-06T12:00:00Z',
  subject: '0x00000000000000000000000000000000000000aa',
  parties: [],
  summary: 'Wallet determination: CLEAN',
  content: { record: { verdict: 'CLEAN', checks: ['address-form'] }, hardFlags: [] },
  evidenceHash: null,
};

const TYPES = {
  domain: { name: 'SafeHandshakeRecord', version: '1' },
  primaryType: 'Record',
  types: {
    Record: [
      { name: 'recordId', type: 'string' },
      { name: 'kind', type: 'string' },
      { name: 'hash', type: 'bytes32' },
      { name: 'issuedAt', type: 'uint64' },
    ],
  },
};

const FIELDS: readonly (readonly [string, string, string])[] = [
  ['recordId', 'string', 'Names the record for ever.'],
  ['kind', 'string', `${RECORD_KINDS.slice(0, -1).join(', ')} or ${RECORD_KINDS.at(-1)}.`],
  ['issuedAt', 'string', 'ISO 8601, UTC, whole seconds, ending in Z.'],
  [
    'subject',
    'string',
    'What it is about: an address (EVM in lower case), an asset key, a deal id, a lot or a handle. A lot or a handle that is not known here: lot: or agent: and the keccak-256 of its name.',
  ],
  [
    'parties',
    'array of string',
    'The handles of the agents it names, without duplicates, sorted by code unit.',
  ],
  ['summary', 'string', 'One sentence for people. It carries nothing that content does not.'],
  [
    'content',
    'any JSON',
    'What was found or done; its form depends on kind. A determination carries in record the answer that was given: verdict, reasons, and for every check its sources with date and limits.',
  ],
  [
    'evidenceHash',
    'string or null',
    'keccak-256 over the canonical JSON of the evidence served beside the record; null when the record rests on none.',
  ],
];

const MEMBERS: readonly Column<(typeof FIELDS)[number]>[] = [
  { head: 'Member', cell: ([name]) => html`<code>${name}</code>` },
  { head: 'Type', cell: ([, type]) => type },
  { head: 'Meaning', cell: ([, , meaning]) => meaning, wide: true },
];

/** The specification of the `verification-record` extension, for anybody who verifies a record without this service. */
export function verificationRecordPage(): Html {
  const body = html`<h1>Verification record</h1>
<p class="lead">Version ${VERIFICATION_RECORD_VERSION}. How a record of this service is written, hashed, signed and anchored, so that anyone can check one without trusting the service.</p>
<p>The words must, must not and may are used as in RFC 2119. Hashes and signatures are hex in lower case with <code>0x</code>, but for those of lists, which have no <code>0x</code>. Addresses may carry the checksum of EIP-55: compare them without regard to case.</p>

<h2>1. The record</h2>
<p>A record is a JSON object with exactly these members. A reader must refuse one with others.</p>
${table('Members of a record', MEMBERS, FIELDS, '')}
<h3>Example</h3>
${document(EXAMPLE, 'Example of a record')}

<h2>2. The hash</h2>
<p>The record is written as canonical JSON by RFC 8785: members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them, UTF-8. Its hash is keccak-256 (the EVM's, not SHA3-256) of those bytes. A number never stands for an amount on chain: amounts in atomic units are strings.</p>
<p>The evidence, when there is any, is hashed in the same way, and that hash is the record's <code>evidenceHash</code>. So the record binds the evidence, and the verdict can be judged again from it.</p>

<h2>3. The signature</h2>
<p>The service signs by EIP-712. The domain has a name and a version only: no chain and no contract, since a record is about any chain, so that its type is <code>EIP712Domain(string name,string version)</code>. <code>hash</code> is the hash of section 2, <code>issuedAt</code> the record's time in unix seconds.</p>
${document(TYPES, 'EIP-712 typed data')}
<p>A verifier must compute <code>hash</code> itself and must compare the recovered address with the signer it expects: learn who that is from whoever runs the service, not from the document. It need not be the address that writes to the ledger.</p>

<h2>4. The anchor</h2>
<p>Records are gathered into batches in the order in which they were made. A batch is a Merkle tree:</p>
<ul>
<li>a leaf is <code>keccak256(keccak256(hash))</code>, over 32 bytes each time: hashed twice, so that no inner node can pass for a record;</li>
<li>a node is keccak-256 over its two children, the smaller first;</li>
<li>a node without a sibling moves up unchanged.</li>
</ul>
<p>The root is written to the ledger contract by <code>anchor(root, size)</code>, which emits <code>Anchored(root, size, batch)</code>. <code>anchoredAt(root)</code> answers the time, or zero for a root that was never anchored. The proofs fit OpenZeppelin's <code>MerkleProof.verify(proof, root, leaf)</code>.</p>
<p>A proof names <code>index</code> and <code>size</code> for people: children are sorted, so that a path proves no place. A root of size one may also be the hash of the newest entry in the log of what operators did.</p>

<h2>5. States</h2>
<ul>
<li><strong>inscribing</strong>: the record is hashed and signed, and waits for its batch;</li>
<li><strong>inscribed</strong>: its batch is closed, and the transaction is under way;</li>
<li><strong>anchored</strong>: the root stands on chain. From here on neither the record nor its time can be changed unseen.</li>
</ul>

<h2>6. Checking a record</h2>
<ol>
<li>Get <code>/records/{recordId}</code> and take <code>record</code>, whose own <code>recordId</code> must be the one that was asked for, <code>hash</code>, <code>signature</code>, <code>proof</code> and <code>ledger</code>.</li>
<li>Hash <code>record</code> by section 2 and compare with <code>hash</code>. If <code>evidence</code> is there, hash it and compare with <code>evidenceHash</code>. Where it is not and <code>withheld</code> is, the record was determined on a deal that was stopped, of which no price is public.</li>
<li>Recover the signer by section 3 and compare.</li>
<li>Fold the leaf of <code>hash</code> with <code>proof.siblings</code>, one after the other, and compare with <code>proof.root</code>.</li>
<li>Ask the ledger contract on <code>ledger.chainId</code>, through a node that you trust, for <code>anchoredAt(root)</code>. It must not be zero. The log <code>Anchored</code> of <code>ledger.tx</code> has the root, the size and the batch.</li>
<li>Where the document says <code>retracted</code> or <code>overturned</code>, the record is as it was filed, and its verdict counts no more. Nobody signs that: of a document that was kept, ask the service again.</li>
</ol>
<h3 id="lists">Lists that do not name an address</h3>
<p>Of a determination about a wallet, <code>common.sanctions</code> and <code>common.knownScam</code> of its evidence name <code>lists</code>. One with a <code>root</code> and <code>rows</code> is a Merkle tree as in RFC 6962, by SHA-256: the leaves are its keys, each once, sorted by their bytes. A key is the text of an address as <code>lookedUp</code> has it. A leaf is hashed behind the byte <code>0x00</code>, the two children of a node behind <code>0x01</code>, the left one first. There are <code>rows</code> leaves.</p>
<p>For each key of <code>lookedUp</code> that <code>hits</code> does not name on that list, <code>proofs</code> must hold an entry of that <code>list</code> and <code>key</code>. Its <code>before</code> is the last leaf before the key and its <code>after</code> the first behind it: <code>key</code>, <code>index</code> from zero, and <code>path</code>, the siblings from the leaf up. To check it:</p>
<ol>
<li>Where both are there, <code>after.path</code> is without the end that both paths share: put behind it as many of the last siblings of <code>before.path</code> as it lacks.</li>
<li>Fold each path as RFC 9162 does in section 2.1.3.2, and compare with <code>root</code>.</li>
<li><code>before.key</code> must come before the key, <code>after.key</code> behind it, and <code>after.index</code> must be <code>before.index</code> and one. Without <code>before</code> it must be zero; without <code>after</code>, <code>before.index</code> must be <code>rows</code> less one. Without both nothing is proved.</li>
</ol>

<h2>7. What a record does not say</h2>
<p>An anchored record proves what the service said and when, not that it was right. Each check names its sources and their limits; a check that could not run is INCONCLUSIVE and never counts as passed. The stolen-goods scan is not a search of national police databases.</p>
<p>Nor does it say who asked. An address is compared with those with whom the asker has settled deals here or, where its wallet is known, moved money on the chains followed here (the check <code>look-alike</code>); of them the evidence keeps only those who look like it, in <code>contacts.addresses</code>, and in <code>contacts.others</code> whether there were others. The check comes out the same from these as from all of them. Only where the record names the sides of a deal are all with whom it settled deals kept.</p>

<h2>8. Judging again, and appeals</h2>
<p>A determination is a pure function of its evidence: the votes of its seats, its checks and its verdict follow from the evidence served beside the record, and from nothing else. A reader may judge it again; <code>record recompute</code> of the service's own command does, and must come to the recorded verdict.</p>
<p>Whom a FLAGGED record is about may have it determined again by <code>POST /records/{recordId}/appeal</code>, signed by its wallet. The first record stays as it was hashed. The second carries <code>content.appeal</code> with <code>of</code> (the first one's id), <code>wallet</code> and <code>grounds</code>; the document of each names the other, in <code>appeal</code> and <code>appealOf</code>, which are not part of what is hashed. Where all that was FLAGGED in the first is CLEAN in the second, the first is no longer held against its subject: its document says <code>overturned</code>. Where it is FLAGGED again, the second can be appealed against in turn, which overturns the first as well where the same is true of it.</p>
<p>A record of the kind <code>dispute-decision</code> holds what both sides of a disputed certificate said, and what the operator decided. Either side may appeal by the same route, once, within seven days; the operator's second decision is a record of the same form.</p>

<h2>9. In a payment challenge</h2>
<p>Paid routes announce this extension in their x402 challenge under <code>verification-record</code>, with <code>version</code> and the address of this page. A determination that was filed answers <code>recorded.recordId</code> and <code>recorded.recordUrl</code>.</p>`;
  return page('Verification record', body);
}

/** The same specification as JSON. */
export const verificationRecordDocument = {
  version: VERIFICATION_RECORD_VERSION,
  members: FIELDS.map(([name, type, meaning]) => ({ name, type, meaning })),
  canonicalisation: 'RFC 8785',
  hash: 'keccak-256',
  signature: TYPES,
  merkle: { leaf: 'keccak256(keccak256(hash))', node: 'keccak256(min(a,b) ++ max(a,b))', single: 'moves up' },
  ledger: { anchor: 'anchor(bytes32,uint32)', anchoredAt: 'anchoredAt(bytes32)' },
  withdrawn: ['retracted', 'overturned'],
  lists: {
    tree: 'RFC 6962',
    leaf: 'sha256(0x00 ++ key)',
    node: 'sha256(0x01 ++ left ++ right)',
    path: 'RFC 9162, 2.1.3.2; after.path lacks the end that it shares with before.path',
  },
};
