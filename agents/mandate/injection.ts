import type { Question } from './schema.ts';

interface Pattern {
  readonly question: string;
  readonly found: readonly RegExp[];
}

const NAME = '(?:0x[0-9a-f]{40}|[a-z0-9-]+(?:\\.[a-z0-9-]+)?\\.eth)';
const CHANGE =
  '(?:rais|increas|lift|chang|modif|amend|extend|overrid|waiv|remov|doubl|tripl|loosen|relax|updat|adjust|rewrit|suspend|widen|rais)(?:e|es|ed|ing|y|ies|ied)?s?';
const LIMIT =
  '(?:cap|caps|limit|limits|mandate|budget|ceiling|policy|rules?|restrictions?|expiry|terms|allowance|authority|permissions?)';
const APPROVE =
  '(?:approv(?:e|es|ed|al|als)|authori[sz](?:e|es|ed|ation)|instructions?|orders?|requests?|commands?|consent|permission|signatures?|confirmation)';

/** Every pattern is free of nested repetition, so that each runs in linear time over the bounded text. */
const PATTERNS: readonly Pattern[] = [
  {
    question:
      'Markup or JSON inside the text is not accepted. Please restate the mandate in plain sentences.',
    found: [
      /<\s*[/!?a-z]/i,
      /[{}[\]`\\|^]/,
      /&(?:#\d|#x|lt|gt|amp|quot|nbsp)/i,
      /\b[a-z]+_[a-z]+(?:_[a-z]+)?\b/i,
      /"\s*:\s*["\d]/,
      /(?:\/\*|\*\/|<!--|-->|\/\/|={3,}|-{3,}|#{2,}|~{3,}|\*\*)/,
      /%[0-9a-f]{2}%[0-9a-f]{2}/i,
      /\b(?:https?|ftp|file|data|javascript|ipfs):/i,
      /\bwww\./i,
      /\b(?:select\s+\*|drop\s+table|delete\s+from|insert\s+into|union\s+select|eval\s*\(|exec\s*\(|<script)/i,
      /\b(?:begin|end)\s+(?:of\s+)?(?:mandate|prompt|message|instructions?|system)\b/i,
      /\b(?:json|yaml|xml|base64|rot13|html|markdown)\b/i,
    ],
  },
  {
    question:
      'A mandate cannot give a third party authority to change it. Do you want only the limits that you stated yourself?',
    found: [
      /\bas\s+(?:mine|my\s+own|me|if\s+(?:they|it|he|she|i)\b|(?:the\s+)?(?:owner|principal))\b/i,
      new RegExp(
        `\\b${APPROVE}\\s+(?:by|from|of|given\\s+by|signed\\s+by|sent\\s+by)\\s+(?:the\\s+|wallet\\s+|address\\s+|agent\\s+|account\\s+|user\\s+|any\\s+)*(?:${NAME}|anyone|anybody|others?|third|whoever|someone|support|admin|operator|him|her|them|my\\s+(?!self))`,
        'i',
      ),
      new RegExp(
        `${NAME}\\s+(?:may|can|could|will|should|shall|must|is|has|gets|holds|also|decides|controls|acts|speaks|to)\\b[^.;\\n]{0,40}\\b(?:approv|authori|rais|increas|chang|lift|overrid|control|sign|decid|instruct|manag|admin|authority|permission|access|act|extend|set|transfer|withdraw|spend|move|owner|behalf)`,
        'i',
      ),
      new RegExp(
        `\\b(?:${CHANGE})\\s+(?:the\\s+|this\\s+|its\\s+|my\\s+|your\\s+|any\\s+|all\\s+|these\\s+|own\\s+|per-deal\\s+|daily\\s+|total\\s+|spending\\s+)*${LIMIT}\\b`,
        'i',
      ),
      new RegExp(
        `\\b${LIMIT}\\s+(?:may|can|could|will|should|shall|must|is|are|gets?)\\s+(?:be\\s+|to\\s+be\\s+|automatically\\s+)*(?:${CHANGE}|ignored|void|doubled|lifted|waived|overridden)\\b`,
        'i',
      ),
      /\b(?:may|can|could|shall|is\s+allowed\s+to|is\s+authori[sz]ed\s+to|has\s+(?:the\s+)?(?:authority|right|power)\s+to)\s+(?:also\s+)?(?:approve|authori[sz]e|override|waive|amend|alter|modify|lift|extend|sign\s+for|act\s+for|speak\s+for|change|instruct|delegate|raise|increase)\b/i,
      /\b(?:follow|obey|do|execute|carry\s+out|honou?r|comply\s+with|trust|accept)\s+(?:any\s+|all\s+|every\s+|the\s+|whatever\s+|what\s+)*(?:(?:further|later|other|future|new)\s+)?(?:instructions?|orders?|commands?|requests?|says?|asks?|approvals?|messages?)\b/i,
      new RegExp(
        `\\b(?:follow|obey|trust|believe|listen\\s+to|defer\\s+to)\\s+(?:the\\s+|wallet\\s+|agent\\s+|address\\s+)*${NAME}`,
        'i',
      ),
      /\b(?:whatever|anything|everything|all|what)\s+(?:that\s+)?(?:it|they|he|she|the\s+(?:seller|buyer|counterparty|agent|other\s+side|wallet))\s+(?:asks?|says?|wants?|tells?|requests?|demands?|decides?)\b/i,
      /\b(?:if|when|whenever|once|as\s+soon\s+as)\s+(?:it|they|he|she|asked|requested|told|instructed|the\s+(?:seller|buyer|counterparty|agent|other\s+side|wallet))\b[^.;\n]{0,12}(?:asks?|says?|tells?|requests?|approves?|agrees?|demands?|insists?|by)\b/i,
      /\b(?:delegate|transfer|hand\s+over|assign|give|grant|pass|cede|share)\s+(?:full\s+|all\s+|the\s+|its\s+|my\s+|any\s+|complete\s+|this\s+)*(?:authority|control|ownership|access|permission|permissions|rights?\s+to|keys?\s+to|power|powers|mandate)\b/i,
      /\b(?:private\s+keys?|seed\s+phrase|mnemonic|session\s+key|password|secret\s+key|api\s+key|credentials?)\b/i,
      /\b(?:send|forward|withdraw|drain|sweep|transfer|wire|move|remit)\s+(?:all\s+|any\s+|the\s+|my\s+|its\s+|every\s+|remaining\s+|entire\s+|leftover\s+|\d[\d,.]*\s*k?\s*)*(?:funds?|balance|money|tokens?|usdc|usd|eth|assets?|profits?|proceeds?|everything|rest)\b/i,
    ],
  },
  {
    question:
      'The text speaks to the reader of the mandate instead of stating it. Please state only what the agent may do.',
    found: [
      /\b(?:ignor|disregard|forget|overrid|bypass|supersed|circumvent|disabl)(?:e|es|ed|ing|s)?\b[^.;\n]{0,40}\b(?:previous|prior|above|earlier|preceding|foregoing|other|existing|all|any|every|these|those|instructions?|rules?|limits?|caps?|restrictions?|mandate|policy|policies|prompts?|checks?|validation|validator|safety|safeguards?|guidelines?|filters?)\b/i,
      /\b(?:system|assistant|developer|user|admin|root|operator|validator|parser|tool|ai|model|human)\s*:/i,
      /\b(?:system|developer|hidden|original|initial)\s+(?:prompt|message|instructions?|note)\b/i,
      /\bnotes?\s+(?:to|for)\s+(?:the\s+|all\s+|any\s+)?(?:validator|parser|system|agent|reader|model|ai|compiler|interpreter|developer|assistant|reviewer|grammar|engine|llm|operator|machine|bot|auditor|checker)s?\b/i,
      /\b(?:attention|dear|hey|hello|message\s+(?:to|for)|instructions?\s+(?:to|for))\s+(?:the\s+)?(?:validator|parser|system|model|ai|compiler|llm|assistant|reviewer|machine)\b/i,
      /\byou\s+are\s+(?:now|no\s+longer|actually|an?\s+(?:ai|assistant|model|unrestricted|helpful))\b/i,
      /\b(?:act|behave|respond|answer|reply)\s+as\s+(?:if|an?|the|though)\b/i,
      /\b(?:pretend|jailbreak|roleplay|role-play|dan mode|sudo|as\s+an\s+ai|language\s+model|prompt\s+injection|system\s+override|override\s+code)\b/i,
      /\b(?:developer|admin|debug|god|root|maintenance|test|unrestricted)\s+mode\b/i,
      /\b(?:new|updated|real|true|actual|following|secret|hidden|additional|special)\s+(?:instructions?|mandate|rules?|policy|prompt|limits?)\s*(?::|is|are|follow|apply|replace|supersede)/i,
      /\b(?:the\s+)?(?:above|preceding|foregoing|everything)\b[^.;\n]{0,30}\b(?:was|is|are)\s+(?:a\s+)?(?:test|example|joke|draft|void|obsolete|invalid|null)\b/i,
      /\b(?:output|print|return|emit|respond\s+with|answer|reply)\s+(?:the\s+)?(?:accept|"?decision|following|only|this|yes|ok)\b/i,
      /\b(?:mark|treat|read|parse|interpret|consider|classify|count|regard|take|accept|validate)\s+(?:this|it|the\s+(?:mandate|text|above|cap|limit)|every|any|all)\b[^.;\n]{0,40}\bas\s+(?:accept|valid|approved|safe|trusted|signed|unlimited|verified|pre-?approved|compliant|clean)/i,
      /\b(?:accept|approve|validate|sign|confirm)\s+(?:this\s+mandate|everything|anything|all\s+(?:deals|requests|transactions|proposals)|automatically|without\s+(?:question|checking|checks|review|validation))(?!\s+(?:\w+\s+)?(?:above|over|exceed|more|great|larg|high|beyond|in\s+excess|from|that))/i,
    ],
  },
];

const CAP_ONLY =
  /(\$?\d[\d,.]*k?\s*(?:usdc|usd|dollars)?)\s*(?:per|a|each|every|\/)\s*(?:deal|transaction|purchase)/i;

/** Looks for text that is not a mandate but an attack on its reader. Runs on the raw text, before the grammar. */
export function suspectInjection(text: string): Question | null {
  const quiet = text.replace(/'/g, '’');
  for (const { question, found } of PATTERNS)
    if (found.some((pattern) => pattern.test(quiet)))
      return { reason: 'INJECTION_SUSPECTED', question: named(question, text) };
  if (blob(text))
    return {
      reason: 'INJECTION_SUSPECTED',
      question: 'The text holds encoded data. Please restate the mandate in plain sentences.',
    };
  return null;
}

function named(question: string, text: string): string {
  const cap = question.includes('third party') ? CAP_ONLY.exec(text)?.[1]?.trim() : undefined;
  return cap === undefined
    ? question
    : `A mandate cannot give a third party authority to change it. Do you want the ${cap} cap only?`;
}

/** A long unbroken run that is neither an address nor a word. */
function blob(text: string): boolean {
  return text
    .split(/[\s,;:()"']+/)
    .some(
      (word) =>
        word.length >= 45 ||
        (word.length >= 24 && /[+/=]/.test(word) && /\d/.test(word)) ||
        /^[A-Za-z0-9+/]{20,}={1,2}$/.test(word),
    );
}
