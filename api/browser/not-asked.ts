/** Why the wallet was not even asked, as a sentence for whoever reads the page. */
export class NotAsked extends Error {}
