import type { SerialKind } from '../../../agents/assets.ts';

/** What a field of a form says. Options are shown in the order in which they stand here. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** What an act of an owner says: on its form, where it is signed, and once it is done. */
export interface ActWords {
  readonly title: string;
  /** Its first sentence is also shown on the dashboard. */
  readonly lead: string;
  readonly button: string;
  readonly done: string;
  /** What happens once it is signed, shown where it is signed. */
  readonly next?: string;
  /** The text that is shown while a paid answer is worked on. */
  readonly waiting?: string;
  /** By field. A field that several acts have says here only what it says otherwise. */
  readonly fields?: Readonly<Record<string, Partial<FieldWords>>>;
}

/** How many reviewers an AGENT asks before it acts. */
export const DEPTHS = {
  '1-of-1': '1-of-1: one reviewer',
  '2-of-2': '2-of-2: two reviewers of different kinds, both must say CLEAN',
  superconsensus: 'superconsensus: five reviewers, four must say CLEAN',
} as const;

/** Shown in a list from which nothing is chosen yet. */
export const UNCHOSEN = 'Choose one';

/** The fields that several acts have. */
export const FIELDS = {
  handle: { label: 'Agent’s handle' },
  wallet: { label: 'Your wallet' },
  category: { label: 'Category' },
  contract: { label: 'Token contract' },
  tokenId: { label: 'Token number' },
  certificate: { label: 'Certificate', hint: 'Its token number, as its page shows it.' },
  serial: { label: 'Serial' },
  serialKind: {
    label: 'Kind of serial (optional)',
    hint: 'Most are recognised by their form and check digit.',
  },
  depth: { label: 'How deep to look (optional)', options: DEPTHS },
  network: {
    label: 'It pays on',
    options: { 'eip155:1002': 'Safe Handshake test chain (1002)', 'eip155:84532': 'Base Sepolia (84532)' },
  },
} as const satisfies Readonly<Record<string, FieldWords>>;

/** What each kind of serial identifies. Names are left out because they have a market of their own. */
export const SERIALS = {
  '': 'Recognise it',
  vin: 'VIN, of a vehicle',
  imei: 'IMEI, of a telephone',
  isbn: 'ISBN, of a book',
  isrc: 'ISRC, of a recording',
  gtin: 'GTIN, of packaged goods',
  generic: 'Another',
} as const satisfies Readonly<Record<Exclude<SerialKind, 'name'> | '', string>>;

/** The groups of acts on the dashboard. */
export const GROUPS = {
  trade: 'Deals and orders',
  things: 'Things',
  names: 'Names',
  agent: 'An agent',
  you: 'You',
  webhooks: 'News for your programs',
} as const;
