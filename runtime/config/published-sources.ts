/**
 * Secrets printed in documentation, development tools and test suites, from which anybody can make private keys. The
 * fingerprints are made from these.
 */

/** Mnemonics (BIP-39), and how many accounts of each (m/44'/60'/0'/0/i) tools use. */
export const PUBLISHED_MNEMONICS: readonly (readonly [mnemonic: string, accounts: number])[] = [
  // From anvil, Hardhat, and the development chains of the rollups.
  ['test test test test test test test test test test test junk', 100],
  ['myth like bonus scare over problem client lizard pioneer submit female collect', 20],
  ['candy maple cake sugar pudding cream honey rich smooth crumble sweet treat', 20],
  ['announce room limb pattern dry unit scale effort smooth jazz weasel alcohol', 10],
  ['spread raise short crane omit tent fringe mandate neglect detail suspect cradle', 10],
  ['concert load couple harbor equip island argue ramp clarify fence smart topic', 10],
  // From the test vectors of BIP-39.
  [`${'abandon '.repeat(11)}about`, 20],
  [`${'abandon '.repeat(23)}art`, 20],
  ['legal winner thank year wave sausage worth useful legal winner thank yellow', 10],
  ['letter advice cage absurd amount doctor acoustic avoid letter advice cage above', 10],
  [`${'zoo '.repeat(11)}wrong`, 10],
];

/** Single keys, without 0x, from geth, Besu, Quorum, web3.js, the text of EIP-712, Vyper and Ethereum's tests. */
export const PUBLISHED_KEYS: readonly string[] = [
  'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291',
  '8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63',
  'c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3',
  'ae6ae8e5ccbfb04590405997ee2d52d2b330726137b875053c36d94e974d162f',
  '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
  '348ce564d427a3311b6536bbcff9390d69395b06ed6c486954e971d960fe8709',
  '45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8',
  'b6b15c8cb491557369f3c7d2c287b053eb229daa9c22138887752191c9520659',
];

/** Phrases that people hash to make a key, with sha-256 or keccak-256. */
export const COMMON_PHRASES: readonly string[] = [
  '',
  ...['cow', 'horse', 'dog', 'cat', 'dragon', 'monkey', 'test', 'testing', 'secret', 'password', 'Password'],
  ...['password1', 'changeme', 'letmein', 'qwerty', 'admin', 'root', 'operator', 'facilitator', 'treasury'],
  ...['deployer', 'minter', 'seed', 'key', 'private key', 'privatekey', 'my secret', 'secret key', 'hello'],
  ...[
    'hello world',
    'Hello World',
    'hello, world',
    'foo',
    'bar',
    'foobar',
    'default',
    'example',
    'demo',
    'dev',
  ],
  ...[
    'development',
    'production',
    'satoshi',
    'bitcoin',
    'ethereum',
    'wallet',
    'alice',
    'bob',
    'carol',
    'eve',
  ],
  ...['safe-handshake', 'safe handshake', 'handshake', 'agent', 'correct horse battery staple'],
  ...Array.from({ length: 101 }, (_, i) => String(i)),
  ...['123', '1234', '12345', '123456', '1234567', '12345678', '123456789', '1234567890', 'abc', 'abcdef'],
];
