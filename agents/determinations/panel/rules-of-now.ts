/** By which rules new evidence is judged. Evidence of earlier releases lacks what came later, and is judged as it was. */
export const RULES_OF_NOW = { rules: 1, adversary: 3, confidence: 2, agreement: 2 } as const;
