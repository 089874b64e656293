/**
 * What attacks on the reader of a mandate look like, each by the words it may begin with. The scanner tries a pattern
 * only where one of its first words stands, so a text costs what its words cost and not its length for each pattern.
 * White space in the scanned text is one character. No pattern repeats without a bound, and none can divide the same
 * characters between two repetitions in more than one way: an attempt looks at `reach` pieces at most.
 */
export interface Pattern {
  /** First words, lower case. */
  readonly first: readonly string[];
  /** Matched at the place of the first word, which it includes. Sticky. */
  readonly found: RegExp;
  /** The steps that one attempt is charged. */
  readonly reach: number;
}

export interface PatternGroup {
  readonly question: string;
  readonly patterns: readonly Pattern[];
}

/** Steps for a phrase, and for a phrase that may stand a few words after its first word. */
const PHRASE = 8;
const WINDOW = 40;

/** Stems with endings; `|` parts both. An empty ending is the stem itself. */
function forms(stems: string, endings: string): string[] {
  return stems.split('|').flatMap((stem) => endings.split('|').map((ending) => stem + ending));
}

function pattern(first: string | readonly string[], source: string, reach = PHRASE): Pattern {
  return {
    first: typeof first === 'string' ? first.split(' ') : first,
    found: new RegExp(source, 'iy'),
    reach,
  };
}

const NAME = '(?:0x[0-9a-f]{40}|[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63})?\\.eth)';
const CHANGE_STEMS =
  'rais|increas|lift|chang|modif|amend|extend|overrid|waiv|remov|doubl|tripl|loosen|relax|updat|adjust|rewrit|suspend|widen';
const CHANGE_ENDINGS = 'e|es|ed|ing|y|ies|ied';
const CHANGE = `(?:${CHANGE_STEMS})(?:${CHANGE_ENDINGS})?s?`;
const CHANGES = forms(forms(CHANGE_STEMS, `${CHANGE_ENDINGS}|`).join('|'), 's|');
const LIMIT =
  '(?:cap|caps|limit|limits|mandate|budget|ceiling|policy|rules?|restrictions?|expiry|terms|allowance|authority|permissions?)';
const LIMITS =
  'cap caps limit limits mandate budget ceiling policy rule rules restriction restrictions expiry terms allowance authority permission permissions';
const APPROVE =
  '(?:approv(?:e|es|ed|al|als)|authori[sz](?:e|es|ed|ation)|instructions?|orders?|requests?|commands?|consent|permission|signatures?|confirmation)';
const APPROVALS = [
  ...forms('approv', 'e|es|ed|al|als'),
  ...forms('authoris|authoriz', 'e|es|ed|ation'),
  ...forms('instruction|order|request|command|signature', 's|'),
  'consent',
  'permission',
  'confirmation',
];
const MODAL = 'may|can|could|will|should|shall|must';

/** Who a name may be said to command, right behind it. The scanner tries this where a name ends. */
export const NAME_COMMANDS = {
  found: new RegExp(
    `\\s(?:${MODAL}|is|has|gets|holds|also|decides|controls|acts|speaks|to)\\b[^.;\\n]{0,40}\\b(?:approv|authori|rais|increas|chang|lift|overrid|control|sign|decid|instruct|manag|admin|authority|permission|access|act|extend|set|transfer|withdraw|spend|move|owner|behalf)`,
    'iy',
  ),
  reach: WINDOW,
};

export const MARKUP: PatternGroup = {
  question: 'Markup or JSON inside the text is not accepted. Please restate the mandate in plain sentences.',
  patterns: [
    pattern('http https ftp file data javascript ipfs', '(?:https?|ftp|file|data|javascript|ipfs):'),
    pattern('www', 'www\\.'),
    pattern(
      'select drop delete insert union eval exec',
      '(?:select\\s\\*|drop\\stable|delete\\sfrom|insert\\sinto|union\\sselect|eval\\s?\\(|exec\\s?\\()',
    ),
    pattern('begin end', '(?:begin|end)\\s(?:of\\s)?(?:mandate|prompt|message|instructions?|system)\\b'),
    pattern('json yaml xml base64 rot13 html markdown', '\\w'),
  ],
};

export const THIRD_PARTY: PatternGroup = {
  question:
    'A mandate cannot give a third party authority to change it. Do you want only the limits that you stated yourself?',
  patterns: [
    pattern('as', 'as\\s(?:mine|my\\sown|me|if\\s(?:they|it|he|she|i)\\b|(?:the\\s)?(?:owner|principal))\\b'),
    pattern(
      APPROVALS,
      `${APPROVE}\\s(?:by|from|of|given\\sby|signed\\sby|sent\\sby)\\s(?:the\\s|wallet\\s|address\\s|agent\\s|account\\s|user\\s|any\\s){0,12}(?:${NAME}|anyone|anybody|others?|third|whoever|someone|support|admin|operator|him|her|them|my\\s(?!self|office|hand))`,
      2 * PHRASE,
    ),
    pattern(
      CHANGES,
      `${CHANGE}\\s(?:the\\s|this\\s|its\\s|my\\s|your\\s|any\\s|all\\s|these\\s|own\\s|per-deal\\s|daily\\s|total\\s|spending\\s){0,12}${LIMIT}\\b`,
    ),
    pattern(
      LIMITS,
      `${LIMIT}\\s(?:${MODAL}|is|are|gets?)\\s(?:be\\s|to\\sbe\\s|automatically\\s){0,12}(?:${CHANGE}|ignored|void|doubled|lifted|waived|overridden)\\b`,
    ),
    pattern(
      'may can could shall is has',
      // What the owner may do changes nothing: "I shall approve".
      '(?<!\\b(?:I|we)\\s)(?:may|can|could|shall|is\\sallowed\\sto|is\\sauthori[sz]ed\\sto|has\\s(?:the\\s)?(?:authority|right|power)\\sto)\\s(?:also\\s)?(?:approve|authori[sz]e|override|waive|amend|alter|modify|lift|extend|sign\\sfor|act\\sfor|speak\\sfor|change|instruct|delegate|raise|increase)\\b',
    ),
    pattern(
      'follow obey do execute carry honor honour comply trust accept',
      '(?:follow|obey|do|execute|carry\\sout|honou?r|comply\\swith|trust|accept)\\s(?:any\\s|all\\s|every\\s|the\\s|whatever\\s|what\\s){0,12}(?:(?:further|later|other|future|new)\\s)?(?:instructions?|orders?|commands?|requests?|says?|asks?|approvals?|messages?)\\b',
    ),
    pattern(
      'follow obey trust believe listen defer',
      `(?:follow|obey|trust|believe|listen\\sto|defer\\sto)\\s(?:the\\s|wallet\\s|agent\\s|address\\s){0,12}${NAME}`,
      2 * PHRASE,
    ),
    pattern(
      'whatever anything everything all what',
      '(?:whatever|anything|everything|all|what)\\s(?:that\\s)?(?:it|they|he|she|the\\s(?:seller|buyer|counterparty|agent|other\\sside|wallet))\\s(?:asks?|says?|wants?|tells?|requests?|demands?|decides?)\\b',
    ),
    pattern(
      'if when whenever once as',
      '(?:if|when|whenever|once|as\\ssoon\\sas)\\s(?:it|they|he|she|asked|requested|told|instructed|the\\s(?:seller|buyer|counterparty|agent|other\\sside|wallet))\\b[^.;\\n]{0,12}(?:asks?|says?|tells?|requests?|approves?|agrees?|demands?|insists?|by)\\b',
      2 * PHRASE,
    ),
    pattern(
      'delegate transfer hand assign give grant pass cede share',
      '(?:delegate|transfer|hand\\sover|assign|give|grant|pass|cede|share)\\s(?:full\\s|all\\s|the\\s|its\\s|my\\s|any\\s|complete\\s|this\\s){0,12}(?:authority|control|ownership|access|permission|permissions|rights?\\sto|keys?\\sto|power|powers|mandate)\\b',
    ),
    pattern(
      'private seed mnemonic session password secret api credential credentials',
      '(?:private\\skeys?|seed\\sphrase|mnemonic|session\\skey|password|secret\\skey|api\\skey|credentials?)\\b',
    ),
    pattern(
      'send forward withdraw drain sweep transfer wire move remit',
      // The figure ends where its digits end: two figures are two, and one is never read as several.
      '(?:send|forward|withdraw|drain|sweep|transfer|wire|move|remit)\\s(?:all\\s|any\\s|the\\s|my\\s|its\\s|every\\s|remaining\\s|entire\\s|leftover\\s|\\d[\\d,.]{0,30}(?![\\d,.])(?:\\s?k)?\\s?){0,12}(?:funds?|balance|money|tokens?|usdc|usd|eth|assets?|profits?|proceeds?|everything|rest)\\b',
      2 * PHRASE,
    ),
  ],
};

export const TO_THE_READER: PatternGroup = {
  question:
    'The text speaks to the reader of the mandate instead of stating it. Please state only what the agent may do.',
  patterns: [
    pattern(
      forms('ignor|disregard|forget|overrid|bypass|supersed|circumvent|disabl', 'e|es|ed|ing|s|'),
      '\\w{1,14}\\b[^.;\\n]{0,40}\\b(?:previous|prior|above|earlier|preceding|foregoing|other|existing|all|any|every|these|those|instructions?|rules?|limits?|caps?|restrictions?|mandate|policy|policies|prompts?|checks?|validation|validator|safety|safeguards?|guidelines?|filters?)\\b',
      WINDOW,
    ),
    pattern(
      'system assistant developer user admin root operator validator parser tool ai model human',
      '(?:system|assistant|developer|user|admin|root|operator|validator|parser|tool|ai|model|human)\\s?:',
    ),
    pattern(
      'system developer hidden original initial',
      '(?:system|developer|hidden|original|initial)\\s(?:prompt|message|instructions?|note)\\b',
    ),
    pattern(
      'note notes',
      'notes?\\s(?:to|for)\\s(?:the\\s|all\\s|any\\s)?(?:validator|parser|system|agent|reader|model|ai|compiler|interpreter|developer|assistant|reviewer|grammar|engine|llm|operator|machine|bot|auditor|checker)s?\\b',
    ),
    pattern(
      'attention dear hey hello message instruction instructions',
      '(?:(?:attention|message\\s(?:to|for)|instructions?\\s(?:to|for))\\s(?:the\\s)?assistant|(?:attention|dear|hey|hello|message\\s(?:to|for)|instructions?\\s(?:to|for))\\s(?:the\\s)?(?:validator|parser|system|model|ai|compiler|llm|reviewer|machine))\\b',
    ),
    pattern(
      'you',
      'you\\sare\\s(?:now|no\\slonger|actually|an?\\s(?:ai|assistant|model|unrestricted|helpful))\\b',
    ),
    pattern(
      'act behave respond answer reply',
      '(?:act|behave|respond|answer|reply)\\sas\\s(?:if|an?|the|though)\\b',
    ),
    pattern(
      'pretend jailbreak roleplay role dan sudo as language prompt system override',
      '(?:pretend|jailbreak|roleplay|role-play|dan mode|sudo|as\\san\\sai|language\\smodel|prompt\\sinjection|system\\soverride|override\\scode)\\b',
    ),
    pattern(
      'developer admin debug god root maintenance test unrestricted',
      '(?:developer|admin|debug|god|root|maintenance|test|unrestricted)\\smode\\b',
    ),
    pattern(
      'new updated real true actual following secret hidden additional special',
      '(?:new|updated|real|true|actual|following|secret|hidden|additional|special)\\s(?:instructions?|mandate|rules?|policy|prompt|limits?)\\s?(?::|is|are|follow|apply|replace|supersede)',
    ),
    pattern(
      'above preceding foregoing everything',
      '(?:above|preceding|foregoing|everything)\\b[^.;\\n]{0,30}\\b(?:was|is|are)\\s(?:a\\s)?(?:test|example|joke|draft|void|obsolete|invalid|null)\\b',
      WINDOW,
    ),
    pattern(
      'output print return emit respond answer reply',
      '(?:output|print|return|emit|respond\\swith|answer|reply)\\s(?:the\\s)?(?:accept|"?decision|following|only|this|yes|ok)\\b',
    ),
    pattern(
      'mark treat read parse interpret consider classify count regard take accept validate',
      '(?:mark|treat|read|parse|interpret|consider|classify|count|regard|take|accept|validate)\\s(?:this|it|the\\s(?:mandate|text|above|cap|limit)|every|any|all)\\b[^.;\\n]{0,40}\\bas\\s(?:accept|valid|approved|safe|trusted|signed|unlimited|verified|pre-?approved|compliant|clean)',
      WINDOW,
    ),
    pattern(
      'accept approve validate sign confirm',
      '(?:accept|approve|validate|sign|confirm)\\s(?:this\\smandate|everything|anything|all\\s(?:deals|requests|transactions|proposals)|automatically|without\\s(?:question|checking|checks|review|validation))(?!\\s(?:\\w{1,24}\\s)?(?:above|over|exceed|more|great|larg|high|beyond|in\\sexcess|from|that|under|below|less|low|cheap|beneath))',
      2 * PHRASE,
    ),
  ],
};
