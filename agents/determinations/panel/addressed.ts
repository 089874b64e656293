/**
 * Text that addresses its reader instead of stating a fact: a counterparty may write it where a language model will
 * read it. The patterns have no nested repetition, so their time is linear in the text.
 */
const LURES: readonly RegExp[] = [
  /\b(?:ignor|disregard|forget|overrid|bypass)(?:e|es|ed|ing|s)?\b[^.;\n]{0,60}\b(?:previous|prior|above|earlier|instructions?|rules?|prompts?|checks?|evidence|guidelines?|everything|all)\b/i,
  /\b(?:system|developer|hidden|secret|new|updated)\s+(?:prompt|message|instructions?|note)\b/i,
  /(?:^|[\s"'([{<|])(?:system|assistant|developer|user)\s*(?::|\|?>)/i,
  /\b(?:you|thou)\s+(?:are|must|should|shall|will|may|have\s+to)\b/i,
  /\b(?:as\s+an?\s+(?:ai|assistant|language\s+model|judge|auditor)|language\s+model|\bllm\b|chatgpt|jailbreak|prompt\s+injection)\b/i,
  /\b(?:answer|respond|reply|vote|output|return|say|print|report|declare|rate|mark|classify|consider|treat)\b[^.;\n]{0,60}\b(?:clean|safe|trusted|verified|legitimate|benign|approved)\b/i,
  /\b(?:verdict|vote|determination|result|outcome)\b["'\s]{0,4}(?:is|=|:|must\s+be|should\s+be)["'\s]{0,4}clean\b/i,
  /<\|[a-z ]{2,20}\|>|\[\/?inst\]|<\/?(?:system|instructions?|prompt)>/i,
  /\b(?:note|attention|message|instructions?)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:ai|model|judge|reader|reviewer|auditor|assistant|seat|panel|system)s?\b/i,
];

/**
 * The place where evidence addresses its reader, as a JSON Pointer (RFC 6901); null if it nowhere does. It first undoes
 * spellings that would hide such text from the search (other widths, invisible characters).
 */
export function addressedToReader(value: unknown, path = ''): string | null {
  if (typeof value === 'string') {
    const plain = value
      .normalize('NFKC')
      .replace(/\p{Cf}|\p{Mn}/gu, '')
      .replace(/[_\s-]+/g, ' ');
    return LURES.some((lure) => lure.test(plain)) ? path : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, held] of Object.entries(value)) {
    const step = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = addressedToReader(key, step) ?? addressedToReader(held, step);
    if (found !== null) return found;
  }
  return null;
}
